#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/files/world_file.h"
#include "core/run/builtin_worlds.h"
#include "core/run/run_spec.h"

namespace orrery {

WorldSource worldSource(const SolveJob& job) {
    if (job.worldText) return {.name = job.world, .text = *job.worldText};
    const std::filesystem::path file =
        isBuiltinWorld(job.world) ? builtinWorldFile(job.world) : std::filesystem::path(job.world);
    std::error_code unknown;  // reading says what else is wrong
    if (std::filesystem::status(file, unknown).type() == std::filesystem::file_type::not_found)
        throw Error(
            "There is no world file '" + job.world +
                "'. Give the path of a world file or builtin:NAME (see `orrery world list`).",
            Error::Kind::BadInput);
    return {.name = job.world, .text = readFile(file, kMaxWorldFileBytes)};
}

std::vector<WorldSource> worldSources(const Job& job) {
    if (const auto* solve = std::get_if<SolveJob>(&job)) return {worldSource(*solve)};
    const TrainJob& train = std::get<TrainJob>(job);
    std::vector<WorldSource> sources;
    for (std::size_t i = 0; i < train.worlds.size(); ++i) {
        SolveJob one{.world = train.worlds[i]};
        if (i < train.worldTexts.size()) one.worldText = train.worldTexts[i];
        sources.push_back(worldSource(one));
    }
    return sources;
}

bool isLenient(const Job& job) {
    return std::visit([](const auto& any) { return any.lenient; }, job);
}

std::string worldHashOf(const std::vector<std::string>& hashes) {
    return hashes.size() == 1 ? hashes.front() : sha256Hex(commaList(hashes));
}

std::string worldName(const Job& job) {
    if (const auto* solve = std::get_if<SolveJob>(&job)) return solve->world;
    return commaList(std::get<TrainJob>(job).worlds);
}

}  // namespace orrery
