#include "tests/core/collect/collect_worlds.h"

#include <algorithm>
#include <filesystem>

#include "core/bush/bush_world.h"
#include "core/collect/facts.h"
#include "core/files/world_file.h"
#include "core/grid/grid_world.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/support/places.h"

namespace orrery::test {

namespace {

bool isLearnable(const World& world) {
    const bool isEncodable = dynamic_cast<const GridWorld*>(&world) != nullptr ||
                             dynamic_cast<const BushWorld*>(&world) != nullptr;
    return isEncodable && !world.goals().empty() && !world.robots().empty() &&
           std::ranges::none_of(world.goals(),
                                [](const HumanGoals& list) { return list.goals.empty(); });
}

}  // namespace

const std::vector<LearnableWorld>& learnableWorlds() {
    static const std::vector<LearnableWorld> kWorlds = [] {
        std::vector<LearnableWorld> list;
        std::vector<std::filesystem::path> files;
        for (const auto& entry :
             std::filesystem::directory_iterator(sourcePath("resources/worlds")))
            if (entry.path().extension() == ".yaml") files.push_back(entry.path());
        std::ranges::sort(files);
        list.reserve(files.size() + sampleWorlds().size());
        for (const auto& file : files)
            list.push_back({file.stem().string(), makeWorld(requireSpec(readWorldFile(file)))});
        for (const auto& [name, world] : sampleWorlds()) list.push_back({name, world});
        std::erase_if(list, [](const LearnableWorld& item) { return !isLearnable(*item.world); });
        return list;
    }();
    return kWorlds;
}

std::shared_ptr<const World> smallRoom(int maxSteps) {
    GridWorldSpec spec;
    spec.metadata.name = "small room";
    spec.map = {"WeWeWeWeWe", "WeAy..AeWe", "We......We", "WeWeWeWeWe"};
    spec.maxSteps = maxSteps;
    for (int y = 1; y <= 2; ++y)
        for (int x = 1; x <= 3; ++x)
            spec.possibleGoals.push_back(Goal{.x1 = x, .y1 = y, .x2 = x, .y2 = y});
    return makeWorld(spec);
}

std::vector<CollectorWorld> collectorWorlds(std::vector<std::shared_ptr<const World>> worlds,
                                            double beta_h) {
    std::vector<WorldFacts> facts = factsOf(worlds);
    std::vector<CollectorWorld> list;
    for (std::size_t i = 0; i < worlds.size(); ++i)
        list.push_back({.world = worlds[i],
                        .facts = facts[i],
                        .policy = makeShortestPathPolicy(worlds[i], beta_h)});
    return list;
}

bool areEqual(const Transition& a, const Transition& b) {
    const StepModel &m = *a.model, &n = *b.model;
    return m.state == n.state && m.successors == n.successors && m.profile == n.profile &&
           m.rowBegin == n.rowBegin && m.probability == n.probability &&
           m.successor == n.successor && m.duration == n.duration && m.prior == n.prior &&
           m.endsWorld == n.endsWorld && m.fingerprint == n.fingerprint && a.layout == b.layout &&
           a.collector == b.collector && a.robotAction == b.robotAction && a.reached == b.reached &&
           a.episode == b.episode && a.step == b.step && a.endsEpisode == b.endsEpisode &&
           a.humanActions == b.humanActions && a.goals == b.goals && a.goalWeights == b.goalWeights;
}

void MadeValues::q_r(std::span<const std::byte> state, int layout, std::span<float> out) {
    const auto mixed = static_cast<float>(fingerprintOf(state).low % 3);
    for (std::size_t a = 0; a < out.size(); ++a)
        out[a] = -(1.0F + static_cast<float>(a) + mixed + static_cast<float>(layout));
}

}  // namespace orrery::test
