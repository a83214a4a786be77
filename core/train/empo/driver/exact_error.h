#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/collect/visit_counts.h"
#include "core/empo/learner/learner.h"
#include "core/encode/state_encoder.h"
#include "core/train/empo/driver/acting.h"
#include "core/train/empo/empo_training.h"

namespace orrery {

/// Compares learned values of one world with its exact solution, over all states that can be
/// reached and are not terminal. Keeps the exact numbers in single precision: some 4 (A_r + H G)
/// bytes a state. One thread.
///
/// The learner's U_r has weight 1 where the exact one has w = (1 - gamma_r) / rho_r, so the exact
/// Q_r and V_r are w times the learned ones; w does not matter to pi_r. Source: spec empo 4.
class ExactComparison {
public:
    /// @param layout   of the world in its run
    /// @param keepsAll  Q_r and U_r too, for ExactError::byState: 4 (A_r + 1) bytes a state more
    ExactComparison(const EmpoSpec& spec, const TrainWorlds& worlds, int layout,
                    bool keepsAll = false);

    std::int64_t numStates() const { return static_cast<std::int64_t>(m_states.size()); }

    /// @param visits    states that transitions started from, by fingerprint
    /// @param isByState fills ExactError::byState
    /// @param tell      called with the number of states done, every 512
    /// @return nothing if stopped
    std::optional<ExactError> compare(Learner& learner, const VisitCounts& visits, bool isByState,
                                      const std::stop_token& stop,
                                      const std::function<void(std::int64_t)>& tell = {});

private:
    bool prepare(const std::stop_token& stop);
    struct Sums;
    void addState(const LearnedValues& learned, std::size_t place, std::size_t state, bool visited,
                  Sums& sums) const;
    double humansError(Learner& learner, std::span<const std::byte* const> states,
                       std::size_t first, std::int64_t& pairs) const;
    void addNumbers(const LearnedValues& learned, std::size_t place, ExactError& error) const;
    void addExactNumbers(ExactError& error) const;

    std::shared_ptr<const World> m_world;
    std::shared_ptr<const Solution> m_exact;
    WorldFacts m_facts;
    int m_layout;
    double m_weight;  ///< w
    StateEncoder m_encoder;
    std::vector<State> m_states;
    std::size_t m_numGoals = 0;  ///< of all humans together
    std::size_t m_prepared = 0;  ///< states whose exact numbers are there
    std::vector<float> m_v_h_e;  ///< [S, sum of G]
    std::vector<float> m_pi_r;   ///< [S, A_r]
    std::vector<float> m_x_h;    ///< [S, H]
    std::vector<float> m_v_r;    ///< [S] with weight 1
    std::vector<float> m_q_r;    ///< [S, A_r] if all is kept, else empty
    std::vector<float> m_u_r;    ///< [S] if all is kept, else empty
    std::vector<float> m_pi_h;   ///< [S, priorNumbers()] where the humans' policies are learned
    bool m_comparesHumans, m_keepsAll;
};

}  // namespace orrery
