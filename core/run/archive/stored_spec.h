#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/history/workspace.h"
#include "core/run/run_spec.h"

namespace orrery {

/// Behind the message about a file that is not the one that was recorded.
inline constexpr const char* kDamagedAdvice = " `orrery verify` names everything that is damaged.";

/// Null if there is none of that kind.
const ArtefactRow* artefactOf(const std::vector<ArtefactRow>& rows, const std::string& kind);

/// The spec of a stored run, with the world text that the run used (later edits of the world file
/// do not matter).
/// @throws Error (BadInput) if there is no such run, (Damaged) if its files are
RunSpec storedSpec(const Workspace& workspace, const std::string& run);

/// The same of a training as a checkpoint of it was learned: with the parameters that were in force
/// after the changes up to this step, whether its spec lists them or it was steered. `changes`
/// keeps what the spec lists for later, and for actors. Whoever opens a checkpoint takes this spec.
/// @throws Error as storedSpec
RunSpec storedSpecAt(const Workspace& workspace, const std::string& run, std::int64_t step);

/// The spec that repeats a stored training as it was steered: each applied change is listed with
/// its step. A synchronous training comes out the same, bit for bit.
/// @throws Error as storedSpec
RunSpec repeatedSpec(const Workspace& workspace, const std::string& run);

}  // namespace orrery
