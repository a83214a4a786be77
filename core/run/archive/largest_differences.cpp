#include "core/run/archive/largest_differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "core/base/error.h"

namespace orrery {

namespace {

constexpr std::int64_t kRankedBetweenChecks = 1024;

bool isBefore(const StateDifference& x, const StateDifference& y) {
    const auto key = [](const StateDifference& d) {
        return std::tuple(-std::abs(d.difference()), d.state.step, d.state.config);
    };
    return key(x) < key(y);
}

void requireSameStates(const Solution& a, const Solution& b) {
    if (a.world().contentHash() != b.world().contentHash())
        throw Error("The runs solved different worlds. Choose two runs of the same world.",
                    Error::Kind::BadInput);
    if (a.graph().isFolded() != b.graph().isFolded())
        throw Error(
            "One run's graph is folded and the other's is not, so their states differ. "
            "Solve both with the same setting of `unrolled`.",
            Error::Kind::BadInput);
}

}  // namespace

std::optional<LargestDifferences> largestDifferences(const Solution& a, const Solution& b,
                                                     const ValueOf& quantity, std::size_t count,
                                                     std::stop_token stop) {
    requireSameStates(a, b);
    const StateGraph& graph = a.graph();
    const bool isComputed = quantity.kind == ValueKind::X_h || quantity.kind == ValueKind::U_r;
    const auto read = [&](const Solution& solution, State state) {  // as the solution shows it
        return isComputed ? valueOf(solution, state, quantity).value_or(0)
                          : storedValueOf(solution, state, quantity);
    };
    LargestDifferences result;
    std::vector<StateDifference>& rows = result.rows;  // a heap: the smallest of the largest first
    for (int step = 0; step < graph.numLevels(); ++step)
        for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
            if (!graph.inLevel(step, c)) continue;
            if (++result.states % kRankedBetweenChecks == 0 && stop.stop_requested())
                return std::nullopt;
            const State state{step, c};
            const StateDifference row{state, read(a, state), read(b, state)};
            if (std::bit_cast<std::uint64_t>(row.a) == std::bit_cast<std::uint64_t>(row.b))
                continue;
            ++result.unequal;
            if (rows.size() == count && !isBefore(row, rows.front())) continue;
            rows.push_back(row);
            std::ranges::push_heap(rows, isBefore);
            if (rows.size() <= count) continue;
            std::ranges::pop_heap(rows, isBefore);
            rows.pop_back();
        }
    std::ranges::sort(rows, isBefore);
    return result;
}

}  // namespace orrery
