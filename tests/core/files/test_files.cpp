#include "test_files.h"

#include <algorithm>
#include <filesystem>

#include "core/base/file_descriptor.h"
#include "core/bush/bush_spec.h"
#include "core/grid/grid_spec.h"
#include "tests/support/places.h"

namespace {

template <class Value>
void compare(std::string& out, const char* name, const Value& a, const Value& b) {
    if (!(a == b)) out += (out.empty() ? "" : " ") + std::string(name);
}

void compareOwnGoals(std::string& out, const std::vector<orrery::HumanGoals>& a,
                     const std::vector<orrery::HumanGoals>& b) {
    const bool equal =
        std::ranges::equal(a, b, [](const orrery::HumanGoals& x, const orrery::HumanGoals& y) {
            return x.agent == y.agent && x.goals == y.goals && x.weights == y.weights;
        });
    compare(out, "ownGoals", equal, true);
}

void compareMetadata(std::string& out, const orrery::WorldMetadata& a,
                     const orrery::WorldMetadata& b) {
    compare(out, "name", a.name, b.name);
    compare(out, "description", a.description, b.description);
    compare(out, "author", a.author, b.author);
    compare(out, "version", a.version, b.version);
    compare(out, "created", a.created, b.created);
    compare(out, "category", a.category, b.category);
    compare(out, "tags", a.tags, b.tags);
}

template <class Spec>
void compareShared(std::string& out, const Spec& a, const Spec& b) {
    compare(out, "map", a.map, b.map);
    compare(out, "maxSteps", a.maxSteps, b.maxSteps);
    compare(out, "possibleGoals", a.possibleGoals, b.possibleGoals);
    compare(out, "goalWeights", a.goalWeights, b.goalWeights);
    compareOwnGoals(out, a.ownGoals, b.ownGoals);
    compareMetadata(out, a.metadata, b.metadata);
}

void compareGrid(std::string& out, const orrery::GridWorldSpec& a, const orrery::GridWorldSpec& b) {
    compare(out, "actionSet", a.actionSet, b.actionSet);
    compare(out, "agentActionSets", a.agentActionSets, b.agentActionSets);
    compare(out, "orientations", a.orientations, b.orientations);
    compare(out, "canPushRocks", a.canPushRocks, b.canPushRocks);
    compare(out, "canEnterMagicWalls", a.canEnterMagicWalls, b.canEnterMagicWalls);
    compare(out, "humanAgents", a.humanAgents, b.humanAgents);
    compare(out, "robotAgents", a.robotAgents, b.robotAgents);
    compare(out, "stumbleProbability", a.stumbleProbability, b.stumbleProbability);
    compare(out, "magicEntryProbability", a.magicEntryProbability, b.magicEntryProbability);
    compare(out, "solidifyProbability", a.solidifyProbability, b.solidifyProbability);
    compare(out, "enterBushSuccessProbability", a.enterBushSuccessProbability,
            b.enterBushSuccessProbability);
    compare(out, "durationPerNonzeroAction", a.durationPerNonzeroAction,
            b.durationPerNonzeroAction);
    compare(out, "fixMagicAll", a.fixMagicAll, b.fixMagicAll);
    compare(out, "seed", a.seed, b.seed);
    compare(out, "partialObs", a.partialObs, b.partialObs);
    compare(out, "agentViewSize", a.agentViewSize, b.agentViewSize);
    compare(out, "seeThroughWalls", a.seeThroughWalls, b.seeThroughWalls);
}

}  // namespace

std::string dataPath(const std::string& name) {
    return orrery::sourcePath("tests/data/worlds/") + name;
}

std::vector<std::string> worldsIn(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    std::ranges::sort(files);
    return files;
}

std::string contentOf(const std::string& path) {
    return orrery::readFile(path, 400u << 20);
}

std::string linesOf(const orrery::WorldFile& file) {
    std::string lines;
    for (const orrery::Diagnostic& diagnostic : file.diagnostics)
        lines += diagnosticLine(diagnostic) + "\n";
    return lines;
}

std::string differences(const orrery::WorldSpec& a, const orrery::WorldSpec& b) {
    if (&a.family() != &b.family()) return "family";
    std::string out;
    if (const auto* grid = a.as<orrery::GridWorldSpec>()) {
        const auto& other = *b.as<orrery::GridWorldSpec>();
        compareShared(out, *grid, other);
        compareGrid(out, *grid, other);
    } else {
        const auto& bush = *a.as<orrery::BushWorldSpec>();
        const auto& other = *b.as<orrery::BushWorldSpec>();
        compareShared(out, bush, other);
        compare(out, "capacity", bush.capacity, other.capacity);
        compare(out, "fillDensity", bush.fillDensity, other.fillDensity);
    }
    return out;
}
