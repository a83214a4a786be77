#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

#include "core/base/error.h"
#include "tests/support/reference_step.h"
#include "tests/support/reference_world.h"

namespace orrery::reference {
namespace {

enum class Kind { Normal, Unsteady, Magic, Bush };

struct Option {
    double probability = 1.0;
    int result = 0;
};

/// What a joint action leaves open: the numbered steps of section 1.5 fill it one after the other.
struct Plan {
    std::vector<int> ids;                  ///< [agents] after forced actions
    std::vector<int> acting;               ///< the set A
    std::map<int, Kind> kind;              ///< of each acting agent
    std::vector<std::vector<int>> blocks;  ///< conflict blocks of the normal agents
};

std::vector<int> agentsOfKind(const Plan& plan, Kind kind) {
    std::vector<int> agents;
    for (const int i : plan.acting)
        if (plan.kind.at(i) == kind) agents.push_back(i);
    return agents;
}

/// Steps 1 and 2; clears the forced actions in `state`.
Plan actingSet(const RefWorld& world, RefState& state, const std::vector<int>& profile) {
    Plan plan{.ids = profile, .acting = {}, .kind = {}, .blocks = {}};
    for (int i = 0; i < world.numAgents(); ++i) {
        AgentState& agent = state.agents[i];
        if (agent.forced >= 0) plan.ids[i] = agent.forced;
        agent.forced = -1;
        if (plan.ids[i] < 0 || plan.ids[i] >= static_cast<int>(world.actions[i].size()))
            throw Error("Agent " + std::to_string(i) + " has no action " +
                            std::to_string(plan.ids[i]) + ": choose one of its action set.",
                        Error::Kind::BadInput);
        if (!agent.terminated && !agent.paused && world.actions[i][plan.ids[i]] != Act::Still)
            plan.acting.push_back(i);
    }
    return plan;
}

Kind kindOf(const RefWorld& world, const RefStep& step, const Plan& plan, int i, bool countAll) {
    if (step.actOf(i, plan.ids[i]) != Act::Forward) return Kind::Normal;
    if (step.facesMagicWall(i, countAll)) return Kind::Magic;
    if (step.facesBush(i) && !step.isRobotLike(i) && world.parameters.bushEntry < 1.0)
        return Kind::Bush;
    if (world.groundAt(step.now().agents[i].at) == Ground::Unsteady) return Kind::Unsteady;
    return Kind::Normal;
}

/// Step 3: few acting agents and none of them stochastic.
bool isFastPath(const RefWorld& world, const RefStep& step, const Plan& plan) {
    int numNonTurning = 0;
    for (const int i : plan.acting) {
        if (kindOf(world, step, plan, i, world.parameters.fixMagicAll) != Kind::Normal)
            return false;
        const Act act = step.actOf(i, plan.ids[i]);
        if (act != Act::Left && act != Act::Right) ++numNonTurning;
    }
    return plan.acting.size() <= 1 || numNonTurning < 2;
}

using Resource = std::tuple<Act, Cell>;

/// What a normal agent competes for, if anything.
std::optional<Resource> resourceOf(const RefStep& step, const Plan& plan, int i) {
    const Cell front = step.frontOf(i);
    switch (step.actOf(i, plan.ids[i])) {
        case Act::Forward: {
            if (step.mobileAt(front) == nullptr) return Resource{Act::Forward, front};
            Cell landing;
            if (!step.landingOf(i, landing)) return std::nullopt;
            return Resource{Act::Forward, landing};
        }
        case Act::Pickup:
            if (step.itemAt(front) == nullptr) return std::nullopt;
            return Resource{Act::Pickup, front};
        case Act::Drop:
            if (!step.hasAgent(front)) return std::nullopt;
            return Resource{Act::Drop, front};
        default:
            return std::nullopt;
    }
}

bool stopsGreyAgents(const RefWorld& world, const RefStep& step, const Plan& plan, int i) {
    const Fixture* fixture = step.fixtureAt(step.frontOf(i));
    return step.actOf(i, plan.ids[i]) == Act::Toggle && world.agentColor[i] == 'y' &&
           fixture != nullptr && fixture->enabled &&
           (fixture->kind == Ground::KillButton || fixture->kind == Ground::PauseSwitch);
}

/// Step 5, second half: a toggler that may stop the grey agents shares a block with them.
void mergeBlocks(const RefWorld& world, const RefStep& step, Plan& plan) {
    std::map<int, std::size_t> blockOf;
    std::vector<std::size_t> group(plan.blocks.size());
    for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
        group[b] = b;
        for (const int i : plan.blocks[b]) blockOf[i] = b;
    }
    const auto unite = [&](std::size_t a, std::size_t b) {
        const std::size_t keep = std::min(group[a], group[b]);
        const std::size_t gone = std::max(group[a], group[b]);
        std::replace(group.begin(), group.end(), gone, keep);
    };
    for (const auto& [i, block] : blockOf)
        if (stopsGreyAgents(world, step, plan, i))
            for (const auto& [j, other] : blockOf)
                if (j != i && world.agentColor[j] == 'e') unite(block, other);

