#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/entity/files/enn_checkpoint.h"
#include "core/run/archive/enn_run.h"
#include "core/run/jobs/import_metrics.h"

namespace orrery {
namespace {

struct ImportOptions {
    std::vector<std::string> paths;
    std::string workspace, name;
    std::string names = "kept";
    bool json = false;
};

void requireOne(const ImportOptions& options, std::size_t runs) {
    if (!options.name.empty() && runs > 1)
        throw Error("--name needs a single run, and there are " + std::to_string(runs) + ".",
                    Error::Kind::BadInput);
}

bool isCheckpoint(const std::string& path) {
    return isEnnCheckpoint(path) || path.ends_with(".pickle");
}

/// Checkpoints of enn-trainer, which become trainings.
int importCheckpoints(const ImportOptions& options, VerbContext& context) {
    requireOne(options, options.paths.size());
    for (const std::string& path : options.paths)
        if (path.ends_with(".pickle")) throw ennPickleRefusal(path);
    const auto workspace = openForWriting(options.workspace, context.console);
    auto list = nlohmann::ordered_json::array();
    for (const std::string& path : options.paths) {
        if (context.stop.stop_requested()) return list.empty() ? kStopped : kStoppedAndKept;
        const EnnRun run =
            importEnnCheckpoint(*workspace, path, options.name,
                                [&](const std::string& line) { context.console.message(line); });
        list.push_back({{"run", run.id}, {"name", run.name}, {"step", run.step}});
        if (!options.json)
            context.console.line(run.id + "  " + escaped(run.name, 100) +
                                 ": a training, with its checkpoint of step " +
                                 std::to_string(run.step));
    }
    if (options.json) context.console.json(list);
    return 0;
}

int runImport(const ImportOptions& options, VerbContext& context) {
    const auto checkpoints = std::ranges::count_if(options.paths, isCheckpoint);
    if (checkpoints == std::ssize(options.paths)) return importCheckpoints(options, context);
    if (checkpoints > 0)
        throw Error("Import checkpoints and curves one after the other.", Error::Kind::BadInput);
    // All is read before anything is stored.
    std::vector<ImportedRun> runs;
    for (const std::string& path : options.paths)
        for (ImportedRun& run : readImport(path, context.stop, context.console.progressSink()))
            runs.push_back(std::move(run));
    context.console.endProgress();
    if (context.stop.stop_requested()) return kStopped;
    requireOne(options, runs.size());
    if (options.names == "sb3")
        for (ImportedRun& run : runs) takeStableBaselinesNames(run);
    const auto workspace = openForWriting(options.workspace, context.console);
    auto list = nlohmann::ordered_json::array();
    for (ImportedRun& run : runs) {
        if (!options.name.empty()) run.name = options.name;
        const std::string id =
            storeImport(*workspace, run, context.stop, context.console.progressSink());
        context.console.endProgress();
        if (id.empty()) return kStoppedAndKept;
        list.push_back({{"run", id},
                        {"name", run.name},
                        {"points", run.points.size()},
                        {"left_out", run.leftOut},
                        {"whole", run.isWhole}});
        if (!run.isWhole)
            context.console.message("note: " + escaped(run.source) +
                                    ": the damaged end of a file was left out");
        if (!options.json)
            context.console.line(id + "  " + escaped(run.name, 100) + ": " +
                                 std::to_string(run.points.size()) + " points");
    }
    if (options.json) context.console.json(list);
    return 0;
}

}  // namespace

void addImportVerb(Verb& program) {
    auto options = std::make_shared<ImportOptions>();
    Verb& verb = program.add(
        {.name = "import",
         .summary = "Take in curves and checkpoints of other programs",
         .description =
             "Every folder with event files becomes a run, and so does every table. A table has a "
             "head with the columns key, step and value, or with the step first and a curve in "
             "each other column. The runs get the tag `imported`; they have curves and no values. "
             "Curves of Stable-Baselines3 are laid beside those of trainings among things with "
             "--names sb3: rewards and lengths of episodes, speed and losses get the names that "
             "these have here, the entropy loss is negated, the loss of the values halved; other "
             "curves keep their names. A checkpoint's folder of enn-trainer, with config.ron, "
             "state.ron and state.agent.msgpack, becomes a training that was stopped: it can be "
             "played, evaluated, forked and resumed. Pickles are never read.",
         .examples = {{"orrery import logs", "all TensorBoard runs below that folder"},
                      {"orrery import logs --names sb3", "logs of Stable-Baselines3"},
                      {"orrery import checkpoints/latest-step000000024576",
                       "a checkpoint of enn-trainer"},
                      {"orrery import loss.csv --name baseline", "one table"}}},
        [options](VerbContext& context) { return runImport(*options, context); });
    verb.option("PATH", &options->paths,
                "Event files, folders of them, .csv or .tsv; folders of checkpoints",
                {.isRequired = true});
    verb.option(
        "--names", &options->names,
        "What curves are called: kept, as they are; sb3, those of Stable-Baselines3 as ours",
        {.showsDefault = true, .choices = {"kept", "sb3"}});
    verb.option("--name", &options->name, "A name for the run");
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
