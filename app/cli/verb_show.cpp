#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/state_text.h"
#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/cli/world_input.h"
#include "app/cli/world_json.h"
#include "app/cli/world_text.h"
#include "app/export/stored_run.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/archive/compare_runs.h"
#include "core/run/archive/reopen.h"
#include "core/run/archive/run_reach.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/builtin_worlds.h"
#include "core/run/run_kind.h"
#include "core/train/checkpoint_clock.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownEvents = 12;

struct ShowOptions {
    std::string target;
    std::string workspace;
    bool allEvents = false;
    bool json = false;
};

struct RunDetails {
    RunRecord record;
    std::vector<FieldDifference> changed;  // fields that are not at their defaults
    std::vector<std::pair<std::string, MetricRow>> lastMetrics;
    std::vector<ArtefactRow> artefacts;
    std::vector<CheckpointRow> checkpoints;  // newest first
    std::vector<EventRow> events;
    std::string checkpointInterval;  // of a training, as is in force
};

RunDetails readDetails(const Workspace& workspace, const std::string& text) {
    const HistoryReader reader = workspace.reader();
    RunDetails details;
    details.record = reader.findRun(text);
    const std::string& id = details.record.id;
    const RunSpec spec = storedSpec(workspace, id);
    details.changed = compareSpecs(RunSpec{.job = spec.job.kind().fresh()}, spec);
    for (const std::string& key : reader.metricKeys(id)) {
        const std::vector<MetricRow> rows = reader.metrics(id, key);
        if (!rows.empty()) details.lastMetrics.emplace_back(key, rows.back());
    }
    details.artefacts = reader.artefacts(id);
    details.checkpoints = reader.checkpoints(id);
    details.events = reader.events(id);
    if (const TrainSettings* settings = trainSettings(spec.job))
        details.checkpointInterval =
            checkpointIntervalText(checkpointSecondsOf(settings->cadence, details.events),
                                   settings->cadence.checkpointSteps);
    return details;
}

Json detailsJson(const RunDetails& details) {
    const RunRecord& record = details.record;
    auto metrics = Json::object();
    for (const auto& [key, row] : details.lastMetrics)
        metrics[key] = {{"step", row.step}, {"value", jsonNumber(row.value)}};
    auto artefacts = Json::array();
    for (const ArtefactRow& file : details.artefacts)
        artefacts.push_back({{"kind", file.kind},
                             {"file", file.file},
                             {"sha256", file.sha256},
                             {"bytes", file.bytes}});
    auto events = Json::array();
    for (const EventRow& event : details.events)
        events.push_back({{"seq", event.seq},
                          {"time", event.utc},
                          {"level", std::string(nameOf(event.level))},
                          {"code", event.code},
                          {"text", event.text}});
    const CheckpointRow* const best = bestRow(details.checkpoints);
    auto checkpoints = Json::array();
    for (const CheckpointRow& row : details.checkpoints)
        checkpoints.push_back({{"step", row.step},
                               {"generation", row.generation},
                               {"file", row.file},
                               {"sha256", row.sha256},
                               {"state", row.state},
                               {"best", &row == best}});
    Json spec = Json::parse(record.configJson, nullptr, false);
    if (spec.is_discarded()) spec = record.configJson;
    return {{"id", record.id},
            {"name", record.name},
            {"state", stateText(record)},
            {"parent", record.parent},
            {"created", record.createdUtc},
            {"ended", record.endedUtc},
            {"code_version", record.codeVersion},
            {"world_hash", record.worldHash},
            {"seed", record.seed},
            {"note", record.note},
            {"tags", record.tags},
            {"spec", std::move(spec)},
            {"last_metrics", std::move(metrics)},
            {"artefacts", std::move(artefacts)},
            {"checkpoints", std::move(checkpoints)},
            {"checkpoint_interval", details.checkpointInterval},
            {"events", std::move(events)}};
}

void printRecord(const RunRecord& record, Console& console) {
    const auto field = [&](const char* title, const std::string& value) {
        if (!value.empty())
            console.line(std::string(title) + std::string(14 - std::string(title).size(), ' ') +
                         escaped(value, 200));
    };
    console.line(console.inked(
        Ink::Bold, record.id + (record.name.empty() ? "" : "  ") + escaped(record.name, 100)));
    field("state", stateText(record));
    field("created", record.createdUtc);
    field("ended", record.endedUtc);
    field("parent", record.parent);
    field("seed", std::to_string(record.seed));
    field("program", record.codeVersion);
    field("world hash", record.worldHash);
    field("note", record.note);
    field("tags", commaList(record.tags));
}

