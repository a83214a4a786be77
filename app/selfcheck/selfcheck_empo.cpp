#include "app/selfcheck/selfcheck_empo.h"

#include <memory>
#include <utility>

#include "app/selfcheck/oracle_node.h"
#include "app/selfcheck/oracle_world.h"
#include "app/selfcheck/selfcheck_parts.h"
#include "core/base/error.h"

namespace orrery {
namespace {

const OracleKeys kDocumentKeys{
    .required = {"schema", "name", "family", "world", "goals", "dag", "upstream_notes",
                 "transitions", "settings", "encodings", "states"},
    .nullable = {},
    .optional = {}};

bool usable(const OracleNode& document, const std::string& key) {
    return document.has(key) && !document.at(key).isEmpty();
}

void requireSchema(const OracleNode& document) {
    if (!document.has("schema"))
        throw Error("this is no oracle file: it has no \"schema\"", Error::Kind::BadInput);
    if (const std::string schema = document.at("schema").text(); schema != "empo-oracle/1")
        throw Error("schema: expected \"empo-oracle/1\", found \"" + schema + "\"",
                    Error::Kind::BadInput);
}

std::vector<std::optional<State>> readStates(const OracleNode& document,
                                             const CanonicalStates& states, Tally& tally) {
    std::vector<std::optional<State>> table;
    if (!usable(document, "states")) return table;
    const OracleNode list = document.at("states");
    for (std::size_t i = 0; i < list.size(); ++i) {
        const OracleNode node = list.at(i);
        table.push_back(states.find(node.compact()));
        tally.text(node.path(), node.compact(),
                   table.back() ? states.text(*table.back()) : "no such reachable state");
    }
    return table;
}

/// Where upstream loses no state its own graph is ours, and otherwise the file says by how much.
void checkNotes(const OracleNode& notes, const GraphCounts& counts, Tally& tally) {
    checkKeys(notes, {.required = {"get_dag", "step_rollouts"}, .nullable = {}, .optional = {}},
              tally);
    if (!usable(notes, "get_dag")) return;
    const OracleNode dag = notes.at("get_dag");
    if (dag.has("error")) {
        tally.note("upstream_notes", "not compared: upstream cannot build this graph");
        return;
    }
    const OracleKeys keys{
        .required = {"num_states", "num_transition_entries", "states_only_upstream",
                     "states_only_pure", "rows_that_differ_from_pure"},
        .nullable = {},
        .optional = {}};
    if (!checkKeys(dag, keys, tally)) return;
    const double onlyUpstream = dag.at("states_only_upstream").number();
    const double onlyPure = dag.at("states_only_pure").number();
    tally.number("upstream_notes.get_dag.num_states", dag.at("num_states").number(),
                 static_cast<double>(counts.states) - onlyPure + onlyUpstream, {});
    if (dag.at("rows_that_differ_from_pure").number() == 0 && onlyUpstream == 0 && onlyPure == 0)
        tally.number("upstream_notes.get_dag.num_transition_entries",
                     dag.at("num_transition_entries").number(),
                     static_cast<double>(counts.transitionEntries), {});
}

/// Everything that needs the graph.
void checkParts(const OracleNode& document, const std::shared_ptr<const GridWorld>& world,
                int threads, Tally& tally, const std::stop_token& stop) {
    const auto graph = explore(world, {.threads = threads}, stop);
    if (!graph) return;
    const CanonicalStates states(*world, *graph);
    const auto table = readStates(document, states, tally);
    const OracleContext context{
        .graph = graph, .states = states, .table = table, .threads = threads, .stop = stop};
    if (usable(document, "dag")) checkDag(document.at("dag"), context, tally);
    if (usable(document, "upstream_notes"))
        checkNotes(document.at("upstream_notes"), graph->counts(), tally);
    if (usable(document, "transitions"))
        checkTransitions(document.at("transitions"), context, tally);
    if (usable(document, "settings")) checkSettings(document.at("settings"), context, tally);
    if (usable(document, "encodings")) checkEncodings(document.at("encodings"), context, tally);
}

}  // namespace

std::optional<State> OracleContext::state(const OracleNode& index, Tally& tally) const {
    const int i = index.integer();
    if (i < 0 || static_cast<std::size_t>(i) >= table.size()) {
        tally.fail(index.path(), "state " + std::to_string(i) + " is not in the table of " +
                                     std::to_string(table.size()) + " states");
        return std::nullopt;
    }
    if (!table[i]) tally.fail(index.path(), "Orrery does not reach state " + std::to_string(i));
    return table[i];
}

OracleResult checkEmpoOracle(const std::filesystem::path& file, int threads,
                             const std::function<void(const std::string&)>& report,
                             std::stop_token stop) {
    const OracleNode document = readOracleDocument(file);
    requireSchema(document);
    Tally tally(report);
    checkKeys(document, kDocumentKeys, tally);
    if (usable(document, "family") && document.at("family").text() != "multigrid")
        tally.fail("family", "\"" + document.at("family").text() + "\" is unknown");
    else if (usable(document, "world") && usable(document, "goals"))
        if (const auto world = readOracleWorld(document, tally))
            checkParts(document, world, threads, tally, stop);
    return {.compared = tally.compared(),
            .passed = tally.passed(),
            .failed = tally.failed(),
            .stopped = stop.stop_requested()};
}

}  // namespace orrery
