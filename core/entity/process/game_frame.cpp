#include "core/entity/process/game_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/env/frame_json.h"

namespace orrery {

namespace {

using Frame = nlohmann::json;

constexpr std::size_t kShownField = 60;

/// What is wrong, found while a frame is read.
struct FrameProblem {
    std::string text;
};

[[noreturn]] void refuseValue(const std::string& field, const char* due, const Frame& value) {
    throw FrameProblem{
        field + ": must be " + due + ", got " +
        escaped(value.dump(-1, ' ', false, Frame::error_handler_t::replace), kShownField)};
}

double finiteNumber(const Frame& value, const std::string& field) {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        refuseValue(field, "a finite number", value);
    return value.get<double>();
}

bool truthOf(const Frame& frame, const char* field) {
    const auto found = frame.find(field);
    if (found == frame.end() || found->is_null()) return false;
    if (!found->is_boolean()) refuseValue(field, "true or false", *found);
    return found->get<bool>();
}

double rewardOf(const Frame& frame, FrameRole role) {
    const auto found = frame.find("reward");
    if (found != frame.end() && !found->is_null()) return finiteNumber(*found, "reward");
    if (role == FrameRole::AfterStep) throw FrameProblem{"reward: is missing"};
    return 0;
}

void readMetrics(const EnvironmentSpaces& spaces, const Frame& frame, GameFrame& out) {
    const std::vector<std::string>& names = spaces.metrics;
    out.otherMetrics.clear();
    out.seen.metrics.assign(names.size(), std::numeric_limits<double>::quiet_NaN());
    const auto told = frame.find("metrics");
    if (told == frame.end() || told->is_null()) return;
    if (!told->is_object()) refuseValue("metrics", "an object", *told);
    for (const auto& [name, value] : told->items()) {
        const double number = finiteNumber(value, "metrics." + escaped(name, kShownField));
        const auto known = std::ranges::find(names, name);
        if (known == names.end())
            out.otherMetrics.push_back(name);
        else
            out.seen.metrics[static_cast<std::size_t>(known - names.begin())] = number;
    }
}

void requireFit(const EnvironmentSpaces& spaces, const Frame& frame, Observation& out) {
    std::vector<std::string> problems = readFrame(spaces, frame, out);
    if (problems.empty()) problems = problemsOf(spaces, out);
    if (!problems.empty()) throw FrameProblem{problems.front()};
}

}  // namespace

std::string readGameFrame(const EnvironmentSpaces& spaces, Frame& frame, FrameRole role,
                          GameFrame& out) {
    try {
        if (!frame.is_object()) refuseValue("observation", "an object", frame);
        const bool isDone = truthOf(frame, "done"), isCut = truthOf(frame, "truncated");
        const bool isOver = isDone || isCut;
        if (isOver && role == FrameRole::First)
            throw FrameProblem{"done: an episode cannot end as it begins"};
        out.reward = rewardOf(frame, role);
        out.end = isCut ? EpisodeEnd::TimeOut : isDone ? EpisodeEnd::Success : EpisodeEnd::None;
        if (isOver) {
            // What can be done in what is seen last is nobody's business.
            frame.erase("actions");
            EnvironmentSpaces seen{.observations = spaces.observations, .actions = {}};
            requireFit(seen, frame, out.seen);
            out.seen.offers.assign(spaces.actions.size(), {});
        } else {
            requireFit(spaces, frame, out.seen);
        }
        readMetrics(spaces, frame, out);
    } catch (const FrameProblem& problem) {
        return problem.text;
    }
    return {};
}

}  // namespace orrery
