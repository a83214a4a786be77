#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/spec_options.h"
#include "app/cli/verb.h"
#include "app/cli/world_input.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/thread_team.h"
#include "core/dag/export.h"
#include "core/dag/predicate.h"
#include "core/dag/state_graph.h"
#include "core/run/jobs/solve_job.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

/// Where a graph comes from: explored, or a saved one.
struct GraphOptions {
    WorldChoice choice;
    FieldOptions fields;
    std::string saved;
    std::string output;
    std::string predicate;
    std::int64_t limit = 20;
    bool json = false;
};

int threadsOf(const RunSpec& spec) {
    const int asked = spec.job.as<SolveJob>().solve.threads;
    return asked > 0 ? asked : processorCount();
}

RunSpec specOf(const GraphOptions& options) {
    RunSpec spec;
    applyAll({&options.fields}, spec);
    return spec;
}

/// Null if stopped.
std::shared_ptr<const StateGraph> obtainGraph(const GraphOptions& options,
                                              std::shared_ptr<const World> world,
                                              VerbContext& context) {
    if (!options.saved.empty()) {
        auto opened = openGraph(std::move(world), options.saved, context.stop,
                                context.console.progressSink());
        context.console.endProgress();
        return opened;
    }
    const RunSpec spec = specOf(options);
    const SolveJob& job = spec.job.as<SolveJob>();
    const ExploreOptions explored{.threads = threadsOf(spec),
                                  .memoryBudget = job.solve.memoryBudget,
                                  .unrolled = job.unrolled};
    auto graph = explore(std::move(world), explored, context.stop, context.console.progressSink());
    context.console.endProgress();
    return graph;
}

Json statsJson(const StateGraph& graph) {
    const GraphCounts counts = graph.counts();
    auto levels = Json::array();
    for (int t = 0; t < graph.numLevels(); ++t) levels.push_back(graph.levelSize(t));
    const double perEntry = graph.numEntries() > 0 ? static_cast<double>(graph.storedBytes()) /
                                                         static_cast<double>(graph.numEntries())
                                                   : 0.0;
    return {{"world", graph.world().name()},
            {"hash", graph.contentHash()},
            {"folded", graph.isFolded()},
            {"configurations", graph.numConfigs()},
            {"states", counts.states},
            {"states_per_level", levels},
            {"action_rows", counts.actionRows},
            {"transition_entries", counts.transitionEntries},
            {"stored_entries", graph.numEntries()},
            {"stored_bytes", graph.storedBytes()},
            {"bytes_per_entry", perEntry},
            {"palette", graph.palette().size()}};
}

void printStats(const StateGraph& graph, Console& console) {
    const GraphCounts counts = graph.counts();
    TextTable table({{"quantity"}, {"value", true}});
    table.add({"configurations", grouped(graph.numConfigs())});
    table.add({"states (step, configuration)", grouped(counts.states)});
    table.add({"action rows", grouped(counts.actionRows)});
    table.add({"transition entries", grouped(counts.transitionEntries)});
    table.add({"stored entries", grouped(graph.numEntries())});
    table.add({"stored bytes", sizeText(graph.storedBytes())});
    if (graph.numEntries() > 0)
        table.add({"bytes per stored entry", shortNumber(static_cast<double>(graph.storedBytes()) /
                                                         static_cast<double>(graph.numEntries()))});
    table.print(console);
    TextTable levels({{"step", true}, {"states", true}});
    for (int t = 0; t < graph.numLevels(); ++t)
        levels.add({std::to_string(t), grouped(graph.levelSize(t))});
    levels.print(console);
}

int runStats(const GraphOptions& options, VerbContext& context) {
    const auto world = loadWorld(options.choice, context.console);
    if (!world) return 2;
    const auto graph = obtainGraph(options, world, context);
    if (!graph) return kStopped;
    if (options.json)
        context.console.json(statsJson(*graph));
    else
        printStats(*graph, context.console);
    return 0;
}

/// A saved graph is mapped, so it must be a file.
void requireFile(const std::string& output) {
    std::error_code error;
    if (std::filesystem::exists(output, error) && !std::filesystem::is_regular_file(output, error))
        throw Error("'" + escaped(output) + "' is not a file; a graph can only be saved as one.",
                    Error::Kind::BadInput);
}

int runBuild(const GraphOptions& options, VerbContext& context) {
    requireFile(options.output);
    const auto world = loadWorld(options.choice, context.console);
    if (!world) return 2;
    const auto graph = obtainGraph(options, world, context);
    if (!graph) return kStopped;
    if (!saveGraph(*graph, options.output, context.stop, context.console.progressSink()))
        return kStopped;
    context.console.endProgress();
    if (options.json) {
        Json result = statsJson(*graph);
        result["file"] = options.output;
        context.console.json(result);
    } else {
        context.console.line(grouped(graph->numConfigs()) + " configurations, " +
                             grouped(graph->counts().states) + " states, " +
                             grouped(graph->numEntries()) + " stored entries");
        context.console.wrote(options.output);
    }
    return 0;
}

int runFind(const GraphOptions& options, VerbContext& context) {
    const auto world = loadWorld(options.choice, context.console);
    if (!world) return 2;
    const Predicate predicate(*world, options.predicate);  // before the long part
    const auto graph = obtainGraph(options, world, context);
    if (!graph) return kStopped;
    const StateSet found =
        findStates(*graph, predicate, options.limit, threadsOf(specOf(options)), context.stop);
    if (found.total < 0) return kStopped;
    auto states = Json::array();
    TextTable table({{"step", true}, {"configuration", true}, {"state"}});
    for (const State& state : found.states) {
        const std::string text = describe(*world, graph->configuration(state.config));
        if (options.json)
            states.push_back({{"step", state.step}, {"config", state.config}, {"text", text}});
        else
            table.add({std::to_string(state.step), std::to_string(state.config), escaped(text)});
    }
    if (options.json) {
        context.console.json({{"predicate", options.predicate},
                              {"total", found.total},
                              {"states", std::move(states)}});
        return 0;
    }
    if (!table.isEmpty()) table.print(context.console);
    context.console.line(grouped(found.total) + " states" +
                         (found.total > std::ssize(found.states)
                              ? ", the first " + grouped(std::ssize(found.states)) + " shown"
                              : ""));
    return 0;
}

