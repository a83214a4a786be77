#include "widgets/dag/level_density.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/thread_team.h"
#include "core/solve/solution.h"

namespace orrery {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kChunk = 16384;  ///< configurations

/// Values are kept as floats, and an axis must be able to end at each.
constexpr double kMostDrawn = std::numeric_limits<float>::max();

struct Extremes {
    double min = kInfinity, max = -kInfinity, sum = 0;
    double low = kInfinity, high = -kInfinity;  ///< of those that can be drawn
    std::int64_t count = 0;                     ///< of values
    std::int64_t drawn = 0;
    std::int64_t members = 0;

    void add(double value) {
        min = std::min(min, value);
        max = std::max(max, value);
        sum += value;
        ++count;
        if (std::abs(value) > kMostDrawn) return;
        low = std::min(low, value);
        high = std::max(high, value);
        ++drawn;
    }
    void add(const Extremes& other) {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        low = std::min(low, other.low);
        high = std::max(high, other.high);
        sum += other.sum;
        count += other.count;
        drawn += other.drawn;
        members += other.members;
    }
};

/// One pass over the values of all levels, one over the bins.
class Counter {
public:
    Counter(const Solution& solution, LevelDensity& density, ThreadTeam& team, std::stop_token stop)
        : m_graph(solution.graph()),
          m_solution(solution),
          m_density(density),
          m_team(team),
          m_stop(std::move(stop)),
          m_sample(density.levels.size()),
          m_extremes(density.levels.size()) {}

    bool run() {
        for (int step = 0; step < m_density.numLevels(); ++step)
            if (!readLevel(step)) return false;
        Extremes all;
        for (const Extremes& level : m_extremes) all.add(level);
        if (all.drawn > 0) {
            m_density.low = all.low;
            m_density.high = all.high;
        } else if (all.count > 0) {
            m_density.low = m_density.high = all.min;
        }
        m_density.numAtEdge = all.count - all.drawn;
        return m_team.forChunks(0, m_density.numLevels(), 1, m_stop,
                                [&](std::int64_t begin, std::int64_t end, int) {
                                    for (std::int64_t step = begin; step < end; ++step)
                                        fillBins(static_cast<int>(step));
                                });
    }

private:
    /// The k-th sampled configuration of a level: one out of each run of `stride`, at a place in it
    /// that changes from run to run, so that no pattern of the numbering is hit.
    ConfigIndex sampled(ConfigIndex begin, ConfigIndex end, std::int64_t k) const {
        const std::int64_t stride = m_density.stride;
        const auto jitter = static_cast<std::int64_t>(
            (static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15ULL >> 33) %
            static_cast<std::uint64_t>(stride));
        return static_cast<ConfigIndex>(
            std::min<std::int64_t>(begin + k * stride + jitter, std::int64_t{end} - 1));
    }

    bool readLevel(int step) {
        const ConfigIndex begin = m_graph.levelBegin(step);
        const ConfigIndex end = m_graph.levelEnd(step);
        const std::int64_t length = (end - begin + m_density.stride - 1) / m_density.stride;
        std::vector<float>& values = m_sample[static_cast<std::size_t>(step)];
        values.assign(static_cast<std::size_t>(length), std::numeric_limits<float>::quiet_NaN());
        std::vector<Extremes> chunks(static_cast<std::size_t>((length + kChunk - 1) / kChunk));
        const bool isSample = m_density.stride > 1;
        if (!m_team.forChunks(
                0, length, kChunk, m_stop, [&](std::int64_t from, std::int64_t to, int) {
                    Extremes& here = chunks[static_cast<std::size_t>(from / kChunk)];
                    for (std::int64_t k = from; k < to; ++k) {
                        const ConfigIndex config =
                            isSample ? sampled(begin, end, k) : static_cast<ConfigIndex>(begin + k);
                        if (!m_graph.inLevel(step, config)) continue;
                        ++here.members;
                        const double value =
                            storedValueOf(m_solution, {step, config}, *m_density.quantity);
                        if (std::isnan(value)) continue;
                        here.add(value);
                        values[static_cast<std::size_t>(k)] = static_cast<float>(value);
                    }
                }))
            return false;
        Extremes& all = m_extremes[static_cast<std::size_t>(step)];
        for (const Extremes& chunk : chunks) all.add(chunk);
        return true;
    }

