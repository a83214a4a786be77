#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/solve/solution.h"

namespace orrery {

/// What result.json says. Null pointers: not reached.
struct SolveResult {
    std::shared_ptr<const World> world;
    std::shared_ptr<const StateGraph> graph;
    std::shared_ptr<const Solution> solution;
    SolveStatistics statistics;
    double exploreSeconds = 0;
    bool isStopped = false;
    int threads = 1;
};

/// result.json: world, sizes, timings, values and policies of the initial state, checksums.
std::string resultJson(const SolveResult& result);

/// levels.csv: one line a solved level, last step first.
std::string levelsCsv(const std::vector<SolveStatistics::Level>& levels);

}  // namespace orrery