    std::vector<std::vector<int>> merged(plan.blocks.size());
    for (std::size_t b = 0; b < plan.blocks.size(); ++b)
        merged[group[b]].insert(merged[group[b]].end(), plan.blocks[b].begin(),
                                plan.blocks[b].end());
    std::erase_if(merged, [](const std::vector<int>& block) { return block.empty(); });
    plan.blocks = merged;
}

/// Step 5.
void findBlocks(const RefWorld& world, const RefStep& step, Plan& plan) {
    std::map<Resource, std::size_t> blockOfResource;
    for (const int i : agentsOfKind(plan, Kind::Normal)) {
        const std::optional<Resource> resource = resourceOf(step, plan, i);
        if (resource && blockOfResource.contains(*resource)) {
            plan.blocks[blockOfResource[*resource]].push_back(i);
            continue;
        }
        if (resource) blockOfResource[*resource] = plan.blocks.size();
        plan.blocks.push_back({i});
    }
    mergeBlocks(world, step, plan);
}

std::vector<Option> optionsOf(const RefParameters& p, Kind kind) {
    switch (kind) {
        case Kind::Unsteady:
            if (p.stumble == 0.0) return {{1.0, 0}};
            return {{1.0 - p.stumble, 0}, {p.stumble / 2, -1}, {p.stumble / 2, 1}};
        case Kind::Magic:
            return {{p.magicEntry, 0},
                    {(1.0 - p.magicEntry) * (1.0 - p.magicSolidify), 1},
                    {(1.0 - p.magicEntry) * p.magicSolidify, 2}};
        case Kind::Bush:
            return {{p.bushEntry, 0}, {1.0 - p.bushEntry, 1}};
        case Kind::Normal:
            break;
    }
    return {{1.0, 0}};
}

/// Everything left to chance in one step, each with its options; the blocks first.
struct Chances {
    std::vector<std::vector<Option>> options;
    std::vector<int> unsteady, magic, bush;
};

Chances chancesOf(const RefWorld& world, const Plan& plan) {
    Chances chances;
    for (const std::vector<int>& block : plan.blocks) {
        std::vector<Option> winners;
        winners.reserve(block.size());
        for (const int i : block) winners.push_back({1.0 / static_cast<double>(block.size()), i});
        chances.options.push_back(winners);
    }
    chances.unsteady = agentsOfKind(plan, Kind::Unsteady);
    chances.magic = agentsOfKind(plan, Kind::Magic);
    chances.bush = agentsOfKind(plan, Kind::Bush);
    const auto add = [&](std::size_t n, Kind kind) {
        chances.options.insert(chances.options.end(), n, optionsOf(world.parameters, kind));
    };
    add(chances.unsteady.size(), Kind::Unsteady);
    add(chances.magic.size(), Kind::Magic);
    add(chances.bush.size(), Kind::Bush);
    return chances;
}

/// Step 7, one element of the product: `results` has one entry for each of chances.options.
RefState executeChoice(const RefWorld& world, const RefState& before, const Plan& plan,
                       const Chances& chances, const std::vector<int>& results) {
    RefStep step(world, before);
    auto result = results.begin();
    std::set<int> winners;
    for (std::size_t b = 0; b < plan.blocks.size(); ++b, ++result) {
        step.execute(*result, plan.ids[*result]);
        winners.insert(*result);
    }
    for (const int i : agentsOfKind(plan, Kind::Normal))
        if (!winners.contains(i)) step.execute(i, plan.ids[i]);
    const auto end = result + static_cast<std::ptrdiff_t>(chances.unsteady.size());
    step.executeUnsteady(chances.unsteady, std::vector<int>(result, end));
    result = end;
    for (const int i : chances.magic) step.executeMagic(i, *result++);
    for (const int i : chances.bush) step.executeBush(i, *result++);
    return step.now();
}

Outcomes merged(const Outcomes& all) {
    Outcomes out;
    for (const auto& [probability, state] : all) {
        const auto same = std::find_if(
            out.begin(), out.end(), [&state = state](const auto& o) { return o.second == state; });
        if (same == out.end())
            out.emplace_back(probability, state);
        else
            same->first += probability;
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    return out;
}

}  // namespace

Outcomes transitions(const RefWorld& world, const RefState& state,
                     const std::vector<int>& profile) {
    assert(!world.isTerminal(state));
    RefState before = state;
    Plan plan = actingSet(world, before, profile);
    ++before.t;
    RefStep start(world, before);
    if (isFastPath(world, start, plan)) {
        for (const int i : plan.acting) start.execute(i, plan.ids[i]);
        return {{1.0, start.now()}};
    }
    bool isStochastic = false;
    for (const int i : plan.acting) {
        plan.kind[i] = kindOf(world, start, plan, i, true);
        isStochastic = isStochastic || plan.kind[i] != Kind::Normal;
    }
    findBlocks(world, start, plan);
    if (!isStochastic && std::all_of(plan.blocks.begin(), plan.blocks.end(),
                                     [](const auto& block) { return block.size() == 1; })) {
        for (const int i : plan.acting) start.execute(i, plan.ids[i]);
        return {{1.0, start.now()}};
    }

    const Chances chances = chancesOf(world, plan);
    Outcomes all;
    std::vector<std::size_t> choice(chances.options.size(), 0);
    for (bool more = true; more;) {
        double probability = 1.0;
        std::vector<int> results;
        for (std::size_t k = 0; k < choice.size(); ++k) {
            probability *= chances.options[k][choice[k]].probability;
            results.push_back(chances.options[k][choice[k]].result);
        }
        all.emplace_back(probability, executeChoice(world, before, plan, chances, results));
        std::size_t k = choice.size();
        while (k > 0 && ++choice[k - 1] == chances.options[k - 1].size()) choice[--k] = 0;
        more = k > 0;
    }
    return merged(all);
}

}  // namespace orrery::reference
