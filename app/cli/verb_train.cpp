#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/solve_input.h"
#include "app/cli/spec_options.h"
#include "app/cli/sweep.h"
#include "app/cli/train_report.h"
#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "app/cli/world_input.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/files/diagnostic.h"
#include "core/run/run_fields.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"
#include "core/run/training_memory.h"
#include "core/spec/field_effect.h"

namespace orrery {
namespace {

struct TrainOptions {
    std::vector<std::string> words;  // worlds, and FIELD=VALUE
    std::string specFile, workspace, preset, method;
    FieldOptions runFields, jobFields;
    std::map<std::string, bool> aliases;  // as typed; those that were not are false
    bool tabular = false;
    bool noHistory = false;
    bool printCommits = false;
    bool json = false;
    bool listsFields = false;
    bool isDryRun = false;
    SweepInput sweep;
    std::string csv;
};

/// Names of the kinds of trainings.
std::vector<std::string> methodNames() {
    std::vector<std::string> names;
    for (const RunKind* kind : trainingKinds()) names.push_back(kind->name);
    return names;
}

const RunKind& usualKind() {
    const std::vector<const RunKind*> kinds = trainingKinds();
    return **std::ranges::find_if(kinds, &RunKind::isUsual);
}

/// The kind that --method names; learned planning where it names none.
const RunKind& methodOf(const std::string& name) {
    if (name.empty()) return usualKind();
    const std::vector<std::string> names = methodNames();
    if (std::ranges::count(names, name) > 0) return *findKind(name);
    const auto nearest = closestName(name, names);
    throw Error("There is no method '" + escaped(name, 80) + "'; " +
                    (nearest ? "did you mean '" + *nearest + "'?"
                             : "there are " + joined(names, ", ") + "."),
                Error::Kind::BadInput);
}

/// The first method that acts in the environment which words name; learned planning where they name
/// none.
const RunKind& methodFor(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word.find('=') != std::string::npos || isWorld(word)) continue;
        for (const RunKind* kind : trainingKinds()) {
            Job tried = kind->fresh();
            if (kind->takeEnvironment && kind->takeEnvironment(tried, word)) return *kind;
        }
    }
    return usualKind();
}

/// What the options start from: the spec file's fields, or the defaults of the method. Nothing if
/// the file has errors, which are then printed.
std::optional<RunSpec> baseOf(const TrainOptions& options, Console& console) {
    if (options.specFile.empty())
        return RunSpec{
            .job = (options.method.empty() ? methodFor(options.words) : methodOf(options.method))
                       .fresh()};
    const std::string& file = options.specFile;
    RunSpecReading reading = readRunSpec(readFile(file, kMaxSpecBytes), file);
    for (const Diagnostic& diagnostic : reading.diagnostics)
        console.message(diagnosticLine(diagnostic));
    if (!reading.spec) return std::nullopt;
    const RunKind& kind = reading.spec->job.kind();
    if (!kind.isTraining())
        throw Error(
            file + " is the spec of another job. " +
                (kind.canStart() ? "`orrery " + kind.name + " --spec " + file + "` carries it out."
                                 : "No verb carries it out."),
            Error::Kind::BadInput);
    if (!options.method.empty() && &methodOf(options.method) != &kind)
        throw Error(file + " is a spec of method " + kind.name + ", not of " + options.method +
                        ". Leave --method out.",
                    Error::Kind::BadInput);
    return std::move(reading.spec);
}

/// @throws Error (BadInput) if it is none of what the kind learns in
void nameEnvironment(const std::vector<std::string>& words, RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    if (words.size() > 1)
        throw Error("Trainings by method " + kind.name + " act in one environment, not in " +
                        std::to_string(words.size()) + ".",
                    Error::Kind::BadInput);
    if (kind.takeEnvironment(spec.job, words.front())) return;
    throw Error("There is no environment '" + escaped(words.front(), 80) + "' for method " +
                    kind.name +
                    "; `orrery env list` lists them, `orrery env add` adds one of your own.",
                Error::Kind::BadInput);
}

