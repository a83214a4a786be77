#include "core/train/driver/live_changes.h"

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

}  // namespace

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
