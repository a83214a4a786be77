#pragma once

#include <memory>
#include <string>

#include "app/cli/verb.h"
#include "core/env/advice.h"
#include "core/run/run_spec.h"

namespace orrery {

/// How a command line names a policy that was learned.
struct PolicyChoice {
    std::string run, checkpoint, workspace;
};

/// `--checkpoint` and `--workspace`.
void addPolicyOptions(Verb& verb, PolicyChoice& choice);

/// The policy of a training that acts in environments, with the spec that it was learned by.
struct StoredPolicy {
    std::string run;  ///< its id
    RunSpec spec;
    std::unique_ptr<AdvisingPolicy> policy;
};
/// @throws Error (BadInput) if there is no such run, or it acts in no environment, (Damaged) its
///         checkpoint
StoredPolicy policyOf(const PolicyChoice& choice, Console& console);

}  // namespace orrery
