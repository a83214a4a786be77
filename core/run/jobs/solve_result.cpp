#include "core/run/jobs/solve_result.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace orrery {

using Json = nlohmann::ordered_json;

namespace {

/// JSON has no infinities; a number that is none becomes a word.
Json numberJson(double value) {
    return std::isfinite(value) ? Json(value) : Json(formatDouble(value));
}

Json worldJson(const World& world) {
    Json json;
    json["name"] = world.name();
    json["hash"] = world.contentHash();
    json["width"] = world.width();
    json["height"] = world.height();
    json["max_steps"] = world.maxSteps();
    json["agents"] = Json::array();
    for (const AgentInfo& agent : world.agents()) json["agents"].push_back(agent.name);
    return json;
}

Json graphJson(const StateGraph& graph, double seconds) {
    const GraphCounts counts = graph.counts();
    Json json;
    json["states"] = counts.states;
    json["action_rows"] = counts.actionRows;
    json["transition_entries"] = counts.transitionEntries;
    json["configurations"] = graph.numConfigs();
    json["levels"] = graph.numLevels();
    json["stored_entries"] = graph.numEntries();
    json["stored_bytes"] = graph.storedBytes();
    json["folded"] = graph.isFolded();
    json["seconds"] = seconds;
    return json;
}

Json humansJson(const World& world, const StateValues& values) {
    Json humans = Json::array();
    for (std::size_t h = 0; h < world.goals().size(); ++h) {
        const HumanGoals& goals = world.goals()[h];
        Json human;
        human["name"] = world.agents()[goals.agent].name;
        if (h < values.x_h.size()) human["x_h"] = numberJson(values.x_h[h]);
        human["goals"] = Json::array();
        for (std::size_t g = 0; g < goals.goals.size(); ++g) {
            Json goal;
            goal["goal"] = goalText(goals.goals[g]);
            goal["weight"] = goals.weights[g];
            if (h < values.v_h_e.size()) goal["v_h_e"] = values.v_h_e[h][g];
            if (h < values.v_h.size()) goal["v_h"] = values.v_h[h][g];
            if (h < values.pi_h.size()) goal["pi_h"] = values.pi_h[h][g];
            human["goals"].push_back(std::move(goal));
        }
        if (h < values.marginal.size()) human["pi_h"] = values.marginal[h];
        humans.push_back(std::move(human));
    }
    return humans;
}

Json rootJson(const Solution& solution) {
    const StateValues values = solution.values(State{});
    Json json;
    if (!solution.spec().phase1Only) {
        json["v_r"] = numberJson(values.v_r);
        json["u_r"] = numberJson(values.u_r);
        const std::vector<std::string> names = robotProfiles(solution.world()).names;
        json["robot"] = Json::array();
        for (std::size_t a = 0; a < values.q_r.size(); ++a)
            json["robot"].push_back({{"action", names[a]},
                                     {"q_r", numberJson(values.q_r[a])},
                                     {"pi_r", values.pi_r[a]}});
    }
    json["humans"] = humansJson(solution.world(), values);
    return json;
}

Json checksumsJson(const Solution& solution, int threads) {
    const Solution::Checksums sums = solution.checksums(threads);
    return {{"sum_v_r", numberJson(sums.sum_v_r)},
            {"min_v_r", numberJson(sums.min_v_r)},
            {"sum_v_h_e", numberJson(sums.sum_v_h_e)},
            {"sum_v_phase1", numberJson(sums.sumPhase1)}};
}

}  // namespace

std::string resultJson(const SolveResult& result) {
    Json json;
    json["format"] = 1;
    json["end"] = result.isStopped ? "stopped" : "finished";
    if (result.world) json["world"] = worldJson(*result.world);
    if (result.graph) json["graph"] = graphJson(*result.graph, result.exploreSeconds);
    json["solve"] = {{"seconds", result.statistics.seconds},
                     {"phase1_seconds", result.statistics.phase1Seconds},
                     {"phase2_seconds", result.statistics.phase2Seconds},
                     {"states", result.statistics.states},
                     {"products", result.statistics.products},
                     {"levels", result.statistics.levels.size()}};
    if (result.solution) {
        json["root"] = rootJson(*result.solution);
        json["checksums"] = checksumsJson(*result.solution, result.threads);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string levelsCsv(const std::vector<SolveStatistics::Level>& levels) {
    std::string csv = "step,states,seconds,v_r_mean,v_r_min,v_r_max\n";
    for (const SolveStatistics::Level& level : levels)
        csv += std::to_string(level.step) + "," + std::to_string(level.states) + "," +
               formatDouble(level.seconds) + "," + formatDouble(level.meanV_r) + "," +
               formatDouble(level.minV_r) + "," + formatDouble(level.maxV_r) + "\n";
    return csv;
}

}  // namespace orrery
