#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/export/stored_run.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/run_kind.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

struct EvalOptions {
    std::string run, workspace;
    std::string checkpoint;  // "best", a step, or empty: the newest good one
    std::int64_t episodes = 100;
    std::int64_t exactStates = -1;
    bool isGreedy = false;
    bool json = false;
};

std::string textOf(const RunEvaluation::Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return shortNumber(*number);
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return grouped(*count);
    return std::get<std::string>(cell);
}

void print(const RunEvaluation& evaluation, Console& console) {
    for (const RunEvaluation::Part& part : evaluation.parts) {
        if (!part.line.empty()) console.line(part.line);
        if (part.rows.empty()) continue;
        std::vector<TextTable::Column> columns;
        columns.reserve(part.columns.size());
        for (const RunEvaluation::Column& column : part.columns)
            columns.push_back({column.title, column.isNumber});
        TextTable table(std::move(columns));
        for (const auto& row : part.rows) {
            std::vector<std::string> cells;
            cells.reserve(row.size());
            for (const RunEvaluation::Cell& cell : row) cells.push_back(textOf(cell));
            table.add(std::move(cells));
        }
        table.print(console);
    }
}

Json jsonOf(const RunEvaluation& evaluation, const std::string& run, std::int64_t step) {
    Json json{{"run", run}, {"checkpoint", step}};
    json.update(Json::parse(evaluation.json));
    return json;
}

/// Keeps the outcome as points of the run's curves, at the checkpoint's step.
void store(const RunEvaluation& evaluation, const std::string& run, std::int64_t step,
           Workspace& workspace) {
    DbWriter& writer = workspace.writer();
    for (const MetricValue& metric : evaluation.metrics) {
        RunEvent event;
        event.body = event::Metric{.step = step, .key = metric.name, .value = metric.value};
        writer.record(run, event);
    }
    writer.flush();
}

int runEval(const EvalOptions& options, VerbContext& context) {
    // A live run of another process can be evaluated too; then nothing is stored.
    const std::filesystem::path folder = workspaceFolder(options.workspace);
    openForReading(options.workspace, context.console);
    const auto workspace = Workspace::open(folder, Workspace::Mode::ReadWrite);
    const std::string run = workspace->reader().findRun(options.run).id;
    requireTraining(*workspace, run,
                    "its values are exact. `orrery rollout " + run + "` samples episodes of it.");
    const Checkpoint checkpoint = chosenCheckpoint(
        *workspace, run, options.checkpoint,
        [&](const std::string& line) { context.console.message("warning: " + escaped(line)); });
    const std::int64_t step = checkpoint.manifest().step;
    const RunSpec spec = storedSpecAt(*workspace, run, step);
    const RunKind& kind = spec.job.kind();
    if (!kind.evaluate)
        throw Error("Trainings by method " + kind.name + " cannot be evaluated.",
                    Error::Kind::BadInput);
    EvaluationWish wish{.episodes = options.episodes, .isGreedy = options.isGreedy};
    if (options.exactStates >= 0) wish.exactStates = options.exactStates;
    const auto evaluation =
        kind.evaluate(spec, checkpoint, wish, context.console.progressSink(), context.stop);
    context.console.endProgress();
    if (!evaluation) return kStopped;
    if (options.json) {
        context.console.json(jsonOf(*evaluation, run, step));
    } else {
        context.console.line(context.console.inked(
            Ink::Bold, "run " + run + ", checkpoint of step " + grouped(step)));
        print(*evaluation, context.console);
    }
    if (workspace->writable())
        store(*evaluation, run, step, *workspace);
    else
        context.console.message("note: not stored: " + escaped(workspace->readOnlyReason(), 300));
    return 0;
}

}  // namespace

void addEvalVerb(Verb& program) {
    auto options = std::make_shared<EvalOptions>();
    Verb& verb = program.add(
        {.name = "eval",
         .summary =
             "Measure what a training learned: episodes, and the error to the exact solution",
         .description =
             "Takes the run's newest good checkpoint, samples episodes of the learned policy and, "
             "where the world is small enough to be solved, compares every state: the mean error "
             "of V_h^e, the total variation of pi_r, and the worst states. The figures become "
             "points of the run's curves under Evaluation/.",
         .examples = {{"orrery eval 12", "the newest checkpoint of r00012"},
                      {"orrery eval 12 --checkpoint 4000 --episodes 1000 --json",
                       "an older one, as JSON with the hundred worst states"},
                      {"orrery eval 12 --checkpoint best",
                       "the one with the least error, or the least losses"}}},
        [options](VerbContext& context) { return runEval(*options, context); });
    verb.option("RUN", &options->run, "Id, number or name of a training", {.isRequired = true});
    verb.option("--checkpoint", &options->checkpoint,
                "Step of the checkpoint, or best; without it, the newest good one");
    verb.option("--episodes", &options->episodes, "Episodes to sample",
                {.showsDefault = true, .range = kNotNegative});
    verb.option("--exact-states", &options->exactStates,
                "Solve worlds with at most so many states; without it, as the run did",
                {.range = kNotNegative});
    verb.option("--greedy", &options->isGreedy,
                "Among things: take the likeliest choices instead of drawing them");
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
