#include <algorithm>
#include <filesystem>
#include <map>

#include "app/solve_input.h"
#include "app/spec_options.h"
#include "app/sweep.h"
#include "app/train_report.h"
#include "app/verb.h"
#include "app/workspace_option.h"
#include "app/world_input.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/files/diagnostic.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"
#include "core/run/solve_job.h"
#include "core/run/train_job.h"
#include "core/run/train_kind.h"

namespace orrery {
namespace {

struct TrainOptions {
    std::vector<std::string> worlds;
    std::string specFile, workspace, preset;
    FieldOptions runFields, jobFields;
    std::map<std::string, bool> aliases;  // as typed; those that were not are false
    bool tabular = false;
    bool noHistory = false;
    bool printCommits = false;
    bool json = false;
    bool listsFields = false;
    SweepInput sweep;
    std::string csv;
};

/// The spec file's fields; nothing if it has errors, which are then printed.
std::optional<RunSpec> readSpecFile(const std::string& file, Console& console) {
    const RunSpecReading reading = readRunSpec(readFile(file, kMaxSpecBytes), file);
    for (const Diagnostic& diagnostic : reading.diagnostics)
        console.message(diagnosticLine(diagnostic));
    if (reading.spec && !reading.spec->job.is<TrainJob>())
        throw Error(file + " is the spec of another job. `orrery " + reading.spec->job.kind().name +
                        " --spec " + file + "` carries it out.",
                    Error::Kind::BadInput);
    return reading.spec;
}

void nameWorlds(const std::vector<std::string>& words, TrainJob& job) {
    if (words.empty()) return;
    job.worlds.clear();
    job.worldTexts.clear();
    for (const std::string& word : words) {
        const WorldRef world = worldRefOf(word);
        job.worlds.push_back(world.name);
        if (world.text) job.worldTexts.push_back(*world.text);
    }
    if (!job.worldTexts.empty() && job.worldTexts.size() != job.worlds.size())
        throw Error("The standard input can be the only world, not one of several.",
                    Error::Kind::BadInput);
}

void applyTables(const TrainOptions& options, TrainJob& job) {
    std::map<std::string, bool, std::less<>> given;
    for (const auto& [name, isOn] : options.aliases)
        if (isOn) given[name] = true;
    if (options.tabular) given["use_lookup_tables"] = true;
    if (!given.empty()) applyAliases(given, job.empo);
}

int runTrain(const TrainOptions& options, VerbContext& context) {
    if (options.listsFields) {
        printFields(trainKind(), context.console);
        return 0;
    }
    RunSpec spec;
    spec.job = TrainJob{};
    if (!options.specFile.empty()) {
        auto read = readSpecFile(options.specFile, context.console);
        if (!read) return Error("", Error::Kind::BadInput).exitStatus();
        spec = std::move(*read);
    }
    TrainJob& job = spec.job.as<TrainJob>();
    takePreset(spec, options.preset);
    applyTables(options, job);
    applyAll({&options.runFields, &options.jobFields}, spec);
    nameWorlds(options.worlds, job);
    // The run may be resumed from another folder.
    if (!job.tensorBoardFolder.empty())
        job.tensorBoardFolder = std::filesystem::absolute(job.tensorBoardFolder).string();
    if (job.worlds.empty())
        throw Error("Name a world: a file, builtin:NAME, or one in a --spec file.",
                    Error::Kind::BadInput);
    std::string title;
    for (const WorldRef& named : worldRefs(job)) {
        const WorldFile file = readWorld(named).file;
        for (const Diagnostic& diagnostic : file.diagnostics)
            context.console.message(diagnosticLine(diagnostic));
        if (file.hasErrors) return Error("", Error::Kind::BadInput).exitStatus();
        title += (title.empty() ? "" : ", ") + worldTitle(*makeWorld(file.spec), named.name);
    }
    if (spec.name.empty()) spec.name = describeRun(title, spec);
    const std::vector<SweepAxis> axes = requireSweep(options.sweep, spec);
    if (axes.empty() && !options.csv.empty())
        throw Error("--csv is the table of a sweep; give --sweep or --seeds, too.",
                    Error::Kind::BadInput);
    std::unique_ptr<Workspace> workspace;
    if (!options.noHistory)
        workspace = openForWriting(options.workspace, context.console,
                                   commitPrinting(options.printCommits, context.console));
    if (!axes.empty())
        return carryOutSweep(spec, axes, workspace.get(),
                             {.csv = options.csv, .json = options.json}, context);
    return carryOutTraining(std::move(spec), {.workspace = workspace.get(), .json = options.json},
                            context);
}

void declareFields(Verb& verb, const std::shared_ptr<TrainOptions>& options) {
    addPresetOption(verb, trainKind(), options->preset);
    options->runFields.declare(verb, runFields());
    std::vector<std::string_view> fields;
    for (const RunField& field : trainFields())
        if (field.name != "world" && field.name != "world_text" && !field.name.starts_with("from_"))
            fields.push_back(field.name);
    options->jobFields.declare(verb, trainFields(), fields);
    verb.option("--tabular", &options->tabular,
                "Tables for all that is learned; the same as --use-lookup-tables");
    for (const SpecAlias& alias : trainAliases()) {
        std::string option = "--" + alias.name;
        std::ranges::replace(option, '_', '-');
        verb.option(option, &options->aliases[alias.name], alias.meaning);
    }
}

}  // namespace

void addTrainVerb(Verb& program) {
    auto options = std::make_shared<TrainOptions>();
    Verb& verb = program.add(
        {.name = "train",
         .summary = "Learn the robot's policy from sampled steps, in tables or networks",
         .description =
             "Stores the run in the workspace with its spec, curves, events and checkpoints. "
             "Worlds "
             "that are small enough are solved exactly first, so that the error of what is learned "
             "is known. Options override the fields of a --spec file. TERM and INT make a "
             "checkpoint and stop; `orrery resume` goes on from it. `orrery steer` changes safe "
             "parameters of a live run. The status is 4 if the training diverged and 6 if the "
             "learning library or the device is missing.",
         .examples = {{"orrery train first_steps --tabular --num-training-steps 20000",
                       "learn an example world in tables"},
                      {"orrery train maze.yaml --async-training --num-actors 2 --hidden-dim 64",
                       "networks, two actors of their own"},
                      {"orrery train a.yaml b.yaml --spec run.yaml",
                       "two worlds at once, everything else from a file"},
                      {"orrery train first_steps --tabular --sweep lr_q_r=1e-3,1e-4 --seeds 3",
                       "six runs: two rates, three seeds of each"}}},
        [options](VerbContext& context) { return runTrain(*options, context); });
    verb.option("WORLD", &options->worlds,
                "World files (YAML or JSON), names of example worlds, or - for the standard "
                "input");
    verb.option("--spec", &options->specFile, "Read the fields of the run from this file");
    addFieldsOption(verb, options->listsFields);
    declareFields(verb, options);
    addWorkspaceOption(verb, options->workspace);
    verb.option("--no-history", &options->noHistory, "Store nothing in a workspace");
    addSweepOptions(verb, options->sweep);
    verb.option("--csv", &options->csv, "Write a table of the runs of a sweep here, too",
                {.writes = Writes::Target});
    verb.option("--print-commits", &options->printCommits,
                "Print a line COMMIT ROWS after each transaction that is safe on disk");
    addJsonOption(verb, options->json, {.excludes = "--print-commits"});
}

}  // namespace orrery
