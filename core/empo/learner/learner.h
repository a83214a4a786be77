#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/empo/batch_profile.h"
#include "core/empo/learned_values.h"
#include "core/empo/named_arrays.h"
#include "core/empo/net_activations.h"
#include "core/empo/schedule.h"
#include "core/empo/snapshot.h"
#include "core/empo/spec.h"
#include "core/replay/replay_buffer.h"
#include "core/replay/world_facts.h"

namespace orrery {

class QuantityValues;
struct HumanValues;

/// Weights and tables of one moment, by which collectors act. Immutable; any thread.
struct ActingWeights {
    std::int64_t step = 0;     ///< training steps done when they were taken
    std::int64_t version = 0;  ///< counts from 1
    std::shared_ptr<const QuantityValues> values;
};

/// Reads Q_r of single states from acting weights. One a thread; on the CPU.
class ActingReader {
public:
    /// @param facts  of the run's worlds
    explicit ActingReader(const std::vector<WorldFacts>& facts);
    ~ActingReader();

    void use(std::shared_ptr<const ActingWeights> weights);
    const ActingWeights& weights() const { return *m_weights; }

    /// @param state  encoded
    /// @param out    [A_r], all < 0; the order of joint actions is WorldFacts'
    void q_r(std::span<const std::byte> state, int layout, std::span<float> out);
    /// RND: how novel states are, normalised, >= 0.
    /// @param states  [n x bytes]
    void novelty(std::span<const std::byte> states, int layout, std::span<float> out);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
    std::shared_ptr<const ActingWeights> m_weights;
};

/// Reads learned policies of humans in single states. One a thread; on the CPU.
class HumanReader {
public:
    explicit HumanReader(std::shared_ptr<const HumanValues> values);
    ~HumanReader();

    /// @param state  encoded
    /// @param out    [WorldFacts::priorNumbers()] human by human, goal by goal, pi_h of each action
    void pi_h(std::span<const std::byte> state, int layout, std::span<float> out);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// What a training step came to.
struct StepReport {
    bool hasTrained =
        false;  ///< false: the buffer holds no batch yet; the step counts all the same
    bool wasSkipped = false;     ///< a loss or gradient was not finite, nothing was changed
    bool hasDiverged = false;    ///< the third such step in a row; a GPU tells both some steps late
    bool hasNewWeights = false;  ///< actingWeights() changed
    bool hasHumans = false;      ///< the humans' policies are learned: humanPolicies() is there
    std::string trouble = {};    ///< of a skipped step: which quantity
    std::int64_t troubleStep = 0;  ///< that step, counted from 1
};

/// The learner of phase 2: values, targets, optimisers, schedules and its random stream. It knows
/// worlds by their facts and encoded states alone. One thread at a time; actingWeights() may be
/// read from others.
///
/// One training step draws a batch, flattens it, evaluates each target once over the unique states,
/// sums up by segments, and makes all gradients before any update. On the CPU the same calls give
/// the same numbers, bit for bit.
class Learner {
public:
    /// @param facts  of the run's worlds, at least one, of one encoding shape and as many robot
    ///               actions each
    /// @throws Error (BadInput) if the worlds do not go together, (Resource) without the device
    Learner(const EmpoSpec& spec, std::vector<WorldFacts> facts);
    /// The same on LibTorch's device of that name, whatever the spec says.
    static std::unique_ptr<Learner> on(const std::string& device, const EmpoSpec& spec,
                                       std::vector<WorldFacts> facts);
    ~Learner();
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;

    const EmpoSpec& spec() const;
    const std::vector<WorldFacts>& facts() const;
    /// "cpu", or the GPU's name.
    std::string deviceName() const;
    /// What is missing on a GPU, one line; empty if nothing is.
    std::string deviceNote() const;

    /// Takes over another spec's live fields; others are not looked at. Between
    /// steps.
    void setLive(const EmpoSpec& spec);

    /// One training step. Clears the buffer where the schedule says so. A step with a gradient that
    /// is not finite changes nothing. Fault points for nan: loss, gradient, target, observation.
    /// @param wantsNumbers  fills numbers() with this step's, which costs some 100 us
    StepReport step(ReplayBuffer& buffer, bool wantsNumbers = false);
    std::int64_t stepsDone() const;
    /// Slots of the transitions that the last step trained on.
    std::span<const ReplayBuffer::Slot> lastBatch() const;
    /// How well the networks can still learn, by states of all ages in the buffer: points of curves
    /// "Plasticity/<net>/effective_rank", "stable_rank", "feature_rank", "weight_norm",
    /// "dormant_units" and "dead_units" (shares of what there could be, but for the norm). None
    /// without networks. Some 100 ms with large networks; changes nothing.
    std::vector<MetricValue> plasticity(const ReplayBuffer& buffer);
    const EmpoSchedule& schedule() const;
    /// beta_r in force at this step.
    double beta_eff() const;

    /// Of the last step that was asked for them.
    const LearnerNumbers& numbers() const;
    StageClock& profile();

    /// The newest; never null. Q_r is the target copy, as the original acts.
    std::shared_ptr<const ActingWeights> actingWeights() const;

    /// Where the spec learns the humans' policies: as they stay, from the step on that ends their
    /// stage; null before. What collectors acted by until then has to leave the buffer, as targets
    /// of phase 2 follow its policies. Immutable.
    std::shared_ptr<const HumanValues> humanPolicies() const;
    /// The learned policies as they are now: [N x WorldFacts::priorNumbers()].
    std::vector<float> evaluateHumans(int layout, std::span<const std::byte* const> states);

    /// Learned values of encoded states of one layout. Whether an entry of a table was visited is
    /// that of the live one.
    LearnedValues evaluate(int layout, std::span<const std::byte* const> states,
                           ValueCopy copy = ValueCopy::Live);

    /// What the layers of one network give for the first of some states, or the entries of its
    /// table. The other states are looked at to see which units are ever active.
    /// @throws Error (BadInput) if there is no such human or goal
    NetActivations activations(int layout, std::span<const std::byte* const> states,
                               const ActivationWish& wish);

    /// Memory of its own: fills tables, parameters and optimisers.
    void addBytes(MemoryNumbers& memory) const;

    /// Everything that the next step depends on, the buffer excepted.
    NamedArrays save() const;
    /// Continues where save() was called: the next steps are the same bit for bit on the CPU.
    /// @throws Error (Damaged) naming the array that is missing or does not fit
    void load(const NamedArrays& arrays);

    /// What targets are computed from, for tests and for showing a target term by term.
    const QuantityValues& targetValues() const;

private:
    Learner();
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace orrery
