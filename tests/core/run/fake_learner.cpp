// A shared library in the place of liborrery_learn.so: a learner whose one number moves by its
// learning rate at each step, so that tests of the corridor see curves, changes and checkpoints
// without LibTorch; an evaluation gives the spec's beta_r as the error of X_h. It does what its
// seed and these fields of the spec say:
//   goals_per_human   microseconds that a step takes
//   seed 13           throws an Error at step 20
//   seed 14           diverges at step 20
//   seed 15           throws a standard exception at step 20
//   seed 16           skips steps 20 and 21, and asks about the first of them
#include <chrono>
#include <cmath>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/train/train.h"

using namespace orrery;

namespace {

constexpr std::int64_t kFateStep = 20;

class FakeTraining {
public:
    FakeTraining(const TrainRequest& request, const TrainHooks& hooks)
        : m_request(request), m_hooks(hooks), m_rate(request.spec.of(Quantity::Q_r).learningRate) {
        if (!request.resumeFrom.empty()) load();
    }

    TrainOutcome run(const std::stop_token& stop) {
        for (const TrainChange& change : m_request.changes)
            if (change.step <= m_step) apply(change);
        std::int64_t allowed = 0;  // 0: any number
        while (m_step < m_request.spec.trainingSteps && !stop.stop_requested()) {
            if (allowed == 0 || --m_left == 0) {
                while ((allowed = m_hooks.boundary(progress())) == kCallAgain) takeChanges();
                m_left = allowed;
                if (stop.stop_requested()) break;
            }
            takeChanges();
            for (const TrainChange& change : m_request.changes)
                if (change.step == m_step && m_step > 0) apply(change);
            meetFate();
            if (m_hasDiverged)
                return {.state = RunState::Diverged, .summary = "Q_r became NaN", .steps = m_step};
            step();
        }
        save();
        (void)m_hooks.boundary(progress());
        return {.state = stop.stop_requested() ? RunState::Stopped : RunState::Finished,
                .summary = "x = " + formatDouble(m_value),
                .steps = m_step};
    }

private:
    Progress progress() const {
        return {.phase = "train",
                .done = m_step,
                .total = m_request.spec.trainingSteps,
                .unit = "steps"};
    }

    void step() {
        // Must wait for time: tests ask for steps of that length.
        if (m_request.spec.goalsPerHuman > 5)
            std::this_thread::sleep_for(std::chrono::microseconds(m_request.spec.goalsPerHuman));
        m_value -= m_rate * m_value;
        ++m_step;
        if (m_step % m_request.spec.metricInterval == 0) {
            m_hooks.metric(m_step, "Loss/q_r", m_value);
            m_hooks.metric(m_step, "LearningRate/q_r", m_rate);
        }
        const std::int64_t every = m_request.spec.checkpointSteps;
        if ((every > 0 && m_step % every == 0) || m_hooks.wantsCheckpoint()) save();
    }

    void takeChanges() {
        for (TrainChange change : m_hooks.takeChanges()) {
            change.step = m_step;
            apply(change);
        }
    }

    void meetFate() {
        if (m_step < kFateStep) return;
        if (m_request.spec.seed == 13)
            throw Error("The fake learner fails at step 20. Ask it not to.");
        if (m_request.spec.seed == 15) throw std::runtime_error("bad luck");
        m_hasDiverged = m_request.spec.seed == 14;
        if (m_request.spec.seed == 16 && m_step < kFateStep + 2) {
            const bool asks = m_request.pausesAtTrouble && m_step == kFateStep;
            m_hooks.troubled({.step = m_step, .what = "bad luck", .toldAt = m_step, .asks = asks});
            if (asks) (void)m_hooks.boundary(progress());
        }
    }

    void apply(const TrainChange& change) {
        std::string& present = m_present[change.key];
        if (present.empty())
            present = change.key == "lr_q_r"   ? formatDouble(m_rate)
                      : change.key == "beta_r" ? formatDouble(m_request.spec.beta_r)
                                               : "running";
        TrainChange made = change;
        made.step = m_step;
        m_hooks.changed({.change = std::move(made), .oldValue = present});
        present = change.value;
        if (change.key == "lr_q_r") m_rate = *parseDouble(change.value);
    }

    void save() {
        if (m_request.folder.empty()) return;
        m_hooks.writing([&] {
            CheckpointWriter writer(m_request.folder, m_step);
            TensorMap model;
            model.copyNumber("value", m_value);
            model.copyNumber("rate", m_rate);
            writer.tensors("model.safetensors", model);
            const auto saved = writer.commit("", {{"fake", "1"}});
            m_hooks.saved({.step = m_step,
                           .folder = m_request.folder / ("step_" + std::to_string(m_step)),
                           .sha256 = saved.sha256,
                           .bytes = saved.totalBytes});
        });
    }

    void load() {
        const std::string name = m_request.resumeFrom.filename().string();
        m_step = *parseInt(name.substr(name.find('_') + 1));
        const Checkpoint checkpoint = Checkpoint::open(m_request.resumeFrom.parent_path(), m_step);
        const TensorMap model = checkpoint.tensors("model.safetensors");
        m_value = model.number<double>("value");
        m_rate = m_request.spec.of(Quantity::Q_r).learningRate;
    }

    const TrainRequest& m_request;
    const TrainHooks& m_hooks;
    double m_rate;
    double m_value = 1;
    std::int64_t m_step = 0;
    std::int64_t m_left = 0;
    bool m_hasDiverged = false;
    std::map<std::string, std::string> m_present;
};

TrainOutcome train(const TrainRequest& request, const TrainHooks& hooks, std::stop_token stop) {
    return FakeTraining(request, hooks).run(stop);
}

/// Errors of three states where there is an exact solution; episodes of five steps.
Evaluation evaluate(const EvaluateRequest& request, const TrainHooks& hooks, std::stop_token) {
    Evaluation evaluation;
    const std::string name = request.checkpoint.filename().string();
    evaluation.step = *parseInt(name.substr(name.find('_') + 1));
    hooks.boundary({.phase = "evaluate", .done = 1, .total = 1, .unit = "states"});
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

const LearnLibrary kLibrary{.version = kLearnLibraryVersion, .train = train, .evaluate = evaluate};

}  // namespace

extern "C" __attribute__((visibility("default"))) const LearnLibrary* orreryLearnLibrary() {
    return &kLibrary;
}
