#include "core/empo/learner/targets.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <limits>
#include <optional>

#include "core/base/fault.h"
#include "core/empo/learner/gathered_sums.h"
#include "core/empo/nets/activations.h"

namespace orrery {

namespace {

/// Targets of one batch.
class TargetWork {
public:
    TargetWork(const FlatBatch& batch, const StateBatch& states, const QuantityValues& target,
               const TargetRequest& request, StageClock& profile)
        : m_batch(batch),
          m_states(states),
          m_target(target),
          m_spec(target.facts->spec),
          m_request(request),
          m_profile(profile),
          m_device(target.facts->rectangles.device()),
          m_numActions(target.facts->numRobotActions),
          m_numHumans(target.facts->numHumans),
          m_reader(target, states, {}, &profile) {}

    Targets run() {
        forward();
        Targets targets;
        m_profile.enter(ProfileStage::kScatter);
        if (m_request.isActive(Quantity::X_h)) targets.x_h = x_hTarget();
        if (m_request.wantsRobot()) robotTargets(targets);
        m_profile.enter(ProfileStage::kVhE);
        if (m_request.isActive(Quantity::V_h_e)) targets.v_h_e = v_h_eTarget();
        targets.pi_r = m_pi_r;
        if (faultNan("target")) spoil(targets);
        return targets;
    }

private:
    static void spoil(Targets& targets) {
        for (const at::Tensor* target :
             {&targets.v_h_e, &targets.x_h, &targets.u_rY, &targets.q_r, &targets.v_r})
            if (target->defined()) target->fill_(std::numeric_limits<float>::quiet_NaN());
    }

    at::Tensor tensor(const std::vector<std::int64_t>& numbers) {
        return asTensor(numbers, m_device, &m_profile);
    }
    at::Tensor tensor(const std::vector<float>& numbers) {
        return asTensor(numbers, m_device, &m_profile);
    }
    at::Tensor sums(const at::Tensor& values, const GatheredParts& parts, std::int64_t count) {
        return gatheredSums(values, parts, count, &m_profile);
    }

    /// Every network and table once, over all states that are there.
    void forward() {
        m_profile.enter(ProfileStage::kForward);
        if (m_request.needsQ_r()) {
            m_q_r = m_reader.q_r();
            m_policies = robotPolicy(m_q_r, m_request.beta_eff, m_spec.originalRules);  // [U, A]
            m_pi_r = m_policies.index_select(0, tensor(m_batch.stateOf));
        } else {
            m_pi_r = at::full({m_batch.numTransitions, m_numActions},
                              1.0 / static_cast<double>(m_numActions),
                              at::TensorOptions(at::kFloat).device(m_device));
        }
        if (m_request.wantsRobot()) {
            if (m_target.kindOf(Quantity::X_h) != Approximator::Computed) m_x_h = m_reader.x_h();
            if (m_request.readsV_r()) m_v_r = m_reader.v_r();
            if (m_target.kindOf(Quantity::U_r) != Approximator::Computed) m_u_r = m_reader.u_r();
        }
        if (m_request.isActive(Quantity::V_h_e)) m_v_h_e = m_reader.v_h_e(m_batch.successorPairs);
        if (m_batch.xPairs.size() > 0) m_v_h_eOfX = m_reader.v_h_e(m_batch.xPairs);
    }

    /// Sum of weight V^zeta by group.
    at::Tensor x_hSums(std::int64_t groups) {
        const at::Tensor powers =
            m_spec.zeta == 2 ? m_v_h_eOfX.square() : m_v_h_eOfX.pow(m_spec.zeta);
        return sums(powers, {{}, m_batch.xWeight, m_batch.xGroup}, groups);
    }

    /// X_h of the states that xPairs are of: [xStates, H].
    const at::Tensor& x_hOfStates() {
        if (!m_x_hOfStates.defined())
            m_x_hOfStates =
                x_hSums(m_batch.xStates * m_numHumans).view({m_batch.xStates, m_numHumans});
        return m_x_hOfStates;
    }