void nameWorlds(const std::vector<std::string>& words, RunSpec& spec) {
    if (words.empty()) return;
    const RunKind& kind = spec.job.kind();
    if (kind.takeEnvironment) return nameEnvironment(words, spec);
    const RunField* lenient = findField(kind.name, "lenient");
    const bool isLenient = lenient != nullptr && lenient->get(spec) == FieldValue(true);
    std::vector<WorldRef> worlds;
    worlds.reserve(words.size());
    for (const std::string& word : words) worlds.push_back(worldRefOf(word, isLenient));
    kind.takeWorlds(spec.job, worlds);
    if (kind.worlds(spec.job).empty())
        throw Error("'" + escaped(words.front(), 80) + "' is no FIELD=VALUE of method " +
                        kind.name + ", which has no worlds; `orrery train --method " + kind.name +
                        " --options` lists its fields.",
                    Error::Kind::BadInput);
    const auto hasText = [](const WorldRef& world) { return world.text.has_value(); };
    if (worlds.size() > 1 && std::ranges::any_of(worlds, hasText))
        throw Error("The standard input can be the only world, not one of several.",
                    Error::Kind::BadInput);
}

/// The options that only learned planning has.
void applyOptions(const TrainOptions& options, RunSpec& spec) {
    std::map<std::string, bool, std::less<>> given;
    for (const auto& [name, isOn] : options.aliases)
        if (isOn) given[name] = true;
    if (options.tabular) given["use_lookup_tables"] = true;
    const RunKind& kind = spec.job.kind();
    if (kind.isUsual) {
        if (!given.empty()) kind.applyAliases(spec.job, given);
        applyAll({&options.runFields, &options.jobFields}, spec);
        return;
    }
    if (!given.empty() || options.jobFields.hasAny())
        throw Error("The options of fields are those of learned planning; fields of method " +
                        kind.name + " are written FIELD=VALUE.",
                    Error::Kind::BadInput);
    applyAll({&options.runFields}, spec);
}

/// The worlds as a run's name says them; nothing if one has errors, which are then printed.
std::optional<std::string> titleOf(const RunSpec& spec, Console& console) {
    std::string title;
    for (const WorldRef& named : worldRefs(spec.job)) {
        const WorldFile file = readWorld(named).file;
        for (const Diagnostic& diagnostic : file.diagnostics)
            console.message(diagnosticLine(diagnostic));
        if (file.hasErrors) return std::nullopt;
        title += (title.empty() ? "" : ", ") + worldTitle(*makeWorld(file.spec), named.name);
    }
    return title;
}

/// What would be started: nothing is.
/// @throws Error (BadInput, Resource) as its start would
int tellPlan(const RunSpec& spec, const std::vector<SweepAxis>& axes, bool asJson,
             Console& console) {
    for (const SpecProblem& problem : validate(spec))
        throw Error(problem.field + " " + problem.text, Error::Kind::BadInput);
    for (const SpecProblem& note :
         inertFields(spec.job.kind().fields, spec, RunSpec{.job = spec.job.kind().fresh()}))
        console.message("warning: " + note.field + ' ' + note.text);
    const std::vector<MemoryPart> parts = trainingMemory(spec.job, {});
    const std::int64_t limit = memoryLimit(trainSettings(spec.job)->memoryBudget);
    const auto runs = static_cast<std::int64_t>(axes.empty() ? 1 : sweepRuns(spec, axes).size());
    const std::int64_t steps = spec.job.kind().totalSteps(spec.job);
    if (asJson) {
        nlohmann::ordered_json plan{{"name", spec.name}, {"runs", runs}, {"steps", steps}};
        plan["memory"] = nlohmann::ordered_json::object();
        for (const MemoryPart& part : parts) plan["memory"][part.title] = part.bytes;
        plan["bytes"] = bytesOf(parts);
        plan["limit"] = limit;
        console.json(plan);
    } else {
        const std::string times = runs > 1 ? grouped(runs) + " runs of " : "";
        console.line(escaped(spec.name));
        console.line(times + grouped(steps) + " steps");
        for (const MemoryPart& part : parts)
            console.line(part.title + ": about " + sizeText(part.bytes) + " at most");
    }
    requireMemory(parts, limit, spec.job.kind().memoryAdvice);
    return 0;
}

