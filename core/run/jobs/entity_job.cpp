#include "core/run/jobs/entity_job.h"

#include "core/base/error.h"
#include "core/entity/feature_map.h"
#include "core/run/jobs/environments.h"
#include "core/run/stored_reading.h"

namespace orrery {

const SpecTable<EntityJob>& entityJobFields() {
    static const SpecTable<EntityJob> kTable = [] {
        SpecTable<EntityJob> table;
        table.include(entityFields(), &EntityJob::entity);
        table.include(
            trainSettingsFields(), [](auto& job) -> auto& { return job; });
        return table;
    }();
    return kTable;
}

std::unique_ptr<Environment> makeEnvironment(const EntityPlaceSpec& place) {
    return knownEnvironment(place.id).make(place.optionsJson());
}

namespace {

/// Null where it cannot be had, and why.
std::unique_ptr<Environment> tryEnvironment(const EntityPlaceSpec& place,
                                            const std::string& section,
                                            std::vector<SpecProblem>& problems) {
    const bool isKnown = findEnvironment(knownEnvironments(), place.id) != nullptr;
    try {
        return makeEnvironment(place);
    } catch (const Error& error) {
        problems.push_back(
            {section + (isKnown ? ".kwargs" : ".id"), std::string("is refused: ") + error.what()});
        return nullptr;
    }
}

}  // namespace

std::vector<SpecProblem> entityJobProblems(const EntityJob& job) {
    std::vector<SpecProblem> problems = entityProblems(job.entity);
    if (!std::holds_alternative<FieldMap>(job.entity.env.kwargs)) return problems;
    if (StoredReading::isUnderWay()) return problems;
    const auto environment = tryEnvironment(job.entity.env, "env", problems);
    if (!environment) return problems;
    for (SpecProblem& problem : entityProblems(job.entity, environment->spaces()))
        problems.push_back(std::move(problem));
    if (!job.entity.eval || job.entity.evalPlace() == job.entity.env) return problems;
    const auto other = tryEnvironment(job.entity.evalPlace(), "eval.env", problems);
    if (!other) return problems;
    try {
        featureMapOf(entityLayoutOf(environment->spaces()), entityLayoutOf(other->spaces()));
    } catch (const Error& error) {
        problems.push_back({"eval.env.id", "cannot be acted in by what is learned in " +
                                               job.entity.env.id + ": " + error.what()});
    }
    return problems;
}

}  // namespace orrery
