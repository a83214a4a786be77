#pragma once

#include <memory>
#include <string>

#include "core/env/outside.h"
#include "core/run/jobs/entity_job.h"
#include "core/run/train_run.h"
#include "core/train/entity/entity_training.h"
#include "core/train/restart_budget.h"

namespace orrery {

/// A training among things as a run does it.
class EntityRun : public TrainRun {
public:
    EntityRun(const Job& job, RunContext& context)
        : TrainRun(job, context), m_job(job.as<EntityJob>()) {}

private:
    EnvironmentMaker makerInRun(const EntityPlaceSpec& place);
    std::string readInputs() override;
    void keepInputs() override { entityLibrary(); }
    RunSpec keptSpec() const override { return {.seed = m_job.entity.seed, .job = m_job}; }
    std::unique_ptr<Method> makeMethod() override;
    void addResults(nlohmann::ordered_json& json) override;
    void keepSamples(const CaptureSpec& capture, const char* kind);

    const EntityJob& m_job;
    std::shared_ptr<RestartBudget> m_restarts;  ///< of programs that serve environments
};

/// What makes its environments, as the learners' library asks for it.
/// @param rules  of those that other programs serve
/// @throws Error (BadInput) if it is not known
EnvironmentMaker makerOf(const EntityPlaceSpec& place, const OutsideRules& rules);

/// Of what an environment is: two trainings with the same hash act in the same.
std::string placeHash(const EntityPlaceSpec& place);

}  // namespace orrery
