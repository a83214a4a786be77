#include <optional>

#include "app/cli/spec_options.h"
#include "app/cli/train_report.h"
#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/run_fields.h"
#include "core/run/run_kind.h"

namespace orrery {
namespace {

struct ForkOptions {
    std::string run, workspace;
    std::vector<std::string> changes;  // FIELD=VALUE
    std::string from;
    bool repeats = false;
    bool json = false;
};

std::vector<FieldChange> changesIn(const ForkOptions& options, const RunKind& kind) {
    std::vector<FieldChange> changes;
    for (const std::string& text : options.changes) changes.push_back(fieldChange(text, kind));
    return changes;
}

/// The last changed field that a checkpoint cannot stand; empty if there is none.
std::string structuralIn(const std::vector<FieldChange>& changes) {
    std::string structural;
    for (const FieldChange& change : changes)
        if (change.field->isStructural) structural = change.field->name;
    return structural;
}

/// The step to begin with; nothing for the start.
std::optional<std::int64_t> stepOf(const ForkOptions& options, const std::string& structural,
                                   const Workspace& workspace, const std::string& run,
                                   Console& console) {
    if (options.from == "start" || options.repeats) return std::nullopt;
    if (!structural.empty()) {
        if (!options.from.empty())
            throw Error("A checkpoint cannot be trained further where " + structural +
                            " changes. Leave --from out to begin at the start.",
                        Error::Kind::BadInput);
        console.message("note: " + structural + " changes, so the fork begins at the start");
        return std::nullopt;
    }
    if (options.from == kBestCheckpoint)
        return chosenCheckpoint(workspace, run, options.from).manifest().step;
    if (!options.from.empty()) {
        const auto step = parseInt(options.from);
        if (!step || *step < 0)
            throw Error("--from must be a step, 'best' or 'start', got '" +
                            escaped(options.from, 40) + "'.",
                        Error::Kind::BadInput);
        return step;
    }
    const CheckpointChoice newest = newestCheckpoint(workspace.runFolder(run));
    for (const std::string& line : newest.skipped) console.message("warning: " + escaped(line));
    if (!newest.checkpoint) {
        console.message("note: the run has no checkpoint, so the fork begins at the start");
        return std::nullopt;
    }
    return newest.checkpoint->manifest().step;
}

/// What the fork has of the run that it is of: its spec, for a checkpoint's step or for the start.
RunSpec baseOf(const ForkOptions& options, const std::string& structural,
               const std::optional<std::int64_t>& step, const Workspace& workspace,
               const std::string& run) {
    RunSpec spec = step              ? storedSpecAt(workspace, run, *step)
                   : options.repeats ? repeatedSpec(workspace, run)
                                     : storedSpec(workspace, run);
    if (options.repeats && structural.empty()) return spec;  // it may itself be a fork
    TrainSettings& settings = *spec.job.kind().training(spec.job);
    settings.fromRun = step ? run : "";
    settings.fromStep = step.value_or(0);
    return spec;
}

int runFork(const ForkOptions& options, VerbContext& context) {
    const auto workspace = openForWriting(options.workspace, context.console);
    const RunRecord record = workspace->reader().findRun(options.run);
    const RunKind* kind = kindOf(record);
    if (kind == nullptr || !kind->isTraining())
        throw Error("Run " + record.id + " is " +
                        (kind == nullptr ? "of another version" : "a " + kind->noun) +
                        "; only trainings can be forked.",
                    Error::Kind::BadInput);
    const std::vector<FieldChange> changes = changesIn(options, *kind);
    const std::string structural = structuralIn(changes);
    const auto step = stepOf(options, structural, *workspace, record.id, context.console);
    RunSpec spec = baseOf(options, structural, step, *workspace, record.id);
    spec.name = record.name.empty() ? record.id : record.name;
    for (const FieldChange& change : changes) {
        change.apply(spec);
        spec.name += " · " + change.field->name + " " + shortFieldText(change.field->get(spec));
    }
    if (changes.empty()) spec.name += options.repeats ? " · repeat" : " · fork";
    // Says at once what is wrong.
    if (step) Checkpoint::open(workspace->runFolder(record.id), *step, false);
    return carryOutTraining(
        std::move(spec), {.workspace = workspace.get(), .parent = record.id, .json = options.json},
        context);
}

}  // namespace

void addForkVerb(Verb& program) {
    auto options = std::make_shared<ForkOptions>();
    Verb& verb = program.add(
        {.name = "fork",
         .summary = "Begin a new training with another one's checkpoint and changed fields",
         .description =
             "The new run has the other one as its parent, and its parameters as they were at the "
             "checkpoint, steered ones too. Fields on which the shape of networks or tables "
             "depends can be changed too; then it begins at the start. --repeat does the whole "
             "training again as it was: begun where it began, with every change that was made "
             "while it ran at its step. A synchronous training then comes out the same, bit for "
             "bit, which `orrery diff` shows.",
         .examples = {{"orrery fork 12 lr_q_r=0.0005", "from the newest checkpoint of r00012"},
                      {"orrery fork 12 --from 4000 beta_r=5", "from that of step 4000"},
                      {"orrery fork 12 hidden_dim=128", "the same with wider networks"},
                      {"orrery fork 12 --repeat", "r00012 once more, steered as it was"}}},
        [options](VerbContext& context) { return runFork(*options, context); });
    verb.option("RUN", &options->run, "Id, number or name of a training", {.isRequired = true});
    verb.option("CHANGE", &options->changes, "Fields that change: FIELD=VALUE");
    verb.option("--from", &options->from,
                "Step of the checkpoint to begin with, 'best' or 'start'; default the newest");
    verb.option("--repeat", &options->repeats,
                "Begin as the run began, and repeat its changes at their steps",
                {.excludes = "--from"});
    addWorkspaceOption(verb, options->workspace);
    addJsonOption(verb, options->json);
}

}  // namespace orrery