void printDetails(const RunDetails& details, bool allEvents, Console& console) {
    printRecord(details.record, console);
    if (!details.checkpointInterval.empty())
        console.line("checkpoints   " + details.checkpointInterval);
    if (!details.changed.empty()) {
        console.line();
        TextTable table({{"field"}, {"value"}, {"default"}});
        for (const FieldDifference& field : details.changed)
            table.add({field.field, escaped(field.b, 60), escaped(field.a, 60)});
        table.print(console);
    }
    if (!details.lastMetrics.empty()) {
        console.line();
        TextTable table({{"metric"}, {"last step", true}, {"last value", true}});
        for (const auto& [key, row] : details.lastMetrics)
            table.add({escaped(key, 60), std::to_string(row.step), shortNumber(row.value)});
        table.print(console);
    }
    if (!details.artefacts.empty()) {
        console.line();
        TextTable table({{"file"}, {"kind"}, {"size", true}});
        for (const ArtefactRow& file : details.artefacts)
            table.add({escaped(file.file, 100), escaped(file.kind, 30),
                       sizeText(static_cast<std::int64_t>(file.bytes))});
        table.print(console);
    }
    if (!details.checkpoints.empty()) {
        console.line();
        const CheckpointRow* const best = bestRow(details.checkpoints);
        TextTable table({{"checkpoint of step", true}, {""}, {"file"}});
        for (const CheckpointRow& row : details.checkpoints)
            table.add({grouped(row.step), &row == best ? "best" : "", escaped(row.file, 100)});
        table.print(console);
    }
    if (details.events.empty()) return;
    console.line();
    const std::size_t hidden = allEvents || details.events.size() <= kShownEvents
                                   ? 0
                                   : details.events.size() - kShownEvents;
    if (hidden > 0)
        console.line("(" + std::to_string(hidden) + " earlier events; --events shows all)");
    for (std::size_t i = hidden; i < details.events.size(); ++i) {
        const EventRow& event = details.events[i];
        console.line(escaped(event.utc, 30) + "  " + std::string(nameOf(event.level)) + "  " +
                     escaped(event.text));
    }
}

int showWorld(const std::string& target, bool json, VerbContext& context) {
    const auto world = loadWorld(WorldChoice{.world = target}, context.console);
    if (!world) return 2;
    if (json) {
        context.console.json(worldJson(*world));
        return 0;
    }
    for (const std::string& line :
         drawWorld(*world, world->initialConfiguration(), context.console))
        context.console.line(line);
    return 0;
}

/// A state of a run, as the window copies its address.
int showState(const Workspace& workspace, const Address& address, bool json, VerbContext& context) {
    const auto run =
        reopenSolution(workspace, address.run, context.stop, context.console.progressSink());
    context.console.endProgress();
    if (!run) return kStopped;
    const State state = stateAt(*run->solution, address);
    if (json)
        context.console.json(stateJson(*run->solution, state));
    else
        printState(*run->solution, state, context.console);
    return 0;
}

int showRun(const Workspace& workspace, const std::string& run, const ShowOptions& options,
            VerbContext& context) {
    const RunDetails details = readDetails(workspace, run);
    if (options.json)
        context.console.json(detailsJson(details));
    else
        printDetails(details, options.allEvents, context.console);
    return 0;
}

int runShow(const ShowOptions& options, VerbContext& context) {
    if (isWorld(options.target)) return showWorld(options.target, options.json, context);
    const auto workspace = openForReading(options.workspace, context.console);
    if (const auto address = parseAddress(options.target); address && !address->run.empty()) {
        if (address->step >= 0) return showState(*workspace, *address, options.json, context);
        return showRun(*workspace, address->run, options, context);
    }
    return showRun(*workspace, options.target, options, context);
}

}  // namespace

void addShowVerb(Verb& program) {
    auto options = std::make_shared<ShowOptions>();
    Verb& verb = program.add(
        {.name = "show",
         .summary = "Show a run with its spec, metrics, files and events, or draw a world",
         .description = "",
         .examples = {{"orrery show 12", "run r00012 of the default workspace"},
                      {"orrery show my.yaml", "draw a world; `orrery world show` says more"},
                      {"orrery show orrery:run/r00012/t3/s11",
                       "a state, by the address that the window's Copy link gives"}}},
        [options](VerbContext& context) { return runShow(*options, context); });
    verb.option("RUN", &options->target,
                "Id, number or name of a run, a world, or the address of a state",
                {.isRequired = true});
    addWorkspaceOption(verb, options->workspace);
    verb.option("--events", &options->allEvents, "Show all events, not only the last ones");
    addJsonOption(verb, options->json);
}

}  // namespace orrery
