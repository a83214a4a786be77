#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/solve/solution.h"
#include "core/solve/spec.h"

namespace orrery::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// True if both are within the tolerance of exact values: 1e-10 of the larger, or 1e-14.
bool isClose(double a, double b);

/// What differs between two values of one state, a line each; both with the shapes of StateValues.
std::vector<std::string> differences(const StateValues& ours, const StateValues& expected);

/// What differs between two solutions of one graph: every stored value must be bit-equal, and, for
/// some states, every recomputed one.
std::vector<std::string> bitDifferences(const Solution& a, const Solution& b);

/// A spec with parameters drawn from all their ranges, finite ones.
SolveSpec randomSpec(Rng& rng);

/// Adds rules on what the humans of the world believe and habits with nu > 0.
void addRandomRules(const World& world, SolveSpec& spec, Rng& rng);

/// The same parameters solved by another number of threads.
SolveSpec withThreads(SolveSpec spec, int threads);

/// Random parameters that suit every sample world: a floor keeps X_h above 0.
SolveSpec sampleSpec(std::uint64_t seed);

/// A random table with 2 humans of 5 goals each and a robot, 2 actions each.
std::shared_ptr<const World> tableWorld(int configs, int maxSteps);

/// Numbers >= 0 that sum to 1.
std::vector<double> randomDistribution(std::size_t size, Rng& rng);

}  // namespace orrery::test

/// Fails the running test with the lines of a list of mismatches.
#define VERIFY_NONE(mismatches)                                             \
    do {                                                                    \
        const std::vector<std::string> lines = mismatches;                  \
        for (const std::string& line : lines) qWarning("%s", line.c_str()); \
        QVERIFY(lines.empty());                                             \
    } while (false)
