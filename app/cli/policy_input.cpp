#include "app/cli/policy_input.h"

#include "app/cli/workspace_option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/run_kind.h"

namespace orrery {

void addPolicyOptions(Verb& verb, PolicyChoice& choice) {
    verb.option("--checkpoint", &choice.checkpoint,
                "Step of the agent's checkpoint, or best; without it, the newest good one");
    addWorkspaceOption(verb, choice.workspace);
}

StoredPolicy policyOf(const PolicyChoice& choice, Console& console) {
    const auto workspace = openForReading(choice.workspace, console);
    const RunRecord record = workspace->reader().findRun(choice.run);
    const std::string& run = record.id;
    const RunKind* kind = kindOf(record);
    if (kind == nullptr || !kind->policy)
        throw Error("Run " + run + " acts in no environment: it is " +
                        (kind == nullptr ? "of another version" : "of kind " + kind->name) + ".",
                    Error::Kind::BadInput);
    const Checkpoint checkpoint = chosenCheckpoint(
        *workspace, run, choice.checkpoint,
        [&](const std::string& line) { console.message("warning: " + escaped(line)); });
    RunSpec spec = storedSpecAt(*workspace, run, checkpoint.manifest().step);
    auto policy = kind->policy(spec, checkpoint);
    return {.run = run, .spec = std::move(spec), .policy = std::move(policy)};
}

}  // namespace orrery
