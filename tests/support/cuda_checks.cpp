#include "tests/support/cuda_checks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/rng.h"
#include "core/encode/compact_state.h"

namespace {

constexpr double kTolerance = 1e-6;
constexpr std::size_t kMostMismatches = 5;

using orrery::PlaneLayout;
using orrery::Rng;

std::vector<float> plainDecompress(std::span<const std::int32_t> cells, std::int64_t cellsPerState,
                                   PlaneLayout layout) {
    const auto perState = static_cast<std::size_t>(cellsPerState);
    const std::size_t planes = static_cast<std::size_t>(orrery::numPlanes(layout)) * perState;
    const std::size_t states = perState == 0 ? 0 : cells.size() / perState;
    std::vector<float> out(states * planes);
    for (std::size_t s = 0; s < states; ++s)
        orrery::decompress(cells.subspan(s * perState, perState), layout,
                           std::span(out).subspan(s * planes, planes));
    return out;
}

/// The sums, and beside each the sum of the absolute values: what an error is compared with.
std::pair<std::vector<double>, std::vector<double>> plainSums(const SegmentProblem& problem) {
    const std::size_t segments = problem.begin.size() - 1;
    std::vector<double> sums(segments), sizes(segments);
    for (std::size_t s = 0; s < segments; ++s)
        for (auto e = static_cast<std::size_t>(problem.begin[s]);
             e < static_cast<std::size_t>(problem.begin[s + 1]); ++e) {
            const std::size_t at =
                problem.valueIndex.empty() ? e : static_cast<std::size_t>(problem.valueIndex[e]);
            const double weight = problem.weight.empty() ? 1.0 : problem.weight[e];
            sums[s] += weight * problem.value[at];
            sizes[s] += std::abs(weight * problem.value[at]);
        }
    return {sums, sizes};
}

void note(CudaCheck& check, std::size_t at, double got, double expected) {
    if (check.mismatches.size() < kMostMismatches)
        check.mismatches.push_back("at " + std::to_string(at) + ": " + std::to_string(got) +
                                   ", not " + std::to_string(expected));
}

bool sameSize(CudaCheck& check, std::size_t got, std::size_t expected) {
    if (got != expected)
        check.mismatches.push_back(std::to_string(got) + " numbers, not " +
                                   std::to_string(expected));
    return got == expected;
}

std::vector<std::int32_t> randomCells(Rng& rng, std::size_t count) {
    std::vector<std::int32_t> cells(count);
    for (std::int32_t& cell : cells)
        cell = static_cast<std::int32_t>(static_cast<std::uint32_t>(rng.next()));
    return cells;
}

/// Cells as worlds have them: mostly empty.
std::vector<std::int32_t> plainCells(Rng& rng, std::size_t count) {
    std::vector<std::int32_t> cells(count);
    for (std::int32_t& cell : cells) {
        orrery::CellBits bits;
        if (rng.below(3) == 0) bits.type = static_cast<int>(rng.below(15));
        if (rng.below(20) == 0) bits.agent = static_cast<int>(rng.below(7));
        if (rng.below(30) == 0) bits.thing = static_cast<int>(rng.below(8));
        cell = bits.packed();
    }
    return cells;
}

struct DecompressCase {
    const char* name;
    std::size_t states;
    std::int64_t cellsPerState;
    bool isRandom;
};

constexpr DecompressCase kDecompressCases[] = {
    {"no state", 0, 49, true},
    {"one cell", 1, 1, true},
    {"one state of 7 x 7", 1, 49, false},
    {"1024 states of 7 x 7", 1024, 49, false},
    {"1024 states of 7 x 7, all bits", 1024, 49, true},
    {"333 states of 13 x 9, all bits", 333, 117, true},
    {"3 states of 200 x 200, all bits", 3, 40'000, true},
};

CudaCheck checkDecompress(const CudaBackend& backend, const DecompressCase& c, PlaneLayout layout) {
    CudaCheck check{"decompress " + std::string(c.name) +
                        (layout == PlaneLayout::Seed ? ", 39 planes" : ", 40 planes"),
                    {}};
    Rng rng(11, c.states);
    const std::size_t count = c.states * static_cast<std::size_t>(c.cellsPerState);
    const std::vector<std::int32_t> cells =
        c.isRandom ? randomCells(rng, count) : plainCells(rng, count);
    const std::vector<float> expected = plainDecompress(cells, c.cellsPerState, layout);
    const std::vector<float> got = backend.decompress(cells, c.cellsPerState, layout);
    if (!sameSize(check, got.size(), expected.size())) return check;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(std::abs(got[i] - expected[i]) <= kTolerance)) note(check, i, got[i], expected[i]);
    return check;
}

struct SumCase {
    const char* name;
    std::size_t segments;
    std::uint64_t longest;  ///< entries of a segment are 0 to this
    bool hasWeights, hasIndex;
};

constexpr SumCase kSumCases[] = {
    {"no segment", 0, 0, true, true},
    {"one empty segment", 1, 0, true, true},
    {"one long segment", 1, 1'000'000, true, true},
    {"1000 segments to 3 entries", 1000, 3, true, true},
    {"1000 segments to 100 entries", 1000, 100, true, true},
    {"1000 segments without weights", 1000, 100, false, true},
    {"1000 segments without an index", 1000, 100, true, false},
    {"10^6 segments to 4 entries, plain", 1'000'000, 4, false, false},
};

SegmentProblem makeProblem(Rng& rng, const SumCase& c) {
    SegmentProblem problem;
    problem.begin.push_back(0);
    for (std::size_t s = 0; s < c.segments; ++s) {
        const std::uint64_t entries = c.segments == 1 ? c.longest : rng.below(c.longest + 1);
        problem.begin.push_back(problem.begin.back() + static_cast<std::int64_t>(entries));
    }
    const auto entries = static_cast<std::size_t>(problem.begin.back());
    const std::size_t values = c.hasIndex ? entries / 3 + 1 : entries;
    const auto fill = [&rng](std::vector<float>& numbers, std::size_t count) {
        numbers.resize(count);
        for (float& number : numbers) number = static_cast<float>(2 * rng.uniform() - 1);
    };
    fill(problem.value, values);
    if (c.hasWeights) fill(problem.weight, entries);
    if (c.hasIndex) {
        problem.valueIndex.resize(entries);
        for (std::int64_t& at : problem.valueIndex)
            at = static_cast<std::int64_t>(rng.below(values));
    }
    return problem;
}

CudaCheck checkSums(const CudaBackend& backend, const SumCase& c) {
    CudaCheck check{"sums of " + std::string(c.name), {}};
    Rng rng(12, c.segments);
    const SegmentProblem problem = makeProblem(rng, c);
    const auto [sums, sizes] = plainSums(problem);
    const std::vector<float> got = backend.segmentSums(problem);
    if (!sameSize(check, got.size(), sums.size())) return check;
    for (std::size_t s = 0; s < got.size(); ++s)
        if (!(std::abs(got[s] - sums[s]) <= kTolerance * std::max(sizes[s], 1.0)))
            note(check, s, got[s], sums[s]);
    const std::vector<float> again = backend.segmentSums(problem);
    if (again != got) check.mismatches.emplace_back("a second run gave other bits");
    return check;
}

}  // namespace

std::vector<CudaCheck> runCudaChecks(const CudaBackend& backend) {
    std::vector<CudaCheck> checks;
    for (const DecompressCase& c : kDecompressCases)
        for (const PlaneLayout layout : {PlaneLayout::Whole, PlaneLayout::Seed})
            checks.push_back(checkDecompress(backend, c, layout));
    for (const SumCase& c : kSumCases) checks.push_back(checkSums(backend, c));
    return checks;
}
