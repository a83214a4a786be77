#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/empo/snapshot.h"
#include "core/train/empo/driver/collecting.h"
#include "core/train/empo/driver/desk.h"
#include "core/train/empo/driver/error_curves.h"
#include "core/train/empo/driver/training.h"
#include "core/train/empo/empo_training.h"
#include "core/train/method.h"

namespace orrery {

/// Learned planning as the trainer drives it: collectors, learner, buffer, and errors to the exact
/// solutions. One thread.
class EmpoMethod : public Method {
public:
    /// @throws Error (BadInput) what cannot be learned, (Resource) no GPU
    explicit EmpoMethod(EmpoRequest request);

    std::int64_t stepsDone() const override { return m_training.learner.stepsDone(); }
    std::int64_t totalSteps() const override { return m_training.spec.trainingSteps; }

    void begin(TrainHost& host, const Checkpoint* checkpoint, const TensorMap* progress) override;
    bool collect() override;
    MethodStep step(bool wantsNumbers) override;
    void settle() override;
    void goOn() override { publish(); }
    void finish() override { measureErrors(); }

    std::vector<MetricValue> numbers(const TrainingSnapshot& common) override;
    std::string summary() const override { return m_errors.summary(); }
    std::shared_ptr<const TrainingSnapshot> snapshot(const TrainingSnapshot& common) override;
    bool answer() override { return m_desk.answer(m_training); }
    void showLast() override;

    AppliedChange change(const TrainChange& change) override;
    int numActors() const override { return m_training.spec.numCollectors; }
    bool isActorPaused(int actor) const override { return m_collecting->isPaused(actor); }
    void setActorPaused(int actor, bool isPaused) override;

    int stage() const override;
    void prepareSave() override { m_collectors = m_collecting->save(m_training); }
    void save(CheckpointWriter& writer, TensorMap& progress) override;
    void saved(double seconds) override;
    std::string keepBatch(const std::filesystem::path& folder) override;
    MemoryUse memoryUse() const override;
    void enter(TrainPhase phase) override;

private:
    std::unique_ptr<Collecting> makeCollecting(std::span<const std::vector<std::byte>> saved);
    void takeHumans();
    void publish();
    void measureErrors();
    bool isPlasticityStep(std::int64_t metricInterval) const;
    EmpoSnapshot snapshotNow(const TrainingSnapshot& common);
    std::shared_ptr<const SpanTimeline> timeline();
    StageClock& profile() { return m_training.learner.profile(); }

    const EmpoRequest m_request;
    Training m_training;
    ErrorCurves m_errors;
    std::unique_ptr<Collecting> m_collecting;
    DeskService m_desk;
    TrainHost* m_host = nullptr;                       ///< null before begin()
    std::vector<std::vector<std::byte>> m_collectors;  ///< as they were last saved
    bool m_hasHumans = false;                          ///< the last step learned the policies
    std::shared_ptr<const ActingWeights> m_published;
    std::int64_t m_numPublished = 0;
    std::int64_t m_beginEnvironmentSteps = 0;
};

// The entries of kEmpoLibrary.
std::unique_ptr<Method> makeEmpo(const EmpoRequest& request);
Evaluation evaluateEmpo(const EvaluateRequest& request, const ProgressSink& progress,
                        std::stop_token stop);
ValueAnswer valuesOfCheckpoint(const ValuesRequest& request);

inline constexpr EmpoLibrary kEmpoLibrary{
    .make = makeEmpo, .evaluate = evaluateEmpo, .values = valuesOfCheckpoint};

}  // namespace orrery
