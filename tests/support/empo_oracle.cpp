#include "tests/support/empo_oracle.h"

#include <fstream>
#include <limits>

#include "core/base/error.h"

namespace orrery::reference {

const std::vector<std::string>& empoOracleNames() {
    static const std::vector<std::string> kNames = {
        "p01_rock",  "p02_two_humans", "p03_blocks",  "p04_unsteady",
        "p05_magic", "p06_kill_pause", "p07_control", "p08_key_door",
        "p09_bush",  "p10_lava_goal",  "p11_minimal", "p12_open_space"};
    return kNames;
}

EmpoOracle readEmpoOracle(const std::string& folder, const std::string& name) {
    std::ifstream file(folder + "/" + name + ".json");
    if (!file) throw Error("Cannot open " + folder + "/" + name + ".json.", Error::Kind::Resource);
    EmpoOracle oracle;
    oracle.name = name;
    oracle.json = nlohmann::json::parse(file);
    if (oracle.json.at("schema") != "empo-oracle/1")
        throw Error(name + ".json is not of the schema empo-oracle/1.", Error::Kind::BadInput);
    const nlohmann::json& world = oracle.json.at("world");
    oracle.map = world.at("map").get<std::vector<std::string>>();
    RefParameters& p = oracle.parameters;
    p.maxSteps = world.at("max_steps");
    p.actions = {actionSetNamed(world.at("actions"))};
    p.orientations = world.at("orientations").get<std::vector<int>>();
    p.pushRockColors = world.at("can_push_rocks_colors");
    p.canEnterMagicWalls = world.at("can_enter_magic_walls").get<std::vector<bool>>();
    p.stumble = world.at("stumble_probability");
    p.magicEntry = world.at("magic_entry_probability");
    p.magicSolidify = world.at("magic_solidify_probability");
    p.bushEntry = world.at("enter_bush_success_prob");
    return oracle;
}

RefProblem EmpoOracle::problem(const RefWorld& world, const nlohmann::json& setting) const {
    const nlohmann::json& p = setting.at("params");
    const auto number = [&](const char* key) {
        return p.at(key).is_string() ? std::numeric_limits<double>::infinity()
                                     : p.at(key).get<double>();
    };
    RefProblem problem;
    problem.humans = json.at("world").at("human_agents").get<std::vector<int>>();
    problem.robots = json.at("world").at("robot_agents").get<std::vector<int>>();
    RefHumanGoals goals;
    goals.weights = json.at("goals").at("weights").get<std::vector<double>>();
    for (const nlohmann::json& spec : json.at("goals").at("specs")) {
        const auto c = spec.get<std::vector<int>>();
        goals.goals.push_back({c[0], c[1], c[c.size() - 2], c[c.size() - 1]});
    }
    problem.humanGoals.assign(problem.humans.size(), goals);
    problem.beta_h = number("beta_h");
    problem.beta_r = number("beta_r");
    problem.gamma_h = number("gamma_h");
    problem.gamma_r = number("gamma_r");
    problem.zeta = number("zeta");
    problem.xi = number("xi");
    problem.eta = number("eta");
    problem.optimistic = p.at("optimistic");
    problem.terminalV_r = setting.at("terminal_V_r");
    const nlohmann::json& believed = setting.at("believed_others");
    if (!believed.is_null()) {
        std::vector<std::vector<double>> distribution(world.numAgents());
        for (const int human : problem.humans)
            distribution[human] = believed.get<std::vector<double>>();
        problem.beliefs = independentBeliefs(world, distribution);
    }
    const nlohmann::json& c = json.at("world").at("duration_per_nonzero_action");
    if (!c.is_null()) problem.durationPerNonzeroAction = c;
    return problem;
}

}  // namespace orrery::reference
