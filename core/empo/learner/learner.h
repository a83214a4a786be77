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
#include "core/empo/schedule.h"
#include "core/empo/snapshot.h"
#include "core/empo/spec.h"
#include "core/replay/replay_buffer.h"
#include "core/replay/world_facts.h"

namespace orrery {

class QuantityValues;

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

/// What a training step came to.
struct StepReport {
    bool hasTrained =
        false;  ///< false: the buffer holds no batch yet; the step counts all the same
    bool wasSkipped = false;     ///< a loss or gradient was not finite, nothing was changed
    bool hasDiverged = false;    ///< the third such step in a row
    bool hasNewWeights = false;  ///< actingWeights() changed
    std::string trouble = {};    ///< of a skipped step: which quantity
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
    ~Learner();
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;

    const EmpoSpec& spec() const;
    const std::vector<WorldFacts>& facts() const;
    /// "cpu", or the GPU's name.
    std::string deviceName() const;

    /// Takes over another spec's live fields (liveFields()); others are not looked at. Between
    /// steps.
    void setLive(const EmpoSpec& spec);

    /// One training step. Clears the buffer where the schedule says so.
    /// @param wantsNumbers  fills numbers() with this step's, which costs some 100 us
    StepReport step(ReplayBuffer& buffer, bool wantsNumbers = false);
    std::int64_t stepsDone() const;
    const EmpoSchedule& schedule() const;
    /// beta_r in force at this step.
    double beta_eff() const;

    /// Of the last step that was asked for them.
    const LearnerNumbers& numbers() const;
    BatchProfile& profile();

    /// The newest; never null. Q_r is the target copy, as the original acts.
    std::shared_ptr<const ActingWeights> actingWeights() const;

    /// Learned values of encoded states of one layout. Whether an entry of a table was visited is
    /// that of the live one.
    LearnedValues evaluate(int layout, std::span<const std::byte* const> states,
                           ValueCopy copy = ValueCopy::Live);

    /// Everything that the next step depends on, the buffer excepted.
    NamedArrays save() const;
    /// Continues where save() was called: the next steps are the same bit for bit on the CPU.
    /// @throws Error (Damaged) naming the array that is missing or does not fit
    void load(const NamedArrays& arrays);

    /// What targets are computed from, for tests and for showing a target term by term.
    const QuantityValues& targetValues() const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace orrery
