#include "app/cli/train_report.h"
#include "app/cli/verb.h"
#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/run_kind.h"

namespace orrery {
namespace {

struct ResumeOptions {
    std::string run, workspace;
    bool printCommits = false;
    bool json = false;
};

/// Why a run cannot be resumed; empty if it can.
std::string whyNotResumed(const RunRecord& record, const RunSpec& spec) {
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining())
        return "is a " + kind.noun + ", which has no checkpoints" +
               (kind.canStart() ? ": start it again" : "");
    if (!record.trashedUtc.empty()) return "is in the trash: take it out first";
    if (record.state == RunState::Finished)
        return "is finished; to train on, fork it: `orrery fork " + record.id +
               " num_training_steps=N`";
    if (!record.state) return "has a state of a newer version";
    return {};
}

int runResume(const ResumeOptions& options, VerbContext& context) {
    const auto workspace = openForWriting(options.workspace, context.console,
                                          commitPrinting(options.printCommits, context.console));
    const RunRecord record = workspace->reader().findRun(options.run);
    RunSpec spec = storedSpec(*workspace, record.id);
    if (const std::string why = whyNotResumed(record, spec); !why.empty())
        throw Error("Run " + record.id + " " + why + ".", Error::Kind::BadInput);
    return carryOutTraining(
        std::move(spec),
        {.workspace = workspace.get(), .resumedId = record.id, .json = options.json}, context);
}

}  // namespace

void addResumeVerb(Verb& program) {
    auto options = std::make_shared<ResumeOptions>();
    Verb& verb = program.add(
        {.name = "resume",
         .summary = "Resume a training that was stopped, interrupted or failed",
         .description =
             "Begins with the run's newest good checkpoint and goes on under the same id, as if "
             "nothing had happened: on a processor, synchronous training gives the same numbers. "
             "Points of its curves behind the checkpoint are kept under superseded.N/.",
         .examples = {{"orrery resume 12", "run r00012 of the default workspace"}}},
        [options](VerbContext& context) { return runResume(*options, context); });
    verb.option("RUN", &options->run, "Id, number or name of a run", {.isRequired = true});
    addWorkspaceOption(verb, options->workspace);
    verb.option("--print-commits", &options->printCommits,
                "Print a line COMMIT ROWS after each transaction that is safe on disk");
    addJsonOption(verb, options->json, {.excludes = "--print-commits"});
}

}  // namespace orrery
