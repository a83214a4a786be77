#include "app/sweep.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/history/workspace.h"
#include "core/run/run_queue.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;
using Snapshot = std::shared_ptr<const QueueSnapshot>;

/// Waits for all runs, passes a stop request on and shows how far the present one is.
Snapshot follow(RunQueue& queue, VerbContext& context) {
    bool isCancelled = false;
    while (!queue.waitFor(std::chrono::milliseconds(50))) {
        if (context.stop.stop_requested() && !isCancelled) {
            queue.cancel("signal " + std::to_string(context.signals.first()));
            isCancelled = true;
        }
        const auto snapshot = queue.snapshot();
        if (!snapshot->live) continue;
        Progress progress = snapshot->live->progress;
        progress.phase = std::to_string(snapshot->numEnded() + 1) + " of " +
                         std::to_string(snapshot->members.size()) + ", " + progress.phase;
        context.console.progress(progress);
    }
    context.console.endProgress();
    return queue.snapshot();
}

const RunField& fieldOf(const RunSpec& spec, const SweepAxis& axis) {
    return *findField(jobKind(spec.job), axis.field);
}

/// The swept values of a run, as text.
std::vector<std::string> sweptValues(const RunSpec& spec, const std::vector<SweepAxis>& axes) {
    std::vector<std::string> values;
    values.reserve(axes.size());
    for (const SweepAxis& axis : axes) values.push_back(fieldText(fieldOf(spec, axis).get(spec)));
    return values;
}

std::vector<std::string> humanNames(const QueueSnapshot& snapshot) {
    std::vector<std::string> names;
    if (snapshot.world)
        for (const HumanGoals& goals : snapshot.world->goals())
            names.push_back(snapshot.world->agents()[goals.agent].name);
    return names;
}

/// One number that a run came to, and its column in a table for people and in a file.
struct Result {
    std::string title, column;
    double value = 0;
};

/// V_r, U_r and X_h of every human; of a training its newest errors and losses.
std::vector<Result> resultsOf(const QueueMember& member, const std::vector<std::string>& humans) {
    std::vector<Result> results;
    if (member.root) {
        results = {{"V_r", "v_r", member.root->v_r}, {"U_r", "u_r", member.root->u_r}};
        for (std::size_t h = 0; h < humans.size() && h < member.root->x_h.size(); ++h)
            results.push_back({"X_h " + humans[h], "x_h " + humans[h], member.root->x_h[h]});
    }
    for (const auto& [key, value] : member.metrics)
        if (key.starts_with("Exact/") || key.starts_with("Loss/"))
            results.push_back({key, key, value});
    return results;
}

/// The results that any of the runs has, in their order; the numbers say nothing.
std::vector<Result> columnsOf(const QueueSnapshot& snapshot) {
    std::vector<Result> columns;
    const auto humans = humanNames(snapshot);
    for (const QueueMember& member : snapshot.members)
        for (Result& result : resultsOf(member, humans))
            if (std::ranges::find(columns, result.column, &Result::column) == columns.end())
                columns.push_back(std::move(result));
    return columns;
}

/// The run's numbers in those columns; empty cells where it has none.
std::vector<std::string> resultCells(const QueueMember& member, const QueueSnapshot& snapshot,
                                     const std::vector<Result>& columns, bool isExact) {
    std::vector<std::string> cells;
    const auto results = resultsOf(member, humanNames(snapshot));
    for (const Result& column : columns) {
        const auto own = std::ranges::find(results, column.column, &Result::column);
        cells.push_back(own == results.end() ? std::string()
                        : isExact            ? formatDouble(own->value)
                                             : shortNumber(own->value));
    }
    return cells;
}

void printTable(const QueueSnapshot& snapshot, const std::vector<RunSpec>& specs,
                const std::vector<SweepAxis>& axes, Console& console) {
    std::vector<TextTable::Column> heads{{"run"}};
    for (const SweepAxis& axis : axes) heads.push_back({axis.field, true});
    heads.push_back({"state"});
    const auto columns = columnsOf(snapshot);
    for (const Result& column : columns) heads.push_back({escaped(column.title), true});
    heads.push_back({"time", true});
    TextTable table(heads);
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const QueueMember& member = snapshot.members[k];
        std::vector<std::string> cells{member.id.empty() ? "-" : member.id};
        for (std::string& value : sweptValues(specs[k], axes)) cells.push_back(std::move(value));
        cells.emplace_back(nameOf(member.state));
        for (std::string& cell : resultCells(member, snapshot, columns, false))
            cells.push_back(std::move(cell));
        cells.push_back(secondsText(member.seconds));
        table.add(std::move(cells));
    }
    table.print(console);
    for (const QueueMember& member : snapshot.members)
        if (member.state == RunState::Failed)
            console.error((member.id.empty() ? member.name : member.id) + ": " + member.text);
}

