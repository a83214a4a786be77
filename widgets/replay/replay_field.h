#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "widgets/replay/replay_source.h"

namespace orrery {

/// A number of a transition that filters compare.
struct ReplayNumber {
    const char* name;
    double (*of)(const ReplaySource& source, std::size_t i);
};
inline constexpr std::array kReplayNumbers{
    ReplayNumber{"actor", [](const auto& s, auto i) { return double(s.at(i).collector); }},
    ReplayNumber{"episode", [](const auto& s, auto i) { return double(s.at(i).episode); }},
    ReplayNumber{"step", [](const auto& s, auto i) { return double(s.at(i).step); }},
    ReplayNumber{"age", [](const auto& s, auto i) { return double(s.ageOf(i)); }},
    ReplayNumber{"stored", [](const auto& s, auto i) { return double(s.at(i).insertedAt); }},
    ReplayNumber{"alike", [](const auto& s, auto i) { return double(s.alikeOf(i)); }},
    ReplayNumber{"world", [](const auto& s, auto i) { return double(s.at(i).layout); }}};

/// Index of a field into ReplayFilter::fields(); those before are kReplayNumbers.
enum class ReplayField : int {
    Goal = kReplayNumbers.size(),
    Robot,
    Human,
    Stage,
    Ends,
    From,
    To,
    Touches,
};

/// What a comparison with a text means: [world][human][action or goal]; of robots
/// [world][0][joint action], of stages [0][0][stage]. Empty: nothing is named.
using ReplayNames = std::vector<std::vector<std::vector<char>>>;

}  // namespace orrery
