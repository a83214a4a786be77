#include <algorithm>
#include <map>
#include <string>

#include "app/selfcheck/selfcheck_parts.h"

namespace orrery {
namespace {

/// Sums over the unrolled graph of (step, configuration) states.
struct UnrolledSums {
    double edges = 0;  // distinct state -> state pairs
    double squaredProbabilities = 0;
};

/// How many non-terminal states each configuration is.
std::vector<int> nonTerminalSteps(const StateGraph& graph) {
    std::vector<int> steps(graph.numConfigs(), 0);
    for (int t = 0; t + 1 < graph.numLevels(); ++t)
        for (ConfigIndex c = graph.levelBegin(t); c < graph.levelEnd(t); ++c)
            if (graph.inLevel(t, c)) ++steps[c];
    return steps;
}

UnrolledSums unrolledSums(const StateGraph& graph) {
    UnrolledSums sums;
    const std::vector<int> steps = nonTerminalSteps(graph);
    const std::span<const double> palette = graph.palette();
    std::vector<ConfigIndex> successors;
    for (ConfigIndex c = 0; c < graph.numConfigs(); ++c) {
        if (steps[c] == 0) continue;
        const ConfigRows rows = graph.rows(c);
        successors.assign(rows.successor, rows.successor + rows.numEntries);
        std::ranges::sort(successors);
        const auto repeated = std::unique(successors.begin(), successors.end());
        sums.edges += static_cast<double>(repeated - successors.begin()) * steps[c];
        double squares = rows.numEntries;
        if (rows.probability != nullptr) {
            squares = 0;
            for (std::uint32_t e = 0; e < rows.numEntries; ++e) {
                const double p = palette[rows.probability[e]];
                squares += p * p;
            }
        }
        sums.squaredProbabilities += squares * steps[c];
    }
    return sums;
}

/// Successor -> probability of one row.
using Row = std::map<State, double, decltype([](const State& a, const State& b) {
                         return std::pair(a.step, a.config) < std::pair(b.step, b.config);
                     })>;

Row graphRow(const StateGraph& graph, State state, ActionProfileIndex profile) {
    Row row;
    for (const GraphOutcome& outcome : graph.outcomes(state.config, profile))
        row[{state.step + 1, outcome.successor}] += outcome.probability;
    return row;
}

/// Computed by the world, not taken from the graph.
Row worldRow(const StateGraph& graph, State state, ActionProfileIndex profile, Tally& tally,
             const std::string& where) {
    Row row;
    for (const Outcome& outcome :
         graph.world().outcomes(graph.configuration(state.config), state.step, profile)) {
        const auto config = graph.find(outcome.successor);
        if (!config)
            tally.fail(where, "the world has a successor that its graph lacks");
        else
            row[{state.step + 1, *config}] += outcome.probability;
    }
    return row;
}

void compareRow(const std::string& where, const Row& inFile, const Row& computed,
                const OracleContext& context, Tally& tally) {
    tally.number(where + ".succ (number of successors)", static_cast<double>(inFile.size()),
                 static_cast<double>(computed.size()), {});
    for (const auto& [state, probability] : inFile) {
        const auto found = computed.find(state);
        tally.number(where + ".succ, probability of " + context.states.text(state), probability,
                     found == computed.end() ? 0.0 : found->second, kValueTolerance);
    }
}

/// The file's row; nothing if it names unknown states.
std::optional<Row> fileRow(const OracleNode& succ, const OracleContext& context, Tally& tally) {
    Row row;
    bool whole = true;
    for (std::size_t i = 0; i < succ.size(); ++i) {
        const auto state = context.state(succ.at(i).at(1), tally);
        if (state)
            row[*state] += succ.at(i).at(std::size_t{0}).number();
        else
            whole = false;
    }
    return whole ? std::optional(row) : std::nullopt;
}

std::optional<ActionProfileIndex> profileOf(const OracleNode& actions, const World& world,
                                            Tally& tally) {
    const std::vector<int> chosen = actions.integers();
    bool fits = static_cast<int>(chosen.size()) == world.numAgents();
    for (int i = 0; fits && i < world.numAgents(); ++i)
        fits = chosen[i] >= 0 && chosen[i] < world.numActions(i);
    if (fits) return world.profileIndex(chosen);
    tally.fail(actions.path(), actions.compact() + " is no joint action of this world");
    return std::nullopt;
}

void checkSample(const OracleNode& sample, const OracleContext& context, Tally& tally) {
    if (!checkKeys(sample,
                   {.required = {"state", "complete", "rows"}, .nullable = {}, .optional = {}},
                   tally))
        return;
    const StateGraph& graph = *context.graph;
    const auto state = context.state(sample.at("state"), tally);
    if (!state) return;
    if (state->step >= graph.world().maxSteps()) {
        tally.fail(sample.path(), "the state is terminal, so it has no rows");
        return;
    }
    const OracleNode rows = sample.at("rows");
    std::vector<bool> seen(graph.numProfiles(), false);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const OracleNode row = rows.at(r);
        if (!checkKeys(row, {.required = {"actions", "succ"}, .nullable = {}, .optional = {}},
                       tally))
            continue;
        const auto profile = profileOf(row.at("actions"), graph.world(), tally);
        if (!profile) continue;
        if (seen[*profile]) tally.fail(row.path(), "a second row for this joint action");
        seen[*profile] = true;
        const auto inFile = fileRow(row.at("succ"), context, tally);
        if (!inFile) continue;
        compareRow(row.path(), *inFile, graphRow(graph, *state, *profile), context, tally);
        compareRow(row.path() + " (computed alone)", *inFile,
                   worldRow(graph, *state, *profile, tally, row.path()), context, tally);
    }
    tally.truth(sample.at("complete").path(), sample.at("complete").truth(),
                std::ranges::find(seen, false) == seen.end());
}

}  // namespace

