#include "app/cli/solve_input.h"

#include <filesystem>

#include "app/cli/world_input.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/files/diagnostic.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_name.h"

namespace orrery {
namespace {

/// Prints them. @return true if there is an error among them
bool report(const std::vector<Diagnostic>& diagnostics, Console& console) {
    bool hasErrors = false;
    for (const Diagnostic& diagnostic : diagnostics) {
        console.message(diagnosticLine(diagnostic));
        hasErrors |= diagnostic.severity == Severity::Error;
    }
    return hasErrors;
}

/// Where the fields come from.
struct Origins {
    SpecPlaces spec, rules;
};

/// The problem at its place in the file that it is from; on the command line without one.
void reportProblem(const SpecProblem& problem, const SolveInput& input, const Origins& origins,
                   Console& console) {
    const auto inRules = placeOf(origins.rules, problem.field);
    const auto inSpec = placeOf(origins.spec, problem.field);
    if (!inRules && !inSpec) {
        console.error("The solve cannot be started: " + problem.field + " " + problem.text + ".");
        return;
    }
    const Diagnostics::Place place = inRules ? *inRules : *inSpec;
    console.message(diagnosticLine({.file = inRules ? input.rulesFile : input.specFile,
                                    .line = place.line,
                                    .column = place.column,
                                    .code = "E113",
                                    .message = "'" + problem.field + "' " + problem.text}));
}

/// The run's world; null if there is a problem with the spec, which is then printed.
std::shared_ptr<const World> worldOfSound(const RunSpec& spec, const SolveInput& input,
                                          const Origins& origins, Console& console) {
    const SolveJob& job = spec.job.as<SolveJob>();
    auto world = loadWorld(job.world, console);
    if (!world) return nullptr;
    std::vector<SpecProblem> problems = validate(spec);
    if (problems.empty()) problems = validate(job.solve, *world);
    for (const SpecProblem& problem : problems) reportProblem(problem, input, origins, console);
    return problems.empty() ? std::move(world) : nullptr;
}

}  // namespace

std::string worldTitle(const World& world, const std::string& file) {
    const bool isNameless = world.name().empty() || world.name() == "grid world";
    return isNameless ? std::filesystem::path(file).stem().string() : world.name();
}

std::optional<RunSpec> readSolveInput(const SolveInput& input, Console& console) {
    RunSpec spec;
    Origins origins;
    if (!input.specFile.empty()) {
        const RunSpecReading reading =
            readRunSpec(readFile(input.specFile, kMaxSpecBytes), input.specFile);
        if (report(reading.diagnostics, console) || !reading.spec) return std::nullopt;
        requireSolve(*reading.spec, input.specFile);
        spec = *reading.spec;
        origins.spec = reading.places;
    }
    takePreset(spec, input.preset);
    applyAll({&input.runFields, &input.jobFields}, spec);
    if (!input.rulesFile.empty() && report(readRules(readFile(input.rulesFile, kMaxSpecBytes),
                                                     input.rulesFile, spec.job, &origins.rules),
                                           console))
        return std::nullopt;
    const std::vector<std::string> worlds = takeFields(input.words, spec);
    if (worlds.size() > 1)
        throw Error("A solve has one world, got '" + escaped(worlds[0], 80) + "' and '" +
                        escaped(worlds[1], 80) + "'.",
                    Error::Kind::BadInput);
    SolveJob& job = spec.job.as<SolveJob>();
    if (!worlds.empty()) job.world = worldRefOf(worlds.front(), job.world.lenient);
    if (job.world.name.empty())
        throw Error("Name a world: a file, builtin:NAME, or one in a --spec file.",
                    Error::Kind::BadInput);
    const auto world = worldOfSound(spec, input, origins, console);
    if (!world) return std::nullopt;
    if (spec.name.empty()) spec.name = describeRun(worldTitle(*world, job.world.name), spec);
    return spec;
}

}  // namespace orrery
