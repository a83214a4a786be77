#include "core/run/jobs/solve_kind.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/run/jobs/rule_reader.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/jobs/solve_run.h"
#include "core/run/result_facts.h"
#include "core/run/sweep.h"
#include "core/solve/spec_fields.h"

namespace orrery {

namespace {

void readRulesOf(Job& job, const YamlMember& member, ValueReader& values, SpecPlaces& places) {
    RuleReader reader(values, places);
    SolveSpec& solve = job.as<SolveJob>().solve;
    if (member.name == "habits")
        solve.habits = reader.habits(member.value);
    else
        solve.believedOthers = reader.believedOthers(member.value);
}

/// "beta_r 5" of each that can be swept.
std::vector<std::string> solveNameParts(const RunSpec& spec) {
    std::vector<std::string> parts;
    for (const std::string& key : sweepFields("solve")) {
        const RunField* field = findField("solve", key);
        const FieldValue value = field->get(spec);
        if (value != fieldDefault(*field)) parts.push_back(key + " " + shortFieldText(value));
    }
    return parts;
}

void addSolveFacts(const ResultJson& result, RunFacts& facts) {
    if (const ResultJson* root = memberOf(result, "root")) {
        addResult(facts, "v_r", memberOf(*root, "v_r"));
        addResult(facts, "u_r", memberOf(*root, "u_r"));
        const ResultJson* humans = memberOf(*root, "humans");
        if (humans != nullptr && humans->is_array())
            for (std::size_t h = 0; h < humans->size(); ++h)
                addResult(facts, h == 0 ? "x_h" : "x_h_" + std::to_string(h + 1),
                          memberOf((*humans)[h], "x_h"));
    }
    if (const ResultJson* graph = memberOf(result, "graph")) {
        addResult(facts, "states", memberOf(*graph, "states"));
        addResult(facts, "levels", memberOf(*graph, "levels"));
        addResult(facts, "explore_seconds", memberOf(*graph, "seconds"));
    }
    if (const ResultJson* solve = memberOf(result, "solve"))
        addResult(facts, "seconds", memberOf(*solve, "seconds"));
}

}  // namespace

const RunKind& solveKind() {
    static const RunKind kKind{
        .name = "solve",
        .noun = "solve",
        .settings = typeid(SolveJob),
        .fresh = [] { return Job(SolveJob()); },
        .fields = solveFields(),
        .presets = solvePresets(),
        .problems = [](const Job& job) { return validate(job.as<SolveJob>().solve); },
        .takeSeed = [](Job& job, std::uint64_t seed) { job.as<SolveJob>().solve.seed = seed; },
        .readRules = readRulesOf,
        .worlds = [](const Job& job) { return std::vector{job.as<SolveJob>().world}; },
        .takeWorlds =
            [](Job& job, const std::vector<WorldRef>& worlds) {
                job.as<SolveJob>().world = worlds.at(0);
            },
        .work =
            [](const Job& job, RunContext& context) {
                return std::make_unique<SolveRun>(job.as<SolveJob>(), context);
            },
        .firstSnapshot = [] { return JobSnapshot(SolveSnapshot()); },
        .memoryAdvice = "Give the run less with --memory, or take a smaller world.",
        .tookText = "Solved in",
        .describe = solveNameParts,
        .addFacts = addSolveFacts,
        .hasValues = true};
    return kKind;
}

const SolveJob& requireSolve(const RunSpec& spec, const std::string& what) {
    if (const auto* solve = spec.job.find<SolveJob>()) return *solve;
    throw Error(what + " has the job '" + spec.job.kind().name + "', not a solve.",
                Error::Kind::BadInput);
}

}  // namespace orrery