    void fillBins(int step) {
        LevelDensity::Level& level = m_density.levels[static_cast<std::size_t>(step)];
        const Extremes& extremes = m_extremes[static_cast<std::size_t>(step)];
        std::vector<float>& values = m_sample[static_cast<std::size_t>(step)];
        level.count.assign(LevelDensity::kBins, 0);
        if (extremes.count > 0) {
            level.min = extremes.min;
            level.max = extremes.max;
            level.mean = extremes.sum / static_cast<double>(extremes.count);
        }
        for (const float value : values)
            if (!std::isnan(value))
                ++level
                      .count[static_cast<std::size_t>(m_density.binOf(static_cast<double>(value)))];
        const std::int64_t size = m_density.states[static_cast<std::size_t>(step)];
        if (m_density.stride == 1) {
            level.numValues = extremes.count;
            level.value = std::move(values);
        } else if (extremes.members > 0) {
            // What was found stands for the whole level.
            const double scale = static_cast<double>(size) / static_cast<double>(extremes.members);
            level.numValues = std::llround(static_cast<double>(extremes.count) * scale);
            for (std::uint32_t& count : level.count)
                count = static_cast<std::uint32_t>(std::ceil(count * scale));
        }
        values.clear();
        values.shrink_to_fit();
    }

    const StateGraph& m_graph;
    const Solution& m_solution;
    LevelDensity& m_density;
    ThreadTeam& m_team;
    std::stop_token m_stop;
    std::vector<std::vector<float>> m_sample;  ///< [L]
    std::vector<Extremes> m_extremes;          ///< [L]
};

}  // namespace

std::int64_t LevelDensity::total() const {
    return std::accumulate(states.begin(), states.end(), std::int64_t{0});
}

std::int64_t LevelDensity::bytes() const {
    std::int64_t total = 0;
    for (const Level& level : levels)
        total += static_cast<std::int64_t>(level.count.size() * sizeof(std::uint32_t) +
                                           level.value.size() * sizeof(float));
    return total;
}

int LevelDensity::binOf(double value) const {
    if (!(high > low)) return 0;
    const double place = (value - low) / (high - low) * kBins;
    return static_cast<int>(std::clamp(place, 0.0, kBins - 1.0));
}

std::optional<ConfigIndex> LevelDensity::nearest(const StateGraph& graph, int step,
                                                 double value) const {
    const std::vector<float>& values = levels[static_cast<std::size_t>(step)].value;
    std::optional<std::size_t> best;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < values.size(); ++k) {
        const float distance = std::abs(values[k] - static_cast<float>(value));
        if (distance < least) {  // false for NaN
            least = distance;
            best = k;
        }
    }
    if (!best) return std::nullopt;
    return static_cast<ConfigIndex>(graph.levelBegin(step) + *best);
}

std::optional<ConfigIndex> LevelDensity::neighbour(const StateGraph& graph, State state,
                                                   bool isGreater) const {
    const std::vector<float>& values = levels[static_cast<std::size_t>(state.step)].value;
    const std::size_t own = state.config - graph.levelBegin(state.step);
    if (own >= values.size() || std::isnan(values[own])) return std::nullopt;
    const auto isAfter = [&](std::size_t a, std::size_t b) {  // a after b in the chosen direction
        if (values[a] != values[b]) return (values[a] > values[b]) == isGreater;
        return (a > b) == isGreater && a != b;
    };
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!std::isnan(values[k]) && isAfter(k, own) && (!best || isAfter(*best, k))) best = k;
    if (!best) return std::nullopt;
    return static_cast<ConfigIndex>(graph.levelBegin(state.step) + *best);
}

std::shared_ptr<const LevelDensity> levelSizes(const StateGraph& graph) {
    auto density = std::make_shared<LevelDensity>();
    for (int step = 0; step < graph.numLevels(); ++step)
        density->states.push_back(graph.levelSize(step));
    density->levels.resize(density->states.size());
    return density;
}

std::shared_ptr<const LevelDensity> computeLevelDensity(const Solution& solution,
                                                        const BandQuantity& quantity,
                                                        std::int64_t stride, int threads,
                                                        std::stop_token stop) {
    auto density = std::make_shared<LevelDensity>(*levelSizes(solution.graph()));
    density->quantity = quantity;
    density->stride = std::max<std::int64_t>(1, stride);
    if (!quantity) return density;
    ThreadTeam team(std::max(1, threads));
    if (!Counter(solution, *density, team, stop).run()) return nullptr;
    return density;
}

}  // namespace orrery
