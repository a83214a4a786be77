#pragma once

#include <memory>
#include <string>

#include "core/run/jobs/entity_job.h"
#include "core/run/train_run.h"
#include "core/train/entity/entity_training.h"

namespace orrery {

/// A training among things as a run does it.
class EntityRun : public TrainRun {
public:
    EntityRun(const Job& job, RunContext& context)
        : TrainRun(job, context), m_job(job.as<EntityJob>()) {}

private:
    std::string readInputs() override;
    void keepInputs() override { entityLibrary(); }
    RunSpec keptSpec() const override { return {.seed = m_job.entity.seed, .job = m_job}; }
    std::unique_ptr<Method> makeMethod() override;
    void addResults(nlohmann::ordered_json& json) override;
    void keepSamples(const CaptureSpec& capture, const char* kind);

    const EntityJob& m_job;
};

/// What makes its environments, as the learners' library asks for it.
EnvironmentMaker makerOf(const EntityPlaceSpec& place);

/// Of what an environment is: two trainings with the same hash act in the same.
std::string placeHash(const EntityPlaceSpec& place);

}  // namespace orrery