std::filesystem::path prismStem(std::filesystem::path output) {
    if (output.extension() == ".tra") output.replace_extension();
    return output;
}

/// The files of an export: of PRISM, three.
std::vector<std::filesystem::path> filesOf(const std::string& output, const std::string& format) {
    if (format != "prism") return {output};
    const std::string stem = prismStem(output).string();
    return {stem + ".sta", stem + ".tra", stem + ".lab"};
}

int runExport(const GraphOptions& options, const std::string& format, VerbContext& context) {
    const std::vector<std::filesystem::path> files = filesOf(options.output, format);
    requireFree(files, context.mayReplace);
    const auto world = loadWorld(options.choice, context.console);
    if (!world) return 2;
    const auto graph = obtainGraph(options, world, context);
    if (!graph) return kStopped;
    const ProgressSink progress = context.console.progressSink();
    bool done = false;
    if (format == "dot") done = exportDot(*graph, options.output, context.stop, progress);
    if (format == "csv") done = exportStatesCsv(*graph, options.output, context.stop, progress);
    if (format == "prism")
        done = exportPrism(*graph, prismStem(options.output), context.stop, progress);
    context.console.endProgress();
    if (!done) return kStopped;
    context.console.wrote({files.begin(), files.end()}, options.json);
    return 0;
}

void addCommonOptions(Verb& verb, GraphOptions& options, bool canOpen) {
    addWorldOptions(verb, options.choice);
    options.fields.declare(verb, solveFields(), {"threads", "memory", "unrolled"});
    if (canOpen)
        verb.option("--graph", &options.saved,
                    "Open this graph, saved by `graph build`, instead of exploring");
    addJsonOption(verb, options.json);
}

void addBuild(Verb& group) {
    auto options = std::make_shared<GraphOptions>();
    Verb& verb = group.add(
        {.name = "build",
         .summary = "Explore a world's states and save the graph",
         .description = "",
         .examples = {{"orrery graph build first_steps -o first.graph", "explore and save"}}},
        [options](VerbContext& context) { return runBuild(*options, context); });
    addCommonOptions(verb, *options, false);
    verb.option("-o,--output", &options->output, "File to write",
                {.isRequired = true, .writes = Writes::Target});
}

void addStats(Verb& group) {
    auto options = std::make_shared<GraphOptions>();
    Verb& verb = group.add(
        {.name = "stats",
         .summary = "Count states, rows and entries, by level",
         .description = "",
         .examples = {{"orrery graph stats first_steps", "how large the state graph is"}}},
        [options](VerbContext& context) { return runStats(*options, context); });
    addCommonOptions(verb, *options, true);
}

void addFind(Verb& group) {
    auto options = std::make_shared<GraphOptions>();
    Verb& verb = group.add(
        {.name = "find",
         .summary = "List the states in which a condition holds",
         .description =
             "A condition compares variables of the state (`orrery world show --json` lists "
             "them), `step` and whole numbers, joined by and, or, not and parentheses; also "
             "AGENT.at(x,y) and AGENT.in(x1,y1,x2,y2). The language is that of all filters.",
         .examples = {{"orrery graph find my.yaml 'human0.at(3,2) and door0.open and step<4'",
                       "states in which the human stands there and the door is open"}}},
        [options](VerbContext& context) { return runFind(*options, context); });
    addCommonOptions(verb, *options, true);
    verb.option("PREDICATE", &options->predicate, "The condition", {.isRequired = true});
    verb.option("--limit", &options->limit, "States to list; all are counted",
                {.showsDefault = true, .range = NumberRange{0, 10'000'000}});
}

void addExport(Verb& group) {
    auto options = std::make_shared<GraphOptions>();
    auto format = std::make_shared<std::string>();
    Verb& verb = group.add(
        {.name = "export",
         .summary = "Write a state graph as DOT, PRISM explicit files or CSV",
         .description = "dot: Graphviz, up to 5,000 states. prism: NAME.sta, NAME.tra and "
                        "NAME.lab. csv: one line a state with its variables.",
         .examples = {{"orrery graph export dot first_steps -o first.dot", "a picture by Graphviz"},
                      {"orrery graph export prism my.yaml -o my",
                       "three files for a model checker"}}},
        [options, format](VerbContext& context) { return runExport(*options, *format, context); });
    verb.option("FORMAT", format.get(), "dot, prism or csv",
                {.isRequired = true, .choices = {"dot", "prism", "csv"}});
    addCommonOptions(verb, *options, true);
    verb.option("-o,--output", &options->output, "File to write; for prism, without extension",
                {.isRequired = true, .writes = Writes::ByName});
}

}  // namespace

void addGraphVerbs(Verb& program) {
    Verb& group = program.addGroup(
        {.name = "graph",
         .summary = "Explore, measure, search and export state graphs",
         .description = "",
         .examples = {{"orrery graph stats first_steps", "how large a world's state graph is"},
                      {"orrery graph find first_steps "
                       "'human0.at(3,1) and step<4'",
                       "the states in which that holds"}}});
    addBuild(group);
    addStats(group);
    addFind(group);
    addExport(group);
}

}  // namespace orrery
