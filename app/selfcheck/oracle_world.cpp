#include "app/selfcheck/oracle_world.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {
namespace {

constexpr int kMaxSteps = 1'000'000;

ActionSet actionSetOf(const OracleNode& node) {
    const std::string name = node.text();
    for (const ActionSet set :
         {ActionSet::Small, ActionSet::Object, ActionSet::All, ActionSet::Mine, ActionSet::Minimal})
        if (name == actionSetName(set)) return set;
    throw badInput(node.path() + ": no action set is called \"" + name + "\"");
}

Goal goalOf(const OracleNode& node) {
    const std::vector<int> c = node.integers();
    if (c.size() == 2) return {.x1 = c[0], .y1 = c[1], .x2 = c[0], .y2 = c[1]};
    if (c.size() != 4) throw badInput(node.path() + ": a goal has 2 or 4 coordinates");
    return {.x1 = std::min(c[0], c[2]),
            .y1 = std::min(c[1], c[3]),
            .x2 = std::max(c[0], c[2]),
            .y2 = std::max(c[1], c[3]),
            .isRectangle = true};
}

/// Indices of the agents of one colour.
std::vector<int> agentsOfColor(const std::vector<std::string>& colors, const char* color) {
    std::vector<int> agents;
    for (int i = 0; i < static_cast<int>(colors.size()); ++i)
        if (colors[i] == color) agents.push_back(i);
    return agents;
}

std::string spaced(const std::vector<std::string>& words) {
    return joined(words, " ");
}

std::string spaced(const std::vector<int>& numbers) {
    std::vector<std::string> words;
    words.reserve(numbers.size());
    for (const int number : numbers) words.push_back(std::to_string(number));
    return spaced(words);
}

GridWorldSpec specOf(const OracleNode& world, const OracleNode& goals) {
    GridWorldSpec spec;
    for (std::string row : world.at("map").texts()) {
        std::erase(row, ' ');
        spec.map.push_back(std::move(row));
    }
    spec.maxSteps = world.at("max_steps").integer();
    if (spec.maxSteps > kMaxSteps) throw badInput("world.max_steps: more than 1000000");
    spec.actionSet = actionSetOf(world.at("actions"));
    spec.orientations = world.at("orientations").integers();
    spec.canPushRocks = world.at("can_push_rocks_colors").text();
    const OracleNode magic = world.at("can_enter_magic_walls");
    for (std::size_t i = 0; i < magic.size(); ++i)
        spec.canEnterMagicWalls.push_back(magic.at(i).truth());
    spec.stumbleProbability = world.at("stumble_probability").number();
    spec.magicEntryProbability = world.at("magic_entry_probability").number();
    spec.solidifyProbability = world.at("magic_solidify_probability").number();
    spec.enterBushSuccessProbability = world.at("enter_bush_success_prob").number();
    if (const OracleNode c = world.at("duration_per_nonzero_action"); !c.isNull())
        spec.durationPerNonzeroAction = c.number();

    // Roles that follow from the colours are left to the world and compared afterwards.
    const std::vector<std::string> colors = world.at("agent_colors").texts();
    const std::vector<int> humans = world.at("human_agents").integers();
    const std::vector<int> robots = world.at("robot_agents").integers();
    if (humans != agentsOfColor(colors, "yellow")) spec.humanAgents = humans;
    if (robots != agentsOfColor(colors, "grey")) spec.robotAgents = robots;

    const OracleNode list = goals.at("specs");
    for (std::size_t i = 0; i < list.size(); ++i) spec.possibleGoals.push_back(goalOf(list.at(i)));
    spec.goalWeights = goals.at("weights").numbers();
    if (spec.goalWeights.size() != spec.possibleGoals.size())
        throw badInput("goals.weights: one weight for each of the " +
                       std::to_string(spec.possibleGoals.size()) + " goals is needed, found " +
                       std::to_string(spec.goalWeights.size()));
    return spec;
}

void compareWorld(const OracleNode& node, const GridWorld& world, Tally& tally) {
    tally.number("world.width", node.at("width").number(), world.width(), {});
    tally.number("world.height", node.at("height").number(), world.height(), {});
    std::vector<std::string> colors;
    for (const AgentInfo& agent : world.agents()) {
        colors.emplace_back(colorName(agent.color));
        tally.text("world.action_names (" + agent.name + ")",
                   spaced(node.at("action_names").texts()), spaced(agent.actions));
    }
    tally.text("world.agent_colors", spaced(node.at("agent_colors").texts()), spaced(colors));
    tally.text("world.human_agents", spaced(node.at("human_agents").integers()),
               spaced(world.humans()));
    tally.text("world.robot_agents", spaced(node.at("robot_agents").integers()),
               spaced(world.robots()));
    const GridState start = world.unpack(world.initialConfiguration());
    const std::vector<int> orientations = node.at("orientations").integers();
    std::vector<int> directions;
    for (const GridState::Agent& agent : start.agents) directions.push_back(agent.direction);
    tally.text("world.orientations", spaced(orientations), spaced(directions));
    tally.number("world.max_steps", node.at("max_steps").number(), world.maxSteps(), {});
}

}  // namespace

std::shared_ptr<const GridWorld> readOracleWorld(const OracleNode& document, Tally& tally) {
    const OracleNode node = document.at("world");
    const OracleNode goals = document.at("goals");
    const OracleKeys worldKeys{
        .required = {"map", "width", "height", "max_steps", "actions", "action_names",
                     "orientations", "agent_colors", "can_enter_magic_walls", "stumble_probability",
                     "magic_entry_probability", "magic_solidify_probability",
                     "enter_bush_success_prob"},
        .nullable = {"human_agents", "robot_agents", "can_push_rocks_colors",
                     "duration_per_nonzero_action"},
        .optional = {}};
    const bool worldComplete = checkKeys(node, worldKeys, tally);
    const bool goalsComplete =
        checkKeys(goals, {.required = {"specs", "weights"}, .nullable = {}, .optional = {}}, tally);
    if (!worldComplete || !goalsComplete) return nullptr;
    auto world = std::make_shared<const GridWorld>(specOf(node, goals));
    compareWorld(node, *world, tally);
    return world;
}

SolveSpec readOracleSetting(const OracleNode& setting, const World& world) {
    const OracleNode params = setting.at("params");
    SolveSpec spec;
    spec.beta_h = params.at("beta_h").number();
    spec.gamma_h = params.at("gamma_h").number();
    spec.beta_r = params.at("beta_r").number();
    spec.gamma_r = params.at("gamma_r").number();
    spec.zeta = params.at("zeta").number();
    spec.xi = params.at("xi").number();
    spec.eta = params.at("eta").number();
    spec.optimistic = params.at("optimistic").truth();
    spec.terminal_v_r = setting.at("terminal_V_r").number();
    const OracleNode believed = setting.at("believed_others");
    if (believed.isNull()) return spec;
    const std::vector<double> distribution = believed.numbers();
    const std::vector<int> humans = world.humans();
    for (const int human : humans) {
        BelievedOthersRule rule;
        rule.human = world.agents()[human].name;
        for (const int other : humans)
            if (other != human) rule.agents.push_back({world.agents()[other].name, distribution});
        if (!rule.agents.empty()) spec.believedOthers.push_back(std::move(rule));
    }
    return spec;
}

}  // namespace orrery
