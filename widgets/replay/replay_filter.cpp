#include "widgets/replay/replay_filter.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/replay/replay_snapshot.h"

// Which transitions a filter holds for; replay_filter_read.cpp reads it.

namespace orrery {

namespace {

/// One pass over the transitions; remembers which states are the current one.
class FilterPass {
public:
    FilterPass(const ReplaySource& source, const ReplayFilter::Current& current)
        : m_source(source), m_current(current) {}

    bool holds(const FilterNode& leaf, const ReplayNames& names, std::size_t i) {
        const StoredTransition& row = m_source.at(i);
        const bool isEqual = leaf.sign != FilterSign::NotEqual;
        const auto is = [&](auto value) {
            return compares(static_cast<double>(value), leaf.sign,
                            leaf.right.field >= 0 ? numberOf(leaf.right, i) : *leaf.right.number);
        };
        switch (const auto field = static_cast<ReplayField>(leaf.left.field)) {
            case ReplayField::Goal:
                if (names.empty())
                    return std::any_of(row.goals.begin(),
                                       row.goals.begin() + std::ssize(m_source.factsOf(i).humans),
                                       is);
                return isNamed(names[row.layout], row.goals) == isEqual;
            case ReplayField::Robot:
                return isNamed(names[row.layout], std::array{row.robotAction}) == isEqual;
            case ReplayField::Human:
                return isNamed(names[row.layout], row.humanActions) == isEqual;
            case ReplayField::Stage:
                return isNamed(names[0], std::array{m_source.stageIndexOf(i)}) == isEqual;
            case ReplayField::Ends:
                return is(row.endsEpisode ? 1 : 0);
            case ReplayField::From:
            case ReplayField::To:
            case ReplayField::Touches:
                return touchesCurrent(field, i) == isEqual;
            default:
                return is(numberOf(leaf.left, i));
        }
    }

private:
    double numberOf(const FilterOperand& side, std::size_t i) const {
        return kReplayNumbers[static_cast<std::size_t>(side.field)].of(m_source, i);
    }
    /// Whether any of the humans, or the robots together, did or wanted what is meant.
    static bool isNamed(const std::vector<std::vector<char>>& meant, const auto& chosen) {
        for (std::size_t h = 0; h < meant.size(); ++h) {
            const auto which = static_cast<std::size_t>(chosen[h]);
            if (which < meant[h].size() && meant[h][which] != 0) return true;
        }
        return false;
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
        if (!m_root || filterHolds(*m_root, [&](const FilterNode& leaf) {
                return pass.holds(leaf, m_names[static_cast<std::size_t>(leaf.leaf)], i);
            }))
            rows.push_back(static_cast<std::uint32_t>(i));
        if (i % kRowsBetweenLooks != 0) continue;
        done.store(static_cast<std::int64_t>(source.size() - i), std::memory_order_relaxed);
        if (stop.stop_requested()) break;
    }
    return rows;
}

}  // namespace orrery
