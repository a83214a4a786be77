#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/dag/block_file.h"
#include "core/solve/level_store.h"
#include "core/solve/solution.h"
#include "core/solve/solve_plan.h"

namespace orrery {

namespace {

constexpr BlockFileKind kSolutionFile{"solution", 1, "solution"};

/// What the record layout depends on; the parameters themselves stand in the run's spec.
std::string layoutHash(const StateGraph& graph, const SolveSpec& spec) {
    return sha256Hex("orrery-solution/1\n" + graph.contentHash() + "\n" +
                     std::to_string(static_cast<int>(spec.storage)) +
                     (spec.phase1Only ? " phase1" : " both"));
}

std::string levelName(int step) {
    return "level" + std::to_string(step);
}

}  // namespace

bool saveSolution(const Solution& solution, const std::filesystem::path& file, std::stop_token stop,
                  const ProgressSink& progress) {
    std::vector<Block> blocks;
    for (int t = 0; t + 1 < solution.graph().numLevels(); ++t)
        blocks.push_back({levelName(t), solution.levels().level(t)});
    return writeBlockFile(file, kSolutionFile, layoutHash(solution.graph(), solution.spec()),
                          blocks, std::move(stop), progress);
}

std::shared_ptr<const Solution> openSolution(std::shared_ptr<const StateGraph> graph,
                                             const SolveSpec& spec,
                                             const std::filesystem::path& file,
                                             std::stop_token stop, const ProgressSink& progress) {
    const std::string hash = layoutHash(*graph, spec);
    const auto mapped =
        MappedBlocks::open(file, kSolutionFile, std::span(&hash, 1), stop, progress);
    if (!mapped) return nullptr;
    const SolvePlan plan(*graph, spec);
    auto levels =
        std::make_unique<LevelStore>(*graph, spec.storage, plan.numGoals(), !spec.phase1Only);
    for (int t = 0; t + 1 < graph->numLevels(); ++t) {
        const std::span<const std::byte> bytes = mapped->block<std::byte>(levelName(t));
        if (static_cast<std::int64_t>(bytes.size()) != levels->levelBytes(*graph, t))
            throw Error("The solution file '" + file.string() + "' is damaged: level " +
                            std::to_string(t) + " has a wrong size. Delete it and solve again",
                        Error::Kind::Damaged);
        levels->adopt(t, bytes, mapped);
    }
    return std::make_shared<const Solution>(std::move(graph), spec, std::move(levels));
}

}  // namespace orrery