std::string csvOf(const QueueSnapshot& snapshot, const std::vector<RunSpec>& specs,
                  const std::vector<SweepAxis>& axes) {
    const auto columns = columnsOf(snapshot);
    std::string text = "run";
    for (const SweepAxis& axis : axes) text += "," + axis.field;
    text += ",state,seconds";
    for (const Result& column : columns) text += "," + csvCell(column.column);
    text += "\n";
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const QueueMember& member = snapshot.members[k];
        text += member.id;
        for (const std::string& value : sweptValues(specs[k], axes)) text += "," + csvCell(value);
        text += "," + std::string(nameOf(member.state)) + "," + formatDouble(member.seconds);
        for (const std::string& cell : resultCells(member, snapshot, columns, true))
            text += "," + cell;
        text += "\n";
    }
    return text;
}

Json jsonOf(const QueueSnapshot& snapshot, const std::vector<RunSpec>& specs,
            const std::vector<SweepAxis>& axes, const std::string& tag) {
    Json json{{"tag", tag}, {"parameters", Json::array()}, {"runs", Json::array()}};
    for (const SweepAxis& axis : axes) json["parameters"].push_back(axis.field);
    const auto humans = humanNames(snapshot);
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const QueueMember& member = snapshot.members[k];
        Json run{{"run", member.id.empty() ? Json() : Json(member.id)},
                 {"state", std::string(nameOf(member.state))},
                 {"seconds", member.seconds},
                 {"text", member.text}};
        for (const SweepAxis& axis : axes) {
            const FieldValue value = fieldOf(specs[k], axis).get(specs[k]);
            const auto* number = std::get_if<double>(&value);
            run["values"][axis.field] = number ? jsonNumber(*number) : Json(fieldText(value));
        }
        if (member.root) {
            run["v_r"] = jsonNumber(member.root->v_r);
            run["u_r"] = jsonNumber(member.root->u_r);
            for (std::size_t h = 0; h < humans.size(); ++h)
                run["x_h"].push_back(
                    {{"name", humans[h]}, {"value", jsonNumber(member.root->x_h[h])}});
        }
        for (const auto& [key, value] : member.metrics) run["metrics"][key] = jsonNumber(value);
        json["runs"].push_back(std::move(run));
    }
    return json;
}

int statusOf(const QueueSnapshot& snapshot, const VerbContext& context, bool isStored) {
    if (context.stop.stop_requested()) return isStored ? kStoppedAndKept : kStopped;
    for (const QueueMember& member : snapshot.members)
        if (member.state != RunState::Finished)
            return member.exitStatus == 0 ? 1 : member.exitStatus;
    return 0;
}

}  // namespace

std::vector<SweepAxis> requireSweep(const SweepInput& input, const RunSpec& base) {
    SweepReading reading =
        input.axes.empty() ? SweepReading() : readSweep(jobKind(base.job), input.axes);
    std::string all;
    for (const std::string& problem : reading.problems) all += (all.empty() ? "" : "; ") + problem;
    if (!all.empty())
        throw Error(all + (all.ends_with('.') || all.ends_with('?') ? "" : "."),
                    Error::Kind::BadInput);
    if (!input.seeds.empty()) {
        const auto count = parseInt(input.seeds);
        if (!count)
            throw Error("--seeds must be a whole number, got '" + escaped(input.seeds) + "'.",
                        Error::Kind::BadInput);
        addSeeds(reading.axes, base, *count);
    }
    return std::move(reading.axes);
}

void addSweepOptions(Verb& verb, SweepInput& input, const std::string& excludes) {
    verb.option("--sweep", &input.axes,
                "One run for every value: NAME=V,V,... or NAME=FROM:TO:STEP; twice for every "
                "combination of two parameters. The runs share a tag",
                {.takes = "NAME=VALUES", .isOnePerUse = true, .excludes = excludes});
    verb.option("--seeds", &input.seeds,
                "So many runs, with this seed and those that follow it; of each combination of a "
                "sweep",
                {.takes = "N", .excludes = excludes});
}

int carryOutSweep(const RunSpec& base, const std::vector<SweepAxis>& axes, Workspace* workspace,
                  const SweepOutput& output, VerbContext& context) {
    const std::vector<RunSpec> specs = sweepRuns(base, axes);
    const std::string tag = sweepTag(axes, utcNow());
    RunQueueOptions options;
    options.workspace = workspace;
    options.tags = {tag};
    const auto queue = RunQueue::start(specs, std::move(options));
    const Snapshot snapshot = follow(*queue, context);
    if (!output.csv.empty()) writeOutput(output.csv, csvOf(*snapshot, specs, axes));
    if (output.json) {
        context.console.json(jsonOf(*snapshot, specs, axes, tag));
    } else {
        printTable(*snapshot, specs, axes, context.console);
        if (workspace != nullptr)
            context.console.line(std::to_string(specs.size()) + " runs with the tag " + tag);
        if (!output.csv.empty()) context.console.wrote(output.csv);
    }
    return statusOf(*snapshot, context, workspace != nullptr);
}

}  // namespace orrery
