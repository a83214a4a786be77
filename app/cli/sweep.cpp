#include "app/cli/sweep.h"

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/text.h"
#include "core/history/workspace.h"
#include "core/run/run_kind.h"
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
    return *findField(spec.job.kind().name, axis.field);
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

/// A number that runs come to, and how a table for people and a file call it.
struct Result {
    std::string title, column;
    std::function<std::optional<double>(const QueueMember&)> of;
};

/// V_r, U_r and X_h of every human; of trainings the newest results that any of them has.
std::vector<Result> resultsOf(const QueueSnapshot& snapshot, const RunSpec& spec) {
    std::vector<Result> results;
    const auto add = [&](std::string title, std::string column, auto of) {
        results.push_back({std::move(title), std::move(column), std::move(of)});
    };
    if (spec.job.kind().hasValues) {
        const auto ofRoot = [&](const std::string& title, const std::string& column, auto value) {
            add(title, column, [value](const QueueMember& member) -> std::optional<double> {
                return member.root ? value(*member.root) : std::nullopt;
            });
        };
        ofRoot("V_r", "v_r", [](const StateValues& root) { return std::optional(root.v_r); });
        ofRoot("U_r", "u_r", [](const StateValues& root) { return std::optional(root.u_r); });
        const auto humans = humanNames(snapshot);
        for (std::size_t h = 0; h < humans.size(); ++h)
            ofRoot("X_h " + humans[h], "x_h " + humans[h], [h](const StateValues& root) {
                return h < root.x_h.size() ? std::optional(root.x_h[h]) : std::nullopt;
            });
        return results;
    }
    std::set<std::string> keys;
    for (const QueueMember& member : snapshot.members)
        for (const auto& [key, value] : member.metrics)
            if (spec.job.kind().display.isResult(key)) keys.insert(key);
    for (const std::string& key : keys)
        add(key, key, [key](const QueueMember& member) -> std::optional<double> {
            const auto found = member.metrics.find(key);
            return found == member.metrics.end() ? std::nullopt : std::optional(found->second);
        });
    return results;
}

void printTable(const QueueSnapshot& snapshot, const std::vector<RunSpec>& specs,
                const std::vector<SweepAxis>& axes, Console& console) {
    std::vector<TextTable::Column> heads{{"run"}};
    for (const SweepAxis& axis : axes) heads.push_back({axis.field, true});
    heads.push_back({"state"});
    const auto results = resultsOf(snapshot, specs.front());
    for (const Result& result : results) heads.push_back({escaped(result.title), true});
    heads.push_back({"time", true});
    TextTable table(heads);
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const QueueMember& member = snapshot.members[k];
        std::vector<std::string> cells{member.id.empty() ? "-" : member.id};
        for (std::string& value : sweptValues(specs[k], axes)) cells.push_back(std::move(value));
        cells.emplace_back(nameOf(member.state));
        for (const Result& result : results) {
            const auto value = result.of(member);
            cells.push_back(value ? shortNumber(*value) : std::string());
        }
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
    const auto results = resultsOf(snapshot, specs.front());
    std::string text = "run";
    for (const SweepAxis& axis : axes) text += "," + axis.field;
    text += ",state,seconds";
    for (const Result& result : results) text += "," + csvCell(result.column);
    text += "\n";
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const QueueMember& member = snapshot.members[k];
        text += member.id;
        for (const std::string& value : sweptValues(specs[k], axes)) text += "," + csvCell(value);
        text += "," + std::string(nameOf(member.state)) + "," + formatDouble(member.seconds);
        for (const Result& result : results) {
            const auto value = result.of(member);
            text += "," + (value ? formatDouble(*value) : std::string());
        }
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
        input.axes.empty() ? SweepReading() : readSweep(base.job.kind().name, input.axes);
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
