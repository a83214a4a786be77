// A shared library in the place of liborrery_learn.so: a method whose one number moves by its
// learning rate at each step, so that tests of the corridor see curves, changes and checkpoints
// without LibTorch; an evaluation gives the spec's beta_r as the error of X_h. It does what its
// seed and these fields of the spec say:
//   goals_per_human   microseconds that a step takes
//   seed 13           throws an Error at step 20
//   seed 14           diverges at step 20
//   seed 15           throws a standard exception at step 20
//   seed 16           skips steps 20 and 21, and asks about the first of them
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/empo/snapshot.h"
#include "core/empo/spec_fields.h"
#include "core/train/empo/empo_training.h"
#include "core/train/learn_library.h"
#include "core/train/live_change.h"

using namespace orrery;

namespace {

constexpr std::int64_t kFateStep = 20;

class FakeMethod : public Method {
public:
    explicit FakeMethod(const EmpoRequest& request)
        : m_spec(request.spec), m_rate(m_spec.of(Quantity::Q_r).learningRate) {}

    std::int64_t stepsDone() const override { return m_step; }
    std::int64_t totalSteps() const override { return m_spec.trainingSteps; }

    void begin(TrainHost&, const Checkpoint* checkpoint, const TensorMap*) override {
        if (checkpoint == nullptr) return;
        m_step = checkpoint->manifest().step;
        m_value = checkpoint->tensors("model.safetensors").number<double>("value");
    }

    MethodStep step(bool) override {
        // Must wait for time: tests ask for steps of that length.
        if (m_spec.goalsPerHuman > 5)
            std::this_thread::sleep_for(std::chrono::microseconds(m_spec.goalsPerHuman));
        if (m_step >= kFateStep && m_spec.seed == 13)
            throw Error("The fake learner fails at step 20. Ask it not to.");
        if (m_step >= kFateStep && m_spec.seed == 15) throw std::runtime_error("bad luck");
        if (m_step >= kFateStep && m_spec.seed == 14)
            return {.wasSkipped = true,
                    .hasDiverged = true,
                    .trouble = "Q_r became NaN",
                    .troubleStep = m_step};
        ++m_step;
        const bool isSkipped =
            m_spec.seed == 16 && (m_step == kFateStep || m_step == kFateStep + 1);
        if (isSkipped) return {.wasSkipped = true, .trouble = "bad luck", .troubleStep = m_step};
        m_value -= m_rate * m_value;
        return {.hasTrained = true};
    }

    std::vector<MetricValue> numbers(const TrainingSnapshot&) override {
        return {{"Loss/q_r", m_value}, {"LearningRate/q_r", m_rate}};
    }
    std::string summary() const override { return "; x = " + formatDouble(m_value); }
    std::shared_ptr<const TrainingSnapshot> snapshot(const TrainingSnapshot& common) override {
        auto snapshot = std::make_shared<EmpoSnapshot>();
        static_cast<TrainingSnapshot&>(*snapshot) = common;
        snapshot->learner.step = m_step;
        return snapshot;
    }

    AppliedChange change(const TrainChange& change) override {
        AppliedChange applied = applyLiveChange(change, empoFields(), validate, m_spec);
        m_rate = m_spec.of(Quantity::Q_r).learningRate;
        return applied;
    }
    int numActors() const override { return m_spec.numCollectors; }
    bool isActorPaused(int actor) const override { return m_paused.contains(actor); }
    void setActorPaused(int actor, bool isPaused) override {
        if (isPaused)
            m_paused.insert(actor);
        else
            m_paused.erase(actor);
    }

    void save(CheckpointWriter& writer, TensorMap&) override {
        TensorMap model;
        model.copyNumber("value", m_value);
        writer.tensors("model.safetensors", model);
    }
    MemoryUse memoryUse() const override { return {.held = "nothing", .advice = "Wait."}; }

private:
    EmpoSpec m_spec;
    double m_rate;
    double m_value = 1;
    std::int64_t m_step = 0;
    std::set<int> m_paused;
};

std::unique_ptr<Method> make(const EmpoRequest& request) {
    return std::make_unique<FakeMethod>(request);
}

/// Errors of three states where there is an exact solution; episodes of five steps.
Evaluation evaluate(const EvaluateRequest& request, const ProgressSink& tell, std::stop_token) {
    Evaluation evaluation;
    const std::string name = request.checkpoint.filename().string();
    evaluation.step = *parseInt(name.substr(name.find('_') + 1));
    tell({.phase = "evaluate", .done = 1, .total = 1, .unit = "states"});
    for (const auto& exact : request.exact) {
        ExactError error{
            .v_h_e = 0.25, .pi_r = 0.5, .x_h = request.spec.beta_r, .states = 3, .unvisited = 1};
        if (exact)
            error.byState = {{.state = {.step = 0, .config = 0}, .v_h_e = 0.1F, .visited = true},
                             {.state = {.step = 1, .config = 1}, .v_h_e = 0.75F, .visited = false},
                             {.state = {.step = 1, .config = 2}, .pi_r = 0.5F, .visited = true}};
        evaluation.errors.push_back(error);
    }
    for (std::int64_t i = 0; i < request.episodes; ++i)
        evaluation.episodes.push_back({.steps = 5, .attainedAt = {i % 2 == 0 ? 3 : -1}});
    return evaluation;
}

const EmpoLibrary kEmpo{.make = make, .evaluate = evaluate};
const LearnMethod kMethod{.name = "empo", .entries = &kEmpo};
const LearnLibrary kLibrary{.version = kLearnLibraryVersion, .methods = {&kMethod, 1}};

}  // namespace

extern "C" __attribute__((visibility("default"))) const LearnLibrary* orreryLearnLibrary() {
    return &kLibrary;
}
