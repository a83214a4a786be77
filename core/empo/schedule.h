#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/empo/spec.h"
#include "core/train/training_stage.h"

namespace orrery {

/// A stretch of training with one set of quantities at work: "q_h", nameOf(a quantity), "ramp" or
/// "full".
struct EmpoStage : TrainingStage {
    unsigned active = 0;  ///< bit i: kQuantities[i] is trained; once started they stay. "q_h": 0
};

/// What depends on the number of training steps done and nothing else. Computed quantities have no
/// stage of their own. Immutable; make a new one when the spec changes.
/// Source: spec empo section 6.3.
class EmpoSchedule {
public:
    explicit EmpoSchedule(const EmpoSpec& spec);

    /// In order, without empty ones.
    const std::vector<EmpoStage>& stages() const { return m_stages; }
    int stageIndex(std::int64_t step) const;
    const EmpoStage& stageAt(std::int64_t step) const { return m_stages[stageIndex(step)]; }
    /// How far a quantity's own stage is, [0, 1]: 0 before it, 1 behind it.
    double stageShare(Quantity quantity, std::int64_t step) const;
    bool isActive(Quantity quantity, std::int64_t step) const {
        return (stageAt(step).active >> static_cast<unsigned>(quantity) & 1U) != 0;
    }
    /// Where the humans' policies are learned there is nothing else: [0, humansEnd()). 0: nowhere.
    std::int64_t humansEnd() const { return m_humansEnd; }
    bool isOfHumans(std::int64_t step) const { return step < m_humansEnd; }
    /// Before the ramp of beta_r.
    bool isWarmup(std::int64_t step) const { return step < m_rampBegin; }
    std::int64_t rampBegin() const { return m_rampBegin; }
    std::int64_t rampEnd() const { return m_rampEnd; }
    std::int64_t decayBegin() const { return m_decayBegin; }

    /// beta_eff / beta_r in [0, 1]: a sigmoid over the ramp.
    double powerFactor(std::int64_t step) const;
    /// What learning rates are multiplied by, (0, 1]: 1 until decayBegin().
    double rateFactor(std::int64_t step) const;
    /// While the humans' policies are learned: the first epsilons.
    double epsilon_r(std::int64_t step) const;
    double epsilon_h(std::int64_t step) const;

    /// The discount factors that targets have. Q_h always has the final one.
    double gamma_h(std::int64_t step) const;
    double gamma_r(std::int64_t step) const;

    /// Gradual clearing: only transitions inserted at this training step or later are sampled.
    /// Rises from 0 at the ramp's begin to the ramp's begin at decayBegin(), so that what was
    /// collected before the ramp fades out. 0 with other ways of clearing.
    std::int64_t oldestSampled(std::int64_t step) const;
    /// Hard clearing: the buffer is emptied before this step (at the ramp's begin and end).
    bool clearsBuffer(std::int64_t step) const;

private:
    double epsilon(double start, double end, std::int64_t step) const;
    double gamma(double end, const std::optional<double>& start, std::int64_t steps,
                 std::int64_t step) const;

    EmpoSpec m_spec;
    void append(const std::string& name, std::int64_t begin, std::int64_t end, unsigned active);

    std::vector<EmpoStage> m_stages;
    std::int64_t m_humansEnd = 0, m_rampBegin = 0, m_rampEnd = 0, m_decayBegin = 0;
};

}  // namespace orrery