void checkDag(const OracleNode& dag, const OracleContext& context, Tally& tally) {
    const OracleKeys keys{
        .required = {"num_states", "states_per_level", "num_action_rows", "num_transition_entries",
                     "num_distinct_edges", "state_set_sha256", "row_probability_checksum"},
        .nullable = {},
        .optional = {}};
    if (!checkKeys(dag, keys, tally)) return;
    const StateGraph& graph = *context.graph;
    const GraphCounts counts = graph.counts();
    const UnrolledSums sums = unrolledSums(graph);
    const auto count = [&](const char* key, double computed) {
        tally.number(dag.at(key).path(), dag.at(key).number(), computed, {});
    };
    count("num_states", static_cast<double>(counts.states));
    count("num_action_rows", static_cast<double>(counts.actionRows));
    count("num_transition_entries", static_cast<double>(counts.transitionEntries));
    count("num_distinct_edges", sums.edges);
    const OracleNode levels = dag.at("states_per_level");
    tally.number(levels.path() + " (number of levels)", static_cast<double>(levels.size()),
                 graph.numLevels(), {});
    for (std::size_t t = 0; t < levels.size(); ++t) {
        const bool exists = t < static_cast<std::size_t>(graph.numLevels());
        tally.number(levels.at(t).path(), levels.at(t).number(),
                     exists ? static_cast<double>(graph.levelSize(static_cast<int>(t))) : 0.0, {});
    }
    tally.text(dag.at("state_set_sha256").path(), dag.at("state_set_sha256").text(),
               context.states.setHash());
    tally.number(dag.at("row_probability_checksum").path(),
                 dag.at("row_probability_checksum").number(), sums.squaredProbabilities,
                 kSumTolerance);
}

void checkTransitions(const OracleNode& transitions, const OracleContext& context, Tally& tally) {
    for (std::size_t i = 0; i < transitions.size(); ++i) {
        if (context.stop.stop_requested()) return;
        checkSample(transitions.at(i), context, tally);
    }
}

}  // namespace orrery
