#include "app/sweep.h"

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

/// The swept values of a run, as text.
std::vector<std::string> sweptValues(const RunSpec& spec, const std::vector<SweepAxis>& axes) {
    std::vector<std::string> values;
    values.reserve(axes.size());
    for (const SweepAxis& axis : axes)
        values.push_back(fieldText(findField("solve", axis.field)->get(spec)));
    return values;
}

std::vector<std::string> humanNames(const QueueSnapshot& snapshot) {
    std::vector<std::string> names;
    if (snapshot.world)
        for (const HumanGoals& goals : snapshot.world->goals())
            names.push_back(snapshot.world->agents()[goals.agent].name);
    return names;
}

/// V_r, U_r and X_h of every human; empty cells where a run has none.
std::vector<std::string> resultCells(const QueueMember& member, std::size_t humans, bool isExact) {
    std::vector<std::string> cells(2 + humans);
    if (!member.root) return cells;
    const auto text = [&](double v) { return isExact ? formatDouble(v) : shortNumber(v); };
    cells[0] = text(member.root->v_r);
    cells[1] = text(member.root->u_r);
    for (std::size_t h = 0; h < humans && h < member.root->x_h.size(); ++h)
        cells[2 + h] = text(member.root->x_h[h]);
    return cells;
}

void printTable(const QueueSnapshot& snapshot, const std::vector<RunSpec>& specs,
                const std::vector<SweepAxis>& axes, Console& console) {
    std::vector<TextTable::Column> columns{{"run"}};
    for (const SweepAxis& axis : axes) columns.push_back({axis.field, true});
    columns.push_back({"state"});
    const auto humans = humanNames(snapshot);
    columns.push_back({"V_r", true});
    columns.push_back({"U_r", true});
    for (const std::string& human : humans) columns.push_back({"X_h " + escaped(human), true});
    columns.push_back({"time", true});
    TextTable table(columns);
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const QueueMember& member = snapshot.members[k];
        std::vector<std::string> cells{member.id.empty() ? "-" : member.id};
        for (std::string& value : sweptValues(specs[k], axes)) cells.push_back(std::move(value));
        cells.emplace_back(nameOf(member.state));
        for (std::string& cell : resultCells(member, humans.size(), false))
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
    const auto humans = humanNames(snapshot);
    std::string text = "run";
    for (const SweepAxis& axis : axes) text += "," + axis.field;
    text += ",state,seconds,v_r,u_r";
    for (const std::string& human : humans) text += "," + csvCell("x_h " + human);
    text += "\n";
    for (std::size_t k = 0; k < specs.size(); ++k) {
        const QueueMember& member = snapshot.members[k];
        text += member.id;
        for (const std::string& value : sweptValues(specs[k], axes)) text += "," + csvCell(value);
        text += "," + std::string(nameOf(member.state)) + "," + formatDouble(member.seconds);
        for (const std::string& cell : resultCells(member, humans.size(), true)) text += "," + cell;
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
            const FieldValue value = findField("solve", axis.field)->get(specs[k]);
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

std::vector<SweepAxis> requireSweep(const std::vector<std::string>& texts) {
    SweepReading reading = readSweep(texts);
    std::string all;
    for (const std::string& problem : reading.problems) all += (all.empty() ? "" : "; ") + problem;
    if (!all.empty())
        throw Error(all + (all.ends_with('.') || all.ends_with('?') ? "" : "."),
                    Error::Kind::BadInput);
    return std::move(reading.axes);
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
