#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "widgets/replay/replay_filter.h"

namespace orrery {

/// What of a transition is compared.
enum class ReplayField : std::uint8_t {
    Actor,
    Episode,
    Step,
    Age,
    Stored,
    Alike,
    WorldIndex,
    GoalIndex,
    Robot,
    Human,
    Stage,
    Ends,
    From,
    To,
    Touches,
};

enum class ReplayComparison : std::uint8_t { Equal, Unequal, Less, AtMost, More, AtLeast };

/// A part of a condition that was read: others joined, or one comparison. Immutable once read.
struct ReplayFilter::Node {
    enum class Kind : std::uint8_t { And, Or, Not, Number, Set };
    Kind kind = Kind::Number;
    std::vector<std::shared_ptr<const Node>> parts = {};
    ReplayField field = ReplayField::Step;
    ReplayComparison comparison = ReplayComparison::Equal;
    double number = 0;
    bool isTrue = true;  ///< of Ends, From, To, Touches
    /// [worlds] the robot actions, or [worlds][human] the human actions or goals that are meant
    std::vector<std::vector<char>> robotActions = {};
    std::vector<std::vector<std::vector<char>>> perHuman = {};
    std::vector<char> stages = {};  ///< [stages of the schedule] those that are meant
};

using FilterNode = ReplayFilter::Node;

}  // namespace orrery
