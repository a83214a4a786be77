#include "core/dag/state_marks.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "core/base/thread_team.h"
#include "core/dag/state_graph_storage.h"

namespace orrery {

namespace {

constexpr std::int64_t kMarkedConfigs = 4096;  ///< at once; a multiple of 64

/// The members of a level among configurations begin(step) + 64 w + [0, 64).
std::uint64_t membersIn(const StateGraph& graph, int step, std::size_t word) {
    const ConfigIndex length = graph.levelEnd(step) - graph.levelBegin(step);
    if (!graph.levelIsRange(step)) return graph.storage().member[step][word];
    const std::int64_t left =
        static_cast<std::int64_t>(length) - static_cast<std::int64_t>(word * 64);
    return left >= 64 ? ~std::uint64_t{0} : left <= 0 ? 0 : (std::uint64_t{1} << left) - 1;
}

/// Asks a predicate about the configurations of a range of levels.
class Marker {
public:
    Marker(const StateGraph& graph, const Predicate& predicate,
           const std::function<std::uint64_t(State)>& truths, StateMarks& marks)
        : m_graph(graph),
          m_predicate(predicate),
          m_truths(truths),
          m_marks(marks),
          m_isByConfig(!truths && !predicate.namesStep()) {}

    /// [from, to) counts from the begin of the levels [firstStep, endStep); `from` is a multiple of
    /// 64.
    void mark(int firstStep, int endStep, std::int64_t from, std::int64_t to) const {
        const ConfigIndex base = m_graph.levelBegin(firstStep);
        std::vector<int> values(m_graph.world().variables().size());
        for (std::int64_t at = from; at < to; at += 64) {
            const auto word = static_cast<std::size_t>(at / 64);
            const int length = static_cast<int>(std::min<std::int64_t>(64, to - at));
            if (m_isByConfig) {
                std::uint64_t hits = 0;
                for (int k = 0; k < length; ++k) {
                    m_graph.world().valuate(
                        m_graph.configuration(static_cast<ConfigIndex>(base + at + k)), values);
                    if (m_predicate.holds(0, values)) hits |= std::uint64_t{1} << k;
                }
                for (int step = firstStep; step < endStep && hits != 0; ++step)
                    if (word < m_marks.words(step).size())
                        m_marks.words(step)[word] = hits & membersIn(m_graph, step, word);
            } else {
                for (int k = 0; k < length; ++k) markOne(firstStep, endStep, base, word, k, values);
            }
        }
    }

private:
    void markOne(int firstStep, int endStep, ConfigIndex base, std::size_t word, int k,
                 std::vector<int>& values) const {
        const auto config = static_cast<ConfigIndex>(base + word * 64 + k);
        m_graph.world().valuate(m_graph.configuration(config), values);
        for (int step = firstStep; step < endStep; ++step) {
            if (!m_graph.inLevel(step, config)) continue;
            if (m_predicate.holds(step, values, m_truths ? m_truths({step, config}) : 0))
                m_marks.words(step)[word] |= std::uint64_t{1} << k;
        }
    }

    const StateGraph& m_graph;
    const Predicate& m_predicate;
    const std::function<std::uint64_t(State)>& m_truths;
    StateMarks& m_marks;
    bool m_isByConfig;
};

}  // namespace

StateMarks::StateMarks(const StateGraph& graph) : m_levels(graph.numLevels()) {
    for (int step = 0; step < graph.numLevels(); ++step) {
        Level& level = m_levels[step];
        level.begin = graph.levelBegin(step);
        level.end = graph.levelEnd(step);
        level.words.assign((level.end - level.begin + 63) / 64, 0);
    }
}

bool StateMarks::contains(State state) const {
    if (state.step < 0 || state.step >= numLevels()) return false;
    const Level& level = m_levels[state.step];
    if (state.config < level.begin || state.config >= level.end) return false;
    const ConfigIndex bit = state.config - level.begin;
    return (level.words[bit / 64] >> (bit % 64) & 1U) != 0;
}

std::optional<ConfigIndex> StateMarks::next(int step, ConfigIndex from) const {
    const Level& level = m_levels[step];
    const ConfigIndex bit = std::max(from, level.begin) - level.begin;
    for (std::size_t w = bit / 64; w < level.words.size(); ++w) {
        std::uint64_t word = level.words[w];
        if (w == bit / 64) word &= ~std::uint64_t{0} << (bit % 64);
        if (word != 0)
            return static_cast<ConfigIndex>(level.begin + w * 64 + std::countr_zero(word));
    }
    return std::nullopt;
}

std::vector<State> StateMarks::first(std::int64_t limit) const {
    std::vector<State> states;
    states.reserve(static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 0, m_total)));
    for (int step = 0; step < numLevels(); ++step)
        for (auto config = next(step, 0); config; config = next(step, *config + 1)) {
            if (std::ssize(states) >= limit) return states;
            states.push_back({step, *config});
        }
    return states;
}

std::int64_t StateMarks::bytes() const {
    std::int64_t total = 0;
    for (const Level& level : m_levels)
        total += static_cast<std::int64_t>(level.words.size() * sizeof(std::uint64_t));
    return total;
}

