#include "core/dag/levels.h"

#include <algorithm>
#include <atomic>

#include "core/dag/state_graph_storage.h"

namespace orrery {

namespace {

constexpr std::int64_t kConfigsPerTask = 4096;

bool hasSelfLoop(const StateGraph::Storage& s, ConfigIndex config) {
    const ConfigIndex* begin = s.successor.data() + s.rowBegin[config];
    const ConfigIndex* end = s.successor.data() + s.rowBegin[config + 1];
    return std::find(begin, end, config) != end;
}

/// The first configuration without a self-loop, or the number of expanded ones.
bool firstThatMoves(const StateGraph::Storage& s, ThreadTeam& team, const std::stop_token& stop,
                    ConfigIndex& first) {
    std::atomic<std::int64_t> least{s.numExpanded()};
    const bool whole = team.forChunks(
        0, s.numExpanded(), kConfigsPerTask, stop, [&](std::int64_t begin, std::int64_t end, int) {
            for (std::int64_t c = begin; c < end && c < least.load(std::memory_order_relaxed);
                 ++c) {
                if (hasSelfLoop(s, static_cast<ConfigIndex>(c))) continue;
                std::int64_t seen = least.load();
                while (c < seen && !least.compare_exchange_weak(seen, c)) {
                }
                return;
            }
        });
    first = static_cast<ConfigIndex>(least.load());
    return whole;
}

}  // namespace

bool findLevels(StateGraph::Storage& s, ThreadTeam& team, const std::stop_token& stop) {
    const int levels = s.numLevels();
    s.isRange.assign(levels, 1);
    s.member.assign(levels, {});
    if (!s.folded) return true;
    ConfigIndex first = 0;
    if (!firstThatMoves(s, team, stop, first)) return false;
    for (int t = 0; t + 1 < levels; ++t) {
        // While everything up to here can stay, the next level contains this one.
        if (s.isRange[t] && s.layerEnd[t] <= first) continue;
        const ConfigIndex end = s.layerEnd[t];
        std::vector<std::uint64_t>& next = s.member[t + 1];
        next.assign((std::size_t{s.layerEnd[t + 1]} + 63) / 64, 0);
        const auto isMember = [&](ConfigIndex c) {
            return s.isRange[t] || (s.member[t][c / 64] >> (c % 64) & 1U);
        };
        const bool whole = team.forChunks(
            0, end, kConfigsPerTask, stop, [&](std::int64_t from, std::int64_t to, int) {
                for (auto c = static_cast<ConfigIndex>(from); c < to; ++c) {
                    if (!isMember(c)) continue;
                    for (std::uint64_t e = s.rowBegin[c]; e < s.rowBegin[c + 1]; ++e) {
                        const ConfigIndex to2 = s.successor[e];
                        const std::uint64_t bit = std::uint64_t{1} << (to2 % 64);
                        const std::atomic_ref<std::uint64_t> word(next[to2 / 64]);
                        if ((word.load(std::memory_order_relaxed) & bit) == 0)
                            word.fetch_or(bit, std::memory_order_relaxed);
                    }
                }
            });
        if (!whole) return false;
        bool full = true;
        for (ConfigIndex c = 0; c < s.layerEnd[t + 1] && full; ++c)
            full = (next[c / 64] >> (c % 64) & 1U) != 0;
        s.isRange[t + 1] = full ? 1 : 0;
        if (full) next.clear();
    }
    return true;
}

}  // namespace orrery