int runTrain(const TrainOptions& options, VerbContext& context) {
    if (options.listsFields) {
        printFields(methodOf(options.method), context.console);
        return 0;
    }
    std::optional<RunSpec> base = baseOf(options, context.console);
    if (!base) return Error("", Error::Kind::BadInput).exitStatus();
    RunSpec spec = std::move(*base);
    takePreset(spec, options.preset);
    applyOptions(options, spec);
    nameWorlds(takeFields(options.words, spec), spec);
    TrainSettings& settings = *spec.job.kind().training(spec.job);
    // The run may be resumed from another folder.
    if (!settings.tensorBoardFolder.empty())
        settings.tensorBoardFolder = std::filesystem::absolute(settings.tensorBoardFolder).string();
    if (spec.job.kind().placeTitle.empty() && worldRefs(spec.job).empty())
        throw Error("Name a world: a file, builtin:NAME, or one in a --spec file.",
                    Error::Kind::BadInput);
    const auto title = titleOf(spec, context.console);
    if (!title) return Error("", Error::Kind::BadInput).exitStatus();
    if (spec.name.empty()) spec.name = describeRun(*title, spec);
    const std::vector<SweepAxis> axes = requireSweep(options.sweep, spec);
    if (axes.empty() && !options.csv.empty())
        throw Error("--csv is the table of a sweep; give --sweep or --seeds, too.",
                    Error::Kind::BadInput);
    if (options.isDryRun) return tellPlan(spec, axes, options.json, context.console);
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
    const RunKind& usual = usualKind();
    addPresetOption(verb, usual, options->preset);
    options->runFields.declare(verb, runFields());
    std::vector<std::string_view> fields;
    for (const RunField& field : usual.fields)
        if (field.name != "world" && field.name != "world_text" && !field.name.starts_with("from_"))
            fields.push_back(field.name);
    options->jobFields.declare(verb, usual.fields, fields);
    verb.option("--tabular", &options->tabular,
                "Tables for all that is learned; the same as --use-lookup-tables");
    for (const SpecAlias& alias : usual.aliases) {
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
                      {"orrery train MineSweeper env.kwargs.nmines=3 optim.lr=3e-4",
                       "an environment of `orrery env list`, by proximal policy optimisation"},
                      {"orrery train MineSweeper cloning.file=seen.samples",
                       "learn to decide as samples do; capture_samples=seen.samples keeps them"},
                      {"orrery train a.yaml b.yaml --spec run.yaml",
                       "two worlds at once, everything else from a file"},
                      {"orrery train first_steps --tabular --sweep lr_q_r=1e-3,1e-4 --seeds 3",
                       "six runs: two rates, three seeds of each"}}},
        [options](VerbContext& context) { return runTrain(*options, context); });
    verb.option("WORLD", &options->words,
                "World files (YAML or JSON), names of example worlds, - for the standard input, "
                "or the name of an environment; and fields as FIELD=VALUE");
    verb.option(
        "--method", &options->method,
        "How is learned: " + joined(methodNames(), ", ") +
            "; by default the one that acts in the environment, else train, learned planning");
    verb.option("--spec,--config", &options->specFile, "Read the fields of the run from this file");
    addFieldsOption(verb, options->listsFields);
    declareFields(verb, options);
    addWorkspaceOption(verb, options->workspace);
    verb.option("--no-history", &options->noHistory, "Store nothing in a workspace");
    verb.option("--dry-run", &options->isDryRun,
                "Start nothing: check all, and say what would be started and what memory it takes");
    addSweepOptions(verb, options->sweep);
    verb.option("--csv", &options->csv, "Write a table of the runs of a sweep here, too",
                {.writes = Writes::Target});
    verb.option("--print-commits", &options->printCommits,
                "Print a line COMMIT ROWS after each transaction that is safe on disk");
    addJsonOption(verb, options->json, {.excludes = "--print-commits"});
}

}  // namespace orrery
