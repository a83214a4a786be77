#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/run/jobs/train_job.h"
#include "core/run/train_run.h"
#include "core/train/empo/empo_training.h"

namespace orrery {

/// A training of learned planning: worlds, exact solutions where they are small, then the learner
/// of the shared library. Lives on the run's worker thread.
class EmpoRun : public TrainRun {
public:
    /// @param job  of TrainJob; lives as long as this
    EmpoRun(const Job& job, RunContext& context)
        : TrainRun(job, context), m_job(job.as<TrainJob>()) {}

private:
    std::string readInputs() override;
    void keepInputs() override;
    RunSpec keptSpec() const override;
    std::unique_ptr<Method> makeMethod() override;
    void addResults(nlohmann::ordered_json& json) override;

    bool solveExactly();
    std::vector<std::shared_ptr<const Solution>> solveAgain(const EmpoSpec& spec);
    void tellNotExact(std::size_t world, const std::string& whyNot);

    const TrainJob& m_job;
    std::vector<std::string> m_worldTexts;  ///< [worlds] of their files
    EmpoRequest m_request;
};

}  // namespace orrery
