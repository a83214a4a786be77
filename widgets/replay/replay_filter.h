#pragma once

#include <QString>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/filter/filter_fields.h"
#include "core/filter/filter_tree.h"
#include "widgets/replay/replay_field.h"
#include "widgets/replay/replay_source.h"

namespace orrery {

/// A condition on transitions (core/filter/read_filter.h):
///
///     actor = 1 step > 3 robot = forward and not goal = 2 or touches:current
///
/// Numbers: actor, episode, step, age, stored, alike, world, goal (of any human: its number;
/// goal:11,7 by its cell). Names: robot, human, stage (of the training when it was stored). ends is
/// a truth. from:current, to:current and touches:current: the selected state is where the
/// transition starts, what it reached, or one of all that might have followed. Empty text: all
/// transitions. Immutable once read; any thread.
class ReplayFilter {
public:
    struct Current {
        std::vector<std::byte> encoded;
        int layout = -1;
    };
    /// @param current  the selected state as this source encodes it, with its world; empty: none
    /// @throws FilterError
    ReplayFilter(const QString& text, const ReplaySource& source, Current current);

    bool isEmpty() const { return !m_root; }
    /// Places of the transitions for which it holds, the newest first.
    /// @param done  counts the transitions that were looked at
    std::vector<std::uint32_t> apply(const ReplaySource& source, const std::stop_token& stop,
                                     std::atomic<std::int64_t>& done) const;

    static const FilterFields& fields();

private:
    std::optional<FilterNode> m_root;
    std::vector<ReplayNames> m_names;  ///< [leaf]
    Current m_current;
};

}  // namespace orrery
