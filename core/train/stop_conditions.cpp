#include "core/train/stop_conditions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/base/text.h"

namespace orrery {

namespace {

std::optional<double> finite(const std::string& text) {
    const std::optional<double> value = parseDouble(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
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

bool isStopKey(std::string_view key) {
    return std::ranges::find(kStopKeys, key) != kStopKeys.end();
}

int orderOfChange(std::string_view key, std::string_view value) {
    if (key != "stop_metric") return 0;
    return value == "none" ? 1 : -1;
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

}  // namespace orrery
