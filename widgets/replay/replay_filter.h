#pragma once

#include <QString>
#include <QStringList>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "widgets/replay/replay_source.h"

namespace orrery {

/// What is wrong with a filter of transitions, at a place of its text.
struct ReplayFilterProblem {
    int position = 0;  ///< characters from the beginning
    QString text;
};

/// A condition on transitions as people write it:
///
///     actor = 1 step > 3 robot = forward and not goal = 2 or touches:current
///
/// Numbers, with = != < <= > >=: actor, episode, step, age, stored, alike, world, goal (of any
/// human: its number; goal:11,7 by its cell). Names, with = != and : (contains): robot, human,
/// stage (of the training when it was stored). ends = yes or no. from:current, to:current and
/// touches:current: the selected state is where the transition starts, what it reached, or one of
/// all that might have followed. and, or, not and parentheses; `and` may be left out. Numbers may
/// end in k or M. Empty text: all transitions. Immutable once read; any thread.
class ReplayFilter {
public:
    ReplayFilter() = default;

    /// @param current  the selected state as this source encodes it, with its world; empty: none
    struct Current {
        std::vector<std::byte> encoded;
        int layout = -1;
    };
    /// @return nothing if the text is wrong; `problem` then says where and why
    static std::optional<ReplayFilter> read(const QString& text, const ReplaySource& source,
                                            const Current& current, ReplayFilterProblem& problem);

    bool isEmpty() const { return m_root == nullptr; }
    /// Places of the transitions for which it holds, the newest first.
    /// @param done  counts the transitions that were looked at
    std::vector<std::uint32_t> apply(const ReplaySource& source, const std::stop_token& stop,
                                     std::atomic<std::int64_t>& done) const;

    struct Node;
    /// The names of all fields, for help and completion.
    static QStringList fields();

private:
    std::shared_ptr<const Node> m_root;
    Current m_current;
};

}  // namespace orrery
