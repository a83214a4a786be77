#include "core/train/driver/live_changes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "core/base/text.h"

namespace orrery {

namespace {

std::optional<double> finite(const std::string& text) {
    const std::optional<double> value = parseDouble(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

/// One live field: how it is read and written.
struct LiveField {
    std::function<std::string(const EmpoSpec&)> get;
    std::function<void(EmpoSpec&, std::optional<double>)> set;
    bool isWhole = false;
    bool canBeNone = false;
};

LiveField number(double EmpoSpec::*member) {
    return {.get = [member](const EmpoSpec& spec) { return formatDouble(spec.*member); },
            .set = [member](EmpoSpec& spec, std::optional<double> v) { spec.*member = *v; }};
}

std::map<std::string, LiveField> makeLiveFields() {
    std::map<std::string, LiveField> fields{
        {"beta_r", number(&EmpoSpec::beta_r)},
        {"epsilon_r_end", number(&EmpoSpec::epsilonEnd_r)},
        {"epsilon_h_end", number(&EmpoSpec::epsilonEnd_h)},
        {"curiosity_coef", number(&EmpoSpec::curiosityCoefficient)},
        {"batch_size",
         {.get = [](const EmpoSpec& spec) { return std::to_string(spec.batchSize); },
          .set = [](EmpoSpec& spec,
                    std::optional<double> v) { spec.batchSize = static_cast<int>(*v); },
          .isWhole = true}},
        {"actor_sync_freq",
         {.get = [](const EmpoSpec& spec) { return std::to_string(spec.collectorSyncSteps); },
          .set =
              [](EmpoSpec& spec, std::optional<double> v) {
                  spec.collectorSyncSteps = static_cast<std::int64_t>(*v);
              },
          .isWhole = true}},
        {"max_env_steps_per_training_step",
         {.get =
              [](const EmpoSpec& spec) {
                  const auto most = spec.maxEnvironmentStepsPerTrainingStep;
                  return most ? formatDouble(*most) : std::string("none");
              },
          .set = [](EmpoSpec& spec,
                    std::optional<double> v) { spec.maxEnvironmentStepsPerTrainingStep = v; },
          .canBeNone = true}}};
    fields["lr_q_h"] = {
        .get = [](const EmpoSpec& spec) { return formatDouble(spec.q_h.learningRate); },
        .set = [](EmpoSpec& spec, std::optional<double> v) { spec.q_h.learningRate = *v; }};
    for (const Quantity quantity : kQuantities)
        fields["lr_" + std::string(nameOf(quantity))] = {
            .get =
                [quantity](const EmpoSpec& spec) {
                    return formatDouble(spec.of(quantity).learningRate);
                },
            .set = [quantity](EmpoSpec& spec,
                              std::optional<double> v) { spec.of(quantity).learningRate = *v; }};
    return fields;
}

const LiveField* liveField(const std::string& key) {
    static const std::map<std::string, LiveField> kFields = makeLiveFields();
    const auto at = kFields.find(key);
    return at == kFields.end() ? nullptr : &at->second;
}

std::string textOf(const std::optional<std::string>& metric) {
    return metric.value_or("none");
}
std::string textOf(const std::optional<double>& number) {
    return number ? formatDouble(*number) : "none";
}
std::string textOf(const std::optional<std::int64_t>& steps) {
    return steps ? std::to_string(*steps) : "none";
}

// What a condition is set to; nothing if the text says no such value.
std::optional<std::string> read(const std::string& text, const std::optional<std::string>&) {
    return text.empty() ? std::nullopt : std::optional(text);
}
std::optional<double> read(const std::string& text, const std::optional<double>&) {
    return finite(text);
}
std::optional<std::int64_t> read(const std::string& text, const std::optional<std::int64_t>&) {
    const auto steps = parseInt(text);
    return steps && *steps >= 1 ? steps : std::nullopt;
}

/// Calls `use` with the condition of that name, and with what it must be.
template <typename Use>
void withCondition(StopConditions& stop, const std::string& key, const Use& use) {
    if (key == "stop_step") use(stop.step, "a whole number >= 1");
    if (key == "stop_after") use(stop.seconds, "a number > 0");
    if (key == "stop_metric") use(stop.metric, "a metric");
    if (key == "stop_at_most") use(stop.atMost, "a number");
    if (key == "stop_at_least") use(stop.atLeast, "a number");
    if (key == "stop_plateau") use(stop.plateauSteps, "a whole number >= 1");
}

/// The first condition that looks at a metric; empty if none does.
std::string needsMetric(const StopConditions& stop) {
    if (stop.atMost) return "stop_at_most";
    if (stop.atLeast) return "stop_at_least";
    return stop.plateauSteps ? "stop_plateau" : "";
}

}  // namespace

bool isStopKey(const std::string& key) {
    return std::ranges::find(kStopKeys, key) != kStopKeys.end();
}

AppliedChange applyChange(const TrainChange& change, StopConditions& stop) {
    AppliedChange applied{.change = change};
    StopConditions changed = stop;
    std::string oldValue;
    withCondition(changed, change.key, [&](auto& condition, const char* range) {
        oldValue = textOf(condition);
        condition = change.value == "none" ? std::nullopt : read(change.value, condition);
        const bool isRead = change.value == "none" || condition;
        if (!isRead || changed.seconds.value_or(1) <= 0)
            applied.problem = change.key + " must be " + range + " or none, got '" +
                              escaped(change.value, 80) + "'";
    });
    const std::string needs = needsMetric(changed);
    if (applied.problem.empty() && !needs.empty() && !changed.metric)
        applied.problem = change.key == "stop_metric"
                              ? "stop_metric cannot be none while " + needs +
                                    " looks at it; set that to none first"
                              : needs + " needs a metric to look at; set stop_metric first";
    if (!applied.problem.empty()) return applied;
    applied.oldValue = oldValue;
    stop = changed;
    return applied;
}

int actorOf(const std::string& key) {
    constexpr std::string_view kPrefix = "actor.";
    if (!key.starts_with(kPrefix)) return -1;
    const auto number = finite(key.substr(kPrefix.size()));
    if (!number || *number < 0 || *number > 65'535 || *number != std::floor(*number)) return -1;
    return static_cast<int>(*number);
}

AppliedChange applyChange(const TrainChange& change, EmpoSpec& spec) {
    AppliedChange applied{.change = change};
    const LiveField* field = liveField(change.key);
    if (!field) {
        applied.problem = change.key +
                          " cannot be changed while a run trains; fork the run with the change "
                          "instead (orrery fork RUN " +
                          change.key + "=" + change.value + ")";
        return applied;
    }
    std::optional<double> value;
    if (!(field->canBeNone && change.value == "none")) {
        value = finite(change.value);
        if (!value || (field->isWhole && (*value != std::floor(*value) || *value > 2e9))) {
            applied.problem = change.key + " must be a " + (field->isWhole ? "whole " : "") +
                              "number, got '" + change.value + "'";
            return applied;
        }
    }
    EmpoSpec changed = spec;
    field->set(changed, value);
    for (const EmpoProblem& problem : validate(changed))
        if (problem.field == change.key) {
            applied.problem = problem.field + " " + problem.text;
            return applied;
        }
    applied.oldValue = field->get(spec);
    spec = changed;
    return applied;
}

}  // namespace orrery
