// Prints the table of tests/core/solve/signatures_test.cpp, without the product's exploring and
// solving:
//
//     ninja make_signatures
//     tests/make_signatures resources/worlds building_site:5
//
// takes every world of the folder in the order of their names; a NAME:STEPS cuts a world's
// max_steps. Of the product it uses the reader of world files and what World says of agents and
// goals. Grid worlds are explored and solved by the plain reference, bush worlds by PlainSolver,
// which asks World::outcomes(). Takes minutes and some GiB: one world after the other on one
// thread.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/bush/bush_spec.h"
#include "core/files/world_file.h"
#include "core/grid/grid_spec.h"
#include "core/solve/spec.h"
#include "core/world/world.h"
#include "tests/support/brute_force_solver.h"
#include "tests/support/plain_solver.h"
#include "tests/support/reference_graph.h"
#include "tests/support/reference_world.h"

using namespace orrery;

namespace {

struct Signature {
    std::int64_t states = 0;   // (step, configuration)
    std::int64_t entries = 0;  // outcomes over all states and action profiles
    int levels = 0;
    double v_r = 0;  // of the first state
};

reference::ActSet actsOf(const AgentInfo& agent) {
    using reference::Act;
    static const std::map<std::string, Act> kActs = {
        {"still", Act::Still},     {"left", Act::Left},     {"right", Act::Right},
        {"forward", Act::Forward}, {"pickup", Act::Pickup}, {"drop", Act::Drop},
        {"toggle", Act::Toggle},   {"done", Act::Done},     {"build", Act::Build}};
    reference::ActSet set;
    for (const std::string& name : agent.actions) set.push_back(kActs.at(name));
    return set;
}

reference::RefWorld referenceOf(const GridWorldSpec& spec, const World& world) {
    reference::RefParameters p;
    p.maxSteps = spec.maxSteps;
    for (const AgentInfo& agent : world.agents()) p.actions.push_back(actsOf(agent));
    p.orientations = spec.orientations;
    if (p.orientations.size() == 1) p.orientations.resize(world.agents().size(), p.orientations[0]);
    p.pushRockColors = spec.canPushRocks;
    p.canEnterMagicWalls = spec.canEnterMagicWalls;
    p.stumble = spec.stumbleProbability;
    p.magicEntry = spec.magicEntryProbability;
    p.magicSolidify = spec.solidifyProbability;
    p.bushEntry = spec.enterBushSuccessProbability;
    p.fixMagicAll = spec.fixMagicAll;
    return reference::parseWorld(spec.map, p);
}

reference::RefProblem problemOf(const GridWorldSpec& grid, const World& world) {
    const SolveSpec spec;
    reference::RefProblem problem;
    problem.humans = world.humans();
    problem.robots = world.robots();
    for (const HumanGoals& own : world.goals()) {
        reference::RefHumanGoals list{.goals = {}, .weights = own.weights};
        for (const Goal& goal : own.goals)
            list.goals.push_back({goal.x1, goal.y1, goal.x2, goal.y2});
        problem.humanGoals.push_back(list);
    }
    problem.beta_h = spec.beta_h;
    problem.beta_r = spec.beta_r;
    problem.gamma_h = spec.gamma_h;
    problem.gamma_r = spec.gamma_r;
    problem.zeta = spec.zeta;
    problem.xi = spec.xi;
    problem.eta = spec.eta;
    problem.terminalV_r = spec.terminal_v_r;
    problem.optimistic = spec.optimistic;
    problem.durationPerNonzeroAction = grid.durationPerNonzeroAction;
    return problem;
}

Signature signatureOf(const GridWorldSpec& spec, const World& world) {
    const reference::RefWorld ref = referenceOf(spec, world);
    const reference::RefProblem problem = problemOf(spec, world);
    const reference::RefGraph graph = reference::exploreAll(ref);
    const auto prior = reference::solvePhase1(ref, graph, problem);
    const auto solved = reference::solvePhase2(ref, graph, problem, prior);
    return {std::ssize(graph.states), graph.numEntries(),
            static_cast<int>(graph.statesPerStep().size()), solved.v_r.front()};
}

Signature signatureOf(const BushWorldSpec&, const World& world) {
    const SolveSpec spec;
    const PlainSolver solver(world, spec);
    Signature signature;
    for (const auto& [state, values] : solver.values()) {
        ++signature.states;
        signature.levels = std::max(signature.levels, state.first + 1);
        if (values.terminal) continue;
        for (ActionProfileIndex profile = 0; profile < world.numProfiles(); ++profile)
            signature.entries += std::ssize(world.outcomes(state.second, state.first, profile));
    }
    signature.v_r = solver.values().at({0, world.initialConfiguration()}).v_r;
    return signature;
}

/// "building_site:5" as {"building_site", 5}.
std::map<std::string, int> stepsOf(const std::vector<std::string>& arguments) {
    std::map<std::string, int> steps;
    for (const std::string& argument : arguments) {
        const auto colon = argument.find(':');
        if (colon == std::string::npos)
            throw Error("'" + argument + "' is not NAME:STEPS.", Error::Kind::BadInput);
        steps[argument.substr(0, colon)] = std::stoi(argument.substr(colon + 1));
    }
    return steps;
}

void printTable(const std::filesystem::path& folder, const std::map<std::string, int>& steps) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files) {
        const std::string name = file.stem().string();
        const int cut = steps.contains(name) ? steps.at(name) : 0;
        WorldSpec spec = requireSpec(readWorldFile(file));
        if (cut > 0) spec->maxSteps = cut;
        const auto world = makeWorld(spec);
        const auto* grid = spec.as<GridWorldSpec>();
        const Signature s = grid != nullptr ? signatureOf(*grid, *world)
                                            : signatureOf(*spec.as<BushWorldSpec>(), *world);
        std::printf("    {\"%s\", %d, %lld, %lld, %d, %.17g},\n", name.c_str(), cut,
                    static_cast<long long>(s.states), static_cast<long long>(s.entries), s.levels,
                    s.v_r);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "make_signatures FOLDER [NAME:STEPS]...\n");
        return 2;
    }
    try {
        printTable(argv[1], stepsOf({argv + 2, argv + argc}));
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
