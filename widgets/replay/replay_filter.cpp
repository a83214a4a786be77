#include "widgets/replay/replay_filter.h"

#include <algorithm>
#include <cstring>

#include "core/replay/replay_snapshot.h"
#include "widgets/replay/replay_filter_node.h"

// Which transitions a filter holds for; replay_filter_read.cpp reads it.

namespace orrery {

namespace {

bool compares(double a, ReplayComparison comparison, double b) {
    switch (comparison) {
        case ReplayComparison::Equal:
            return a == b;
        case ReplayComparison::Unequal:
            return a != b;
        case ReplayComparison::Less:
            return a < b;
        case ReplayComparison::AtMost:
            return a <= b;
        case ReplayComparison::More:
            return a > b;
        case ReplayComparison::AtLeast:
            return a >= b;
    }
    return false;
}

/// One pass over the transitions; remembers which states are the current one.
class FilterPass {
public:
    FilterPass(const ReplaySource& source, const ReplayFilter::Current& current)
        : m_source(source), m_current(current) {}

    bool holds(const FilterNode& node, std::size_t i) {
        switch (node.kind) {
            case FilterNode::Kind::And:
                return holds(*node.parts[0], i) && holds(*node.parts[1], i);
            case FilterNode::Kind::Or:
                return holds(*node.parts[0], i) || holds(*node.parts[1], i);
            case FilterNode::Kind::Not:
                return !holds(*node.parts[0], i);
            case FilterNode::Kind::Set:
                return holdsOfSet(node, i);
            case FilterNode::Kind::Number:
                return holdsOfNumber(node, i);
        }
        return false;
    }

private:
    bool holdsOfSet(const FilterNode& node, std::size_t i) const {
        const StoredTransition& row = m_source.at(i);
        bool isOne = false;
        if (node.field == ReplayField::Robot) {
            isOne = node.robotActions[row.layout][static_cast<std::size_t>(row.robotAction)] != 0;
        } else if (node.field == ReplayField::Stage) {
            isOne = node.stages[static_cast<std::size_t>(m_source.stageIndexOf(i))] != 0;
        } else {
            const auto& humans = node.perHuman[row.layout];
            for (std::size_t h = 0; h < humans.size(); ++h) {
                const auto which = node.field == ReplayField::Human
                                       ? static_cast<std::size_t>(row.humanActions[h])
                                       : static_cast<std::size_t>(row.goals[h]);
                isOne = isOne || (which < humans[h].size() && humans[h][which] != 0);
            }
        }
        return isOne == (node.comparison == ReplayComparison::Equal);
    }
    bool holdsOfNumber(const FilterNode& node, std::size_t i) {
        const StoredTransition& row = m_source.at(i);
        const auto is = [&](auto value) {
            return compares(static_cast<double>(value), node.comparison, node.number);
        };
        switch (node.field) {
            case ReplayField::Actor:
                return is(row.collector);
            case ReplayField::Episode:
                return is(row.episode);
            case ReplayField::Step:
                return is(row.step);
            case ReplayField::Age:
                return is(m_source.ageOf(i));
            case ReplayField::Stored:
                return is(row.insertedAt);
            case ReplayField::Alike:
                return is(m_source.alikeOf(i));
            case ReplayField::WorldIndex:
                return is(row.layout);
            case ReplayField::GoalIndex:
                return std::any_of(row.goals.begin(),
                                   row.goals.begin() + std::ssize(m_source.factsOf(i).humans), is);
            case ReplayField::Ends:
                return row.endsEpisode == node.isTrue;
            default:
                return touchesCurrent(node.field, i) == node.isTrue;
        }
    }
    bool touchesCurrent(ReplayField field, std::size_t i) {
        const StoredTransition& row = m_source.at(i);
        if (row.layout != m_current.layout) return false;
        const StoredModel& model = m_source.replay->modelOf(i);
        if (field == ReplayField::From) return isCurrent(model.state);
        if (field == ReplayField::To) return isCurrent(model.successors()[row.reached]);
        if (isCurrent(model.state)) return true;
        return std::ranges::any_of(model.successors(),
                                   [this](StateStore::Index state) { return isCurrent(state); });
    }
    bool isCurrent(StateStore::Index state) {
        if (state >= m_known.size())
            m_known.resize(std::max<std::size_t>(state + 1U, 2 * m_known.size()), 0);
        if (m_known[state] == 0) {
            const auto bytes = m_source.replay->state(state);
            const bool isSame =
                bytes.size() == m_current.encoded.size() &&
                std::memcmp(bytes.data(), m_current.encoded.data(), bytes.size()) == 0;
            m_known[state] = isSame ? 1 : 2;
        }
        return m_known[state] == 1;
    }

    const ReplaySource& m_source;
    const ReplayFilter::Current& m_current;
    std::vector<char> m_known;  ///< [states] 0 not looked at, 1 the current one, 2 another
};

constexpr std::size_t kRowsBetweenLooks = 4096;

}  // namespace

std::vector<std::uint32_t> ReplayFilter::apply(const ReplaySource& source,
                                               const std::stop_token& stop,
                                               std::atomic<std::int64_t>& done) const {
    std::vector<std::uint32_t> rows;
    FilterPass pass(source, m_current);
    for (std::size_t i = source.size(); i-- > 0;) {
        if (!m_root || pass.holds(*m_root, i)) rows.push_back(static_cast<std::uint32_t>(i));
        if (i % kRowsBetweenLooks != 0) continue;
        done.store(static_cast<std::int64_t>(source.size() - i), std::memory_order_relaxed);
        if (stop.stop_requested()) break;
    }
    return rows;
}

}  // namespace orrery
