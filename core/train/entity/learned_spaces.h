#pragma once

#include "core/checkpoint/checkpoint_folder.h"
#include "core/entity/entity_layout.h"

namespace orrery {

/// Keeps what the networks of a checkpoint learned from, and what they were shown last.
void saveSpaces(CheckpointWriter& writer, const EntityLayout& learned, const EntityLayout& shown);

/// What they learned from; `shown` in checkpoints that do not say. @throws Error (Damaged)
EntityLayout learnedSpaces(const Checkpoint& checkpoint, const EntityLayout& shown);

/// Whether they were shown the same last; true in checkpoints that do not say.
/// @throws Error (Damaged)
bool wereShown(const Checkpoint& checkpoint, const EntityLayout& shown);

/// Types, features and actions are the same, in the same order.
bool showSame(const EntityLayout& a, const EntityLayout& b);

}  // namespace orrery
