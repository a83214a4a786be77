#include "app/cli/train_report.h"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/run_kind.h"
#include "core/run/steering.h"
#include "core/train/train_trouble.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct TrainReport {
    const RunKind* kind;
    std::string id = {};
    RunOutcome outcome = {};
    double seconds = 0;
    std::int64_t steps = 0;
    TrainSnapshot train = {};
    std::map<std::string, MetricRow> newest = {};
    bool hasFailed = false;  ///< it told of an error, and stopped by itself
};

/// Takes the run's events up to now: newest values of the curves; profiles are printed.
void takeEvents(Run& run, TrainReport& report, Console& console) {
    for (const RunEvent& event : run.feed().events().drain()) {
        if (const auto* metric = std::get_if<RunEvent::Metric>(&event.body))
            report.newest[metric->key] = {.step = metric->step, .value = metric->value};
        const auto* message = std::get_if<RunEvent::Message>(&event.body);
        if (message == nullptr) continue;
        report.hasFailed = report.hasFailed || message->level == MessageLevel::Error;
        if (message->code == "profile")
            console.message(message->text);
        else if (message->level >= MessageLevel::Warning)
            console.message(std::string(nameOf(message->level)) + ": " + escaped(message->text));
    }
}

/// Waits for the run, and passes a stop request on to it.
RunOutcome follow(Run& run, TrainReport& report, VerbContext& context) {
    bool isCancelled = false, isBlocked = false;
    while (!run.waitFor(std::chrono::milliseconds(50))) {
        if (context.stop.stop_requested() && !isCancelled) {
            run.cancel("signal " + std::to_string(context.signals.first()));
            isCancelled = true;
        }
        takeEvents(run, report, context.console);
        const auto snapshot = run.snapshot();
        if (!snapshot) continue;
        context.console.progress(snapshot->progress);
        if ((snapshot->state == RunState::Blocked) == isBlocked) continue;
        isBlocked = !isBlocked;
        context.console.message(isBlocked ? "blocked: " + escaped(snapshot->trouble, 2000)
                                          : "note: the run goes on");
    }
    context.console.endProgress();
    takeEvents(run, report, context.console);
    return run.wait();
}

Json reportJson(const TrainReport& report) {
    auto newest = Json::object();
    for (const auto& [key, row] : report.newest)
        newest[key] = {{"step", row.step}, {"value", jsonNumber(row.value)}};
    auto checkpoints = Json::array();
    for (const KeptCheckpoint& checkpoint : report.train.checkpoints)
        checkpoints.push_back({{"step", checkpoint.step}, {"bytes", checkpoint.bytes}});
    auto changes = Json::array();
    for (const AppliedChange& change : report.train.changes)
        changes.push_back({{"step", change.change.step},
                           {"key", change.change.key},
                           {"old", change.oldValue},
                           {"new", change.change.value},
                           {"problem", change.problem},
                           {"source", change.change.source}});
    auto worlds = Json::array();
    for (const auto& world : report.train.worlds) worlds.push_back(world->name());
    return {{"run", report.id.empty() ? Json() : Json(report.id)},
            {"state", std::string(nameOf(report.outcome.state))},
            {"seconds", report.seconds},
            {"text", report.outcome.text},
            {"worlds", std::move(worlds)},
            {"steps", report.steps},
            {"last_metrics", std::move(newest)},
            {"checkpoints", std::move(checkpoints)},
            {"changes", std::move(changes)},
            {"warnings", report.train.warnings}};
}

void printReport(const TrainReport& report, Console& console) {
    std::string worlds;
    for (const auto& world : report.train.worlds)
        worlds += (worlds.empty() ? "" : ", ") + world->name();
    if (worlds.empty()) worlds = report.kind->placeTitle;
    if (report.outcome.state != RunState::Failed)
        console.line(escaped(worlds) + ": " + grouped(report.steps) + ' ' +
                     report.kind->display.unitName + ", " + secondsText(report.seconds));
    TextTable table({{"metric"}, {"step", true}, {"value", true}});
    for (const auto& [key, row] : report.newest)
        if (report.kind->display.isResult(key))
            table.add({escaped(key, 60), grouped(row.step), shortNumber(row.value)});
    if (!table.isEmpty()) table.print(console);
    if (!report.train.checkpoints.empty())
        console.line("newest checkpoint: step " + grouped(report.train.checkpoints.back().step));
    if (!report.id.empty())
        console.line("run " + report.id + ": " + std::string(nameOf(report.outcome.state)));
}

/// What to do about a training that diverged.
std::string adviceFor(const TrainReport& report) {
    const std::string rate = report.train.trouble ? report.train.trouble->rateField : "";
    const std::string change = (rate.empty() ? "FIELD" : rate) + "=VALUE";
    if (report.id.empty()) return "Train again with another learning rate.";
    if (report.train.checkpoints.empty())
        return "It has no checkpoint, so begin anew with another rate: orrery fork " + report.id +
               " --from start " + change;
    return "Go on from its checkpoint of step " + grouped(report.train.checkpoints.back().step) +
           ": orrery resume " + report.id + "; or with another rate: orrery fork " + report.id +
           " " + change;
}

int statusOf(const TrainReport& report, const VerbContext& context) {
    const RunOutcome& outcome = report.outcome;
    if (outcome.state == RunState::Finished) return 0;
    if (outcome.state == RunState::Stopped && outcome.lost.empty() && context.signals.first() == 0)
        return report.hasFailed ? 1 : 0;  // else a command of another process
    if (outcome.state == RunState::Stopped && outcome.lost.empty())
        return report.id.empty() ? kStopped : kStoppedAndKept;
    if (outcome.state == RunState::Stopped) {
        context.console.error("Stopped before all was stored: " + outcome.lost +
                              " Then resume the run.");
        return context.signals.exitStatus() == 0 ? 1 : context.signals.exitStatus();
    }
    context.console.error(outcome.state == RunState::Diverged
                              ? outcome.text + ". " + adviceFor(report)
                              : outcome.text);
    return outcome.exitStatus;
}

}  // namespace

int carryOutTraining(RunSpec spec, const TrainDuty& duty, VerbContext& context) {
    RunOptions options;
    options.workspace = duty.workspace;
    options.parent = duty.parent;
    options.resumedId = duty.resumedId;
    options.keepsEvents = true;
    TrainReport report{.kind = &spec.job.kind()};
    const auto run = Run::start(std::move(spec), std::move(options));
    report.outcome = follow(*run, report, context);
    report.id = run->id();
    if (const auto snapshot = run->snapshot()) {
        report.seconds = snapshot->seconds;
        report.steps = snapshot->progress.phase == "train" ? snapshot->progress.done : 0;
        report.train = std::get<TrainSnapshot>(snapshot->job);
    }
    if (duty.json)
        context.console.json(reportJson(report));
    else
        printReport(report, context.console);
    return statusOf(report, context);
}

DbWriter::Options commitPrinting(bool wanted, Console& console) {
    DbWriter::Options options;
    if (wanted)
        options.onCommit = [&console](const Commit& commit) {
            console.line("COMMIT " + std::to_string(commit.metricRowsTotal));
            console.flush();
        };
    return options;
}

}  // namespace orrery