    at::Tensor x_hTarget() {
        if (m_batch.xIsOfStates) return x_hOfStates().index_select(0, tensor(m_batch.xStateOf));
        const auto numTransitions = std::ssize(m_batch.xStateOf);
        return x_hSums(numTransitions * m_numHumans).view({numTransitions, m_numHumans});
    }

    void robotTargets(Targets& targets) {
        if (!m_x_h.defined()) m_x_h = x_hOfStates().clamp_min(kLeastX);
        const at::Tensor y = yOfX(m_x_h, m_states.hasHuman, m_spec);  // [U]
        const at::Tensor u_r = m_u_r.defined() ? m_u_r : u_rOfY(y, m_spec.eta);
        const at::Tensor current = tensor(m_batch.stateOf);
        if (m_request.isActive(Quantity::U_r)) targets.u_rY = y.index_select(0, current);
        if (!m_policies.defined()) return;
        const at::Tensor computed = u_r + (m_policies * m_q_r).sum(1);  // [U]
        if (m_request.isActive(Quantity::V_r)) targets.v_r = computed.index_select(0, current);
        if (!m_request.isActive(Quantity::Q_r)) return;

        const at::Tensor v_r = m_request.readsV_r() ? m_v_r : computed;
        const std::int64_t groups = m_batch.numTransitions * m_numActions;
        at::Tensor q_r = sums(v_r, {m_batch.qSuccessor, m_batch.qWeight, m_batch.qGroup}, groups)
                             .add_(tensor(m_batch.qConstant));
        if (!m_batch.uState.empty())
            q_r.add_(sums(u_r, {m_batch.uState, m_batch.uWeight, m_batch.uGroup}, groups));
        targets.q_r = q_r.view({m_batch.numTransitions, m_numActions});
    }

    at::Tensor v_h_eTarget() {
        const std::int64_t groups = m_batch.numTransitions * m_numHumans * m_numActions;
        const at::Tensor followed =
            sums(m_v_h_e, {m_batch.vPair, m_batch.vWeight, m_batch.vGroup}, groups)
                .add_(tensor(m_batch.attained))
                .view({m_batch.numTransitions, m_numHumans, m_numActions});
        if (m_batch.isTakenOnly) return followed.sum(2);
        return (followed * m_pi_r.unsqueeze(1)).sum(2);
    }

    const FlatBatch& m_batch;
    const StateBatch& m_states;
    const QuantityValues& m_target;
    const EmpoSpec& m_spec;
    const TargetRequest& m_request;
    StageClock& m_profile;
    at::Device m_device;
    std::int64_t m_numActions, m_numHumans;
    ValueReader m_reader;

    // Of all unique states, but m_pi_r.
    at::Tensor m_q_r, m_policies, m_pi_r, m_x_h, m_u_r, m_v_r, m_x_hOfStates;
    at::Tensor m_v_h_e, m_v_h_eOfX;  ///< of pairs
};

}  // namespace

FlatNeeds needsOf(const TargetRequest& request, const EmpoSpec& spec) {
    FlatNeeds needs;
    needs.forV_h_e = request.isActive(Quantity::V_h_e);
    needs.forX_h = request.isActive(Quantity::X_h);
    needs.forRobot = request.isActive(Quantity::Q_r);
    needs.x_hIsComputed =
        request.wantsRobot() && spec.of(Quantity::X_h).kind == Approximator::Computed;
    needs.usesEveryGoal = spec.of(Quantity::V_h_e).kind == Approximator::Table;
    return needs;
}

Targets computeTargets(const FlatBatch& batch, const StateBatch& states,
                       const QuantityValues& target, const TargetRequest& request,
                       StageClock& profile) {
    const at::NoGradGuard withoutGradients;
    // Nothing records gradients where there are tables alone: operations cost less then.
    std::optional<c10::InferenceMode> inference;
    if (!target.nets) inference.emplace();
    return TargetWork(batch, states, target, request, profile).run();
}

}  // namespace orrery
