#include "core/run/jobs/environments.h"

#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/entity/envs/entity_environments.h"
#include "core/run/builtin_worlds.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"

namespace orrery {

namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;

/// "CartPole" -> "cart_pole".
std::string fileNameOf(std::string_view environment) {
    std::string name;
    for (const char c : environment) {
        const bool isUpper = c >= 'A' && c <= 'Z';
        if (isUpper && !name.empty()) name += '_';
        name += isUpper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return name;
}

}  // namespace

EnvironmentCatalogue knownEnvironments() {
    return entityEnvironments();
}

RunSpec suggestedTraining(std::string_view environment, std::string_view optionsJson) {
    const std::filesystem::path file =
        dataFolder() / "specs/entity" / (fileNameOf(environment) + ".yaml");
    std::error_code ignored;
    RunSpec spec;
    if (std::filesystem::exists(file, ignored)) {
        spec = runSpecFromJson(readFile(file, kMostBytes), file.string());
    } else {
        for (const RunKind* kind : trainingKinds()) {
            spec.job = kind->fresh();
            if (kind->takeEnvironment && kind->takeEnvironment(spec.job, environment)) break;
        }
    }
    const RunKind& kind = spec.job.kind();
    if (!kind.takeEnvironment || !kind.takeEnvironment(spec.job, environment))
        throw badInput("No method learns in the environment '" + escaped(environment, 60) + "'.");
    if (const RunField* options = findField(kind.name, "env.kwargs");
        options != nullptr && optionsJson != "{}")
        options->set(spec, fieldFromText(*options, optionsJson));
    spec.name.clear();
    spec.name = describeRun({}, spec);
    return spec;
}

}  // namespace orrery
