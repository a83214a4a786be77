#include <algorithm>
#include <map>
#include <optional>

#include "app/cli/solved_input.h"
#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/export/export_table.h"
#include "app/export/export_tensorboard.h"
#include "app/export/export_training.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/history/records.h"
#include "core/run/archive/enn_run.h"
#include "core/run/archive/reopen.h"
#include "core/run/jobs/train_kind.h"

namespace orrery {
namespace {

struct ExportOptions {
    SolvedChoice choice;
    std::string what = "values";
    std::string format = "csv";
    std::string output;
    std::string tensorBoard;          ///< folder; empty: not wanted
    std::string checkpoint;           ///< of a training; empty: the newest good one
    std::vector<std::string> others;  ///< further runs
    bool json = false;
};

/// The ids of all named runs, each once.
std::vector<std::string> runsOf(const ExportOptions& options, const HistoryReader& reader) {
    std::vector<std::string> runs{reader.findRun(options.choice.target).id};
    for (const std::string& other : options.others)
        if (const std::string id = reader.findRun(other).id;
            std::ranges::find(runs, id) == runs.end())
            runs.push_back(id);
    return runs;
}

/// Stored runs together in one file. False if stopped.
bool exportRuns(const ExportOptions& options, ExportFormat format, VerbContext& context) {
    const auto workspace = openForReading(options.choice.workspace, context.console);
    const HistoryReader reader = workspace->reader();
    const std::vector<std::string> runs = runsOf(options, reader);
    if (options.what == "metrics")
        return exportMetrics(reader, runs, format, options.output, context.stop);
    const bool isWhole = exportSolutions(
        runs,
        [&](const std::string& run) {
            const auto reopened = reopenSolution(*workspace, run, context.stop);
            return reopened ? reopened->solution : nullptr;
        },
        options.what == "values" ? ExportContent::Values : ExportContent::Policies, format,
        options.output, context.stop, context.console.progressSink());
    context.console.endProgress();
    return isWhole;
}

int runTensorBoard(const ExportOptions& options, VerbContext& context) {
    const auto workspace = openForReading(options.choice.workspace, context.console);
    const HistoryReader reader = workspace->reader();
    const std::vector<std::string> runs = runsOf(options, reader);
    requireFree(tensorBoardFolders(reader, runs, options.tensorBoard), context.mayReplace);
    const auto files = exportTensorBoard(reader, runs, options.tensorBoard, context.stop,
                                         context.console.progressSink());
    context.console.endProgress();
    if (files.size() < runs.size()) return files.empty() ? kStopped : kStoppedAndKept;
    context.console.wrote({files.begin(), files.end()}, options.json);
    return 0;
}

/// A stored training's weights, or its learned values and policies. Nothing if the target is no
/// stored training.
std::optional<int> runTrainingExport(const ExportOptions& options, VerbContext& context) {
    const bool wantsFolder = options.what == "checkpoint", wantsEnn = options.what == "enn";
    const bool wantsWeights = wantsFolder || wantsEnn || options.what == "weights";
    if (!wantsWeights && (options.what == "metrics" || !options.others.empty())) return {};
    std::unique_ptr<Workspace> workspace;
    RunRecord record;
    try {
        workspace = openForReading(options.choice.workspace, context.console);
        record = workspace->reader().findRun(options.choice.target);
    } catch (const Error&) {
        if (wantsWeights) throw;
        return {};  // a world, perhaps
    }
    const std::string& run = record.id;
    if (wantsFolder) {
        const bool done = exportCheckpoint(*workspace, run, options.checkpoint, options.output,
                                           context.stop, context.console.progressSink());
        context.console.endProgress();
        return done ? 0 : kStopped;
    }
    if (wantsEnn) {
        exportEnnCheckpoint(*workspace, run, options.checkpoint, options.output);
        return 0;
    }
    if (wantsWeights) {
        exportWeights(*workspace, run, options.checkpoint, options.output);
        return 0;
    }
    if (!learnsPlanning(record)) return {};
    const bool done =
        exportLearned(*workspace, run, options.checkpoint,
                      options.what == "values" ? ExportContent::Values : ExportContent::Policies,
                      exportFormats().at(options.format), options.output, context.stop,
                      context.console.progressSink());
    context.console.endProgress();
    return done ? 0 : kStopped;
}

int runExport(const ExportOptions& options, VerbContext& context) {
    if (!options.tensorBoard.empty()) return runTensorBoard(options, context);
    if (options.output.empty())
        throw Error("Name the file to write with -o FILE, or a folder with --tensorboard DIR.",
                    Error::Kind::BadInput);
    const ExportFormat format = exportFormats().at(options.format);
    if (const std::optional<int> training = runTrainingExport(options, context)) {
        if (*training != 0) return *training;
    } else if (options.what == "metrics" || !options.others.empty()) {
        if (!exportRuns(options, format, context)) return kStopped;
    } else {
        int status = 0;
        const auto solved = obtainSolution(options.choice, context, status);
        if (!solved) return status;
        const ExportContent content =
            options.what == "values" ? ExportContent::Values : ExportContent::Policies;
        const bool done = exportSolution(*solved->solution, content, format, options.output,
                                         context.stop, context.console.progressSink());
        context.console.endProgress();
        if (!done) return kStopped;
    }
    context.console.wrote({options.output}, options.json);
    return 0;
}

}  // namespace

void addExportVerb(Verb& program) {
    auto options = std::make_shared<ExportOptions>();
    Verb& verb = program.add(
        {.name = "export",
         .summary = "Write values, policies, metrics or weights, for other programs to read",
         .description =
             "values: V_r, U_r, X_h, V_h^e, phase 1's V and Q_r of every state. policies: pi_r and "
             "pi_h, goal by goal and marginal. metrics: all curves of a run. weights: those of a "
             "training's checkpoint, with its tables, as safetensors. checkpoint: the folder of "
             "one, "
             "with its manifest. enn: a folder that enn-trainer and rogue-net read, of a training "
             "among things. Trainings are exported from "
             "their newest checkpoint unless --checkpoint names another; of worlds that are too "
             "large to be solved those states are written that the replay buffer knows. Each row "
             "of the first two begins with step, configuration and the variables of the state. "
             "Several runs go into one file: CSV has a column run in front, JSON a list, npz the "
             "arrays of each run below its id. --tensorboard writes all metrics, the config and "
             "the events of runs as event files, a folder a run; TensorBoard keeps seven digits "
             "of a value.",
         .examples = {{"orrery export 12 --what values --format npz -o v.npz",
                       "arrays for numpy.load"},
                      {"orrery export 12 13 14 --what metrics -o all.csv",
                       "the curves of three runs in one table"},
                      {"orrery export 12 13 14 --tensorboard tb", "then: tensorboard --logdir tb"},
                      {"orrery export 12 --what enn -o agent",
                       "the networks for a game that plays them by rogue-net"},
                      {"orrery export my.yaml --what policies -o pi.csv",
                       "solve a world, then write"}}},
        [options](VerbContext& context) { return runExport(*options, context); });
    addSolvedOptions(verb, options->choice);
    verb.option("--what", &options->what,
                "values, policies, metrics (of a run), weights, checkpoint or enn (of a training)",
                {.showsDefault = true,
                 .choices = {"values", "policies", "metrics", "weights", "checkpoint", "enn"}});
    verb.option("--format", &options->format, "csv, json or npz",
                {.showsDefault = true, .choices = {"csv", "json", "npz"}});
    verb.option("-o,--output", &options->output,
                "File to write; of a checkpoint or enn, the folder", {.writes = Writes::Target});
    verb.option("--tensorboard", &options->tensorBoard,
                "Folder to write TensorBoard event files into",
                {.excludes = "--output", .writes = Writes::ByName});
    verb.option("--checkpoint", &options->checkpoint,
                "Of a training: best, or a step; without it, the newest good one");
    verb.option("RUNS", &options->others, "Further runs for the same file or folder");
    addJsonOption(verb, options->json);
}

}  // namespace orrery
