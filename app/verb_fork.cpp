#include <optional>

#include "app/train_report.h"
#include "app/verb.h"
#include "app/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/run/best_checkpoint.h"
#include "core/run/reopen.h"
#include "core/run/spec_field.h"
#include "core/run/train_fields.h"

namespace orrery {
namespace {

struct ForkOptions {
    std::string run, workspace;
    std::vector<std::string> changes;  // FIELD=VALUE
    std::string from;
    bool json = false;
};

/// Carries out FIELD=VALUE. @return its text for the name; marks what a checkpoint cannot stand
std::string applyOne(const std::string& text, RunSpec& spec, std::string& structural) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        throw Error("A change is written FIELD=VALUE, got '" + escaped(text, 80) + "'.",
                    Error::Kind::BadInput);
    const std::string name = text.substr(0, equals);
    const SpecField* field = findField("train", name);
    if (field == nullptr) {
        std::vector<std::string> known;
        for (const SpecField& each : trainFields()) known.push_back(each.name);
        const auto nearest = closestName(name, known);
        throw Error("There is no field '" + escaped(name, 80) + "'." +
                        (nearest ? " Did you mean '" + *nearest + "'?" : ""),
                    Error::Kind::BadInput);
    }
    field->set(spec, fieldFromText(*field, text.substr(equals + 1)));
    if (isStructural(name)) structural = name;
    return name + " " + shortFieldText(field->get(spec));
}

/// The step to begin with; nothing for the start.
std::optional<std::int64_t> stepOf(const ForkOptions& options, const std::string& structural,
                                   const Workspace& workspace, const std::string& run,
                                   Console& console) {
    if (options.from == "start") return std::nullopt;
    if (!structural.empty()) {
        if (!options.from.empty())
            throw Error("A checkpoint cannot be gone on with where " + structural +
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

int runFork(const ForkOptions& options, VerbContext& context) {
    const auto workspace = openForWriting(options.workspace, context.console);
    const RunRecord record = workspace->reader().findRun(options.run);
    RunSpec spec = storedSpec(*workspace, record.id);
    auto* job = std::get_if<TrainJob>(&spec.job);
    if (job == nullptr)
        throw Error("Run " + record.id + " is a solve; only trainings can be forked.",
                    Error::Kind::BadInput);
    std::string structural;
    std::string name = record.name.empty() ? record.id : record.name;
    for (const std::string& change : options.changes)
        name += " · " + applyOne(change, spec, structural);
    spec.name = options.changes.empty() ? name + " · fork" : name;
    const std::filesystem::path folder = workspace->runFolder(record.id);
    const auto step = stepOf(options, structural, *workspace, record.id, context.console);
    job->fromRun = step ? record.id : "";
    job->fromStep = step.value_or(0);
    if (step) Checkpoint::open(folder, *step, false);  // says at once what is wrong
    return carryOutTraining(
        std::move(spec), {.workspace = workspace.get(), .parent = record.id, .json = options.json},
        context);
}

}  // namespace

void addForkVerb(VerbTable& verbs) {
    auto options = std::make_shared<ForkOptions>();
    CLI::App* verb = verbs.add(
        {.name = "fork",
         .summary = "Begin a new training with another one's checkpoint and changed fields",
         .description =
             "The new run has the other one as its parent. Fields on which the shape of networks "
             "or tables depends can be changed too; then it begins at the start.",
         .examples = {{"orrery fork 12 lr_q_r=0.0005", "from the newest checkpoint of r00012"},
                      {"orrery fork 12 --from 4000 beta_r=5", "from that of step 4000"},
                      {"orrery fork 12 hidden_dim=128", "the same with wider networks"}}},
        [options](VerbContext& context) { return runFork(*options, context); });
    verb->add_option("RUN", options->run, "Id, number or name of a training")->required();
    verb->add_option("CHANGE", options->changes, "Fields that change: FIELD=VALUE");
    verb->add_option("--from", options->from,
                     "Step of the checkpoint to begin with, 'best' or 'start'; default the newest");
    addWorkspaceOption(*verb, options->workspace);
    addJsonOption(*verb, options->json);
}

}  // namespace orrery
