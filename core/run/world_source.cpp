#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/files/world_file.h"
#include "core/run/builtin_worlds.h"
#include "core/run/run_spec.h"

namespace orrery {

WorldSource worldSource(const SolveJob& job) {
    if (job.worldText) return {.name = job.world, .text = *job.worldText};
    const std::filesystem::path file =
        isBuiltinWorld(job.world) ? builtinWorldFile(job.world) : std::filesystem::path(job.world);
    if (!std::filesystem::exists(file))
        throw Error(
            "There is no world file '" + job.world +
                "'. Give the path of a world file or builtin:NAME (see `orrery world list`).",
            Error::Kind::BadInput);
    return {.name = job.world, .text = readFile(file, kMaxWorldFileBytes)};
}

}  // namespace orrery
