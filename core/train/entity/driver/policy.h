#pragma once

#include <memory>

#include "core/train/entity/entity_training.h"

namespace orrery {

/// As EntityLibrary::policy.
std::unique_ptr<AdvisingPolicy> policyOfCheckpoint(const EntityPolicyRequest& request);

}  // namespace orrery