void StateMarks::insert(State state) {
    Level& level = m_levels[state.step];
    const ConfigIndex bit = state.config - level.begin;
    level.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

void StateMarks::recount() {
    m_total = 0;
    for (Level& level : m_levels) {
        level.count = 0;
        for (const std::uint64_t word : level.words) level.count += std::popcount(word);
        m_total += level.count;
    }
}

std::shared_ptr<const StateMarks> markStates(const StateGraph& graph, const Predicate& predicate,
                                             int threads, std::stop_token stop,
                                             const std::function<std::uint64_t(State)>& truths) {
    auto marks = std::make_shared<StateMarks>(graph);
    const Marker marker(graph, predicate, truths, *marks);
    ThreadTeam team(std::max(1, threads));
    const int numLevels = graph.numLevels();
    // A folded graph keeps a configuration once for all levels, so it is valuated once.
    const int group = graph.isFolded() ? numLevels : 1;
    for (int step = 0; step < numLevels; step += group) {
        const std::int64_t length = graph.levelEnd(step + group - 1) - graph.levelBegin(step);
        if (!team.forChunks(0, length, kMarkedConfigs, stop,
                            [&](std::int64_t from, std::int64_t to, int) {
                                marker.mark(step, step + group, from, to);
                            }))
            return nullptr;
    }
    marks->recount();
    return marks;
}

StateSet findStates(const StateGraph& graph, const Predicate& predicate, std::int64_t limit,
                    int threads, std::stop_token stop) {
    const auto marks = markStates(graph, predicate, threads, stop);
    if (!marks || stop.stop_requested()) return {{}, -1};
    return {marks->first(limit), marks->total()};
}

bool spreadMarks(const StateGraph& graph, StateMarks& marks, int step, ThreadTeam& team,
                 const std::stop_token& stop) {
    const std::span<const std::uint64_t> here = marks.words(step);
    const std::span<std::uint64_t> there = marks.words(step + 1);
    const ConfigIndex base = marks.begin(step);
    const ConfigIndex nextBase = marks.begin(step + 1);
    const auto spread = [&](ConfigIndex config) {
        const ConfigRows rows = graph.rows(config);
        for (std::uint32_t e = 0; e < rows.numEntries; ++e) {
            const ConfigIndex bit = rows.successor[e] - nextBase;
            const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
            const std::atomic_ref<std::uint64_t> word(there[bit / 64]);
            if ((word.load(std::memory_order_relaxed) & mask) == 0)
                word.fetch_or(mask, std::memory_order_relaxed);
        }
    };
    return team.forChunks(
        0, std::ssize(here), 16, stop, [&](std::int64_t begin, std::int64_t end, int) {
            for (std::int64_t w = begin; w < end; ++w)
                for (std::uint64_t word = here[w]; word != 0; word &= word - 1)
                    spread(static_cast<ConfigIndex>(base + w * 64 + std::countr_zero(word)));
        });
}

std::shared_ptr<const StateMarks> markDescendants(const StateGraph& graph, State from, int threads,
                                                  std::stop_token stop) {
    auto marks = std::make_shared<StateMarks>(graph);
    marks->insert(from);
    ThreadTeam team(std::max(1, threads));
    for (int step = from.step; step + 1 < graph.numLevels(); ++step)
        if (!spreadMarks(graph, *marks, step, team, stop)) return nullptr;
    marks->words(from.step)[(from.config - marks->begin(from.step)) / 64] &=
        ~(std::uint64_t{1} << ((from.config - marks->begin(from.step)) % 64));
    marks->recount();
    return marks;
}

std::shared_ptr<const StateMarks> markAncestors(const StateGraph& graph, State to, int threads,
                                                std::stop_token stop) {
    auto marks = std::make_shared<StateMarks>(graph);
    marks->insert(to);
    ThreadTeam team(std::max(1, threads));
    for (int step = to.step - 1; step >= 0; --step) {
        const std::span<const std::uint64_t> after = marks->words(step + 1);
        const std::span<std::uint64_t> here = marks->words(step);
        const ConfigIndex base = marks->begin(step);
        const ConfigIndex nextBase = marks->begin(step + 1);
        const auto leadsThere = [&](ConfigIndex config) {
            const ConfigRows rows = graph.rows(config);
            for (std::uint32_t e = 0; e < rows.numEntries; ++e) {
                const ConfigIndex bit = rows.successor[e] - nextBase;
                if ((after[bit / 64] >> (bit % 64) & 1U) != 0) return true;
            }
            return false;
        };
        if (!team.forChunks(0, std::ssize(here), 16, stop,
                            [&](std::int64_t begin, std::int64_t end, int) {
                                for (std::int64_t w = begin; w < end; ++w)
                                    for (std::uint64_t word = membersIn(graph, step, w); word != 0;
                                         word &= word - 1) {
                                        const int k = std::countr_zero(word);
                                        if (leadsThere(static_cast<ConfigIndex>(base + w * 64 + k)))
                                            here[w] |= std::uint64_t{1} << k;
                                    }
                            }))
            return nullptr;
    }
    marks->words(to.step)[(to.config - marks->begin(to.step)) / 64] &=
        ~(std::uint64_t{1} << ((to.config - marks->begin(to.step)) % 64));
    marks->recount();
    return marks;
}

}  // namespace orrery
