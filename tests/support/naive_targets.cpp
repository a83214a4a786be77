#include "tests/support/naive_targets.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>

#include "core/empo/learner/state_batches.h"

namespace orrery::test {

namespace {

/// Values of one state at a time.
class SingleValues {
public:
    SingleValues(ReplayBuffer& buffer, const QuantityValues& values, const TargetRequest& request)
        : m_buffer(buffer),
          m_values(values),
          m_spec(values.facts->spec),
          m_request(request),
          m_batcher(values.facts) {}

    std::vector<double> q_r(StateStore::Index state, int layout) {
        return numbers(read(state, layout, [](ValueReader& reader) { return reader.q_r(); }));
    }

    std::vector<double> pi_r(StateStore::Index state, int layout) {
        std::vector<double> q(m_values.facts->numRobotActions, -1);
        if (m_request.beta_eff != 0) q = q_r(state, layout);
        double sum = 0;
        for (double& number : q) sum += (number = std::pow(-number, -m_request.beta_eff));
        for (double& number : q) number /= sum;
        if (m_spec.originalRules) {
            sum = 0;
            for (double& number : q) sum += (number = std::max(number, 1e-10));
            for (double& number : q) number /= sum;
        }
        return q;
    }

    double v_h_e(StateStore::Index state, int layout, int human, std::int64_t goal) {
        const GoalList& goals = m_values.facts->goals;
        FlatBatch::Pairs pairs;
        pairs.add(0, human, goals.humans[layout][human].first + goal,
                  human * goals.maxGoals + goal);
        const double value = numbers(
            read(state, layout, [&](ValueReader& reader) { return reader.v_h_e(pairs); }))[0];
        return std::clamp(value, 0.0, 1.0);
    }

    /// Sum over all goals, from V_h^e.
    double x_hOfGoals(StateStore::Index state, int layout, int human) {
        const GoalList::Human& own = m_values.facts->goals.humans[layout][human];
        double sum = 0;
        for (int g = 0; g < own.count; ++g)
            sum += own.weights[g] * std::pow(v_h_e(state, layout, human, g), m_spec.zeta);
        return sum;
    }

    double y_r(StateStore::Index state, int layout) {
        const auto numHumans = static_cast<int>(m_values.facts->worlds[layout].humans.size());
        std::vector<double> x_h;
        if (m_values.kindOf(Quantity::X_h) == Approximator::Computed)
            for (int h = 0; h < numHumans; ++h)
                x_h.push_back(std::max(1e-10, x_hOfGoals(state, layout, h)));
        else
            x_h = numbers(read(state, layout, [](ValueReader& reader) { return reader.x_h(); }));
        double sum = 0;
        for (int h = 0; h < numHumans; ++h) sum += std::pow(x_h[h], -m_spec.xi);
        return sum / numHumans;
    }

    double u_r(StateStore::Index state, int layout) {
        if (m_values.kindOf(Quantity::U_r) != Approximator::Computed)
            return numbers(read(state, layout, [](ValueReader& r) { return r.u_r(); }))[0];
        return -std::pow(y_r(state, layout), m_spec.eta);
    }

    double computedV_r(StateStore::Index state, int layout) {
        const std::vector<double> q = q_r(state, layout);
        const std::vector<double> pi = pi_r(state, layout);
        double sum = u_r(state, layout);
        for (std::size_t a = 0; a < q.size(); ++a) sum += pi[a] * q[a];
        return sum;
    }

    double v_r(StateStore::Index state, int layout) {
        if (!m_request.readsV_r()) return computedV_r(state, layout);
        return numbers(read(state, layout, [](ValueReader& r) { return r.v_r(); }))[0];
    }

private:
    template <typename Read>
    at::Tensor read(StateStore::Index state, int layout, const Read& readOne) {
        const at::NoGradGuard withoutGradients;
        const std::span<const std::byte> bytes = m_buffer.states().at(state);
        const std::byte* place = bytes.data();
        const auto number = static_cast<std::uint16_t>(layout);
        const StateRows::Row row =
            m_values.rows->find(fingerprintOf(bytes, static_cast<std::uint64_t>(layout)));
        const StateBatch& batch =
            m_batcher.make({&place, 1}, {&number, 1}, {&row, 1}, m_values.nets.get());
        ValueReader reader(m_values, batch);
        return readOne(reader);
    }
    static std::vector<double> numbers(const at::Tensor& tensor) {
        const at::Tensor flat = tensor.cpu().contiguous();
        return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
    }

    ReplayBuffer& m_buffer;
    const QuantityValues& m_values;
    const EmpoSpec& m_spec;
    const TargetRequest& m_request;
    StateBatcher m_batcher;
};

/// Loops over one transition.
class NaiveWork {
public:
    NaiveWork(ReplayBuffer& buffer, const QuantityValues& target, const TargetRequest& request)
        : m_buffer(buffer),
          m_facts(*target.facts),
          m_spec(target.facts->spec),
          m_request(request),
          m_values(buffer, target, request) {}

    void add(ReplayBuffer::Slot slot, std::span<const std::int64_t> goals, NaiveTargets& out) {
        const StoredTransition& transition = m_buffer.at(slot);
        const StateStore::Index state = m_buffer.modelOf(slot).state;
        const int layout = transition.layout;
        const auto numHumans = static_cast<int>(m_facts.worlds[layout].humans.size());
        for (int h = 0; h < m_facts.numHumans; ++h) {
            const bool isThere = h < numHumans;
            if (m_request.isActive(Quantity::V_h_e))
                out.v_h_e.push_back(isThere ? v_h_eTarget(slot, h, goals[h]) : 0);
            if (!m_request.isActive(Quantity::X_h)) continue;
            const bool isSingle = m_spec.humanModel == HumanModel::Sampled &&
                                  m_spec.of(Quantity::X_h).kind != Approximator::Computed;
            out.x_h.push_back(
                !isThere   ? 0
                : isSingle ? transition.goalWeights[h] *
                                 std::pow(m_values.v_h_e(state, layout, h, transition.goals[h]),
                                          m_spec.zeta)
                           : m_values.x_hOfGoals(state, layout, h));
        }
        if (m_request.isActive(Quantity::U_r)) out.u_rY.push_back(m_values.y_r(state, layout));
        if (m_request.isActive(Quantity::V_r))
            out.v_r.push_back(m_values.computedV_r(state, layout));
        if (!m_request.isActive(Quantity::Q_r)) return;
        for (int action = 0; action < m_facts.numRobotActions; ++action)
            out.q_r.push_back(m_spec.numSteps == 1               ? q_rTarget(slot, action)
                              : action == transition.robotAction ? q_rOfPath(slot)
                                                                 : 0);
    }

private:
    static double gammaOf(double gamma, const StoredModel& model, std::size_t row) {
        return std::pow(gamma, model.duration().empty() ? 1.0 : double{model.duration()[row]});
    }

    bool isAttained(StateStore::Index state, int layout, int human, std::int64_t goal) const {
        const WorldFacts& facts = m_facts.worlds[layout];
        const auto parts = partsOf(facts.shape, m_buffer.states().at(state));
        const int x = parts.agents[facts.humans[human].slot * 13];
        const int y = parts.agents[facts.humans[human].slot * 13 + 1];
        const GoalRectangle& box = facts.humans[human].goals[goal];
        return box.x1 <= x && x <= box.x2 && box.y1 <= y && y <= box.y2;
    }

    /// Own actions of all humans in a profile, the first human slowest.
    std::vector<int> actionsOf(int layout, int profile) const {
        const auto& humans = m_facts.worlds[layout].humans;
        std::vector<int> actions(humans.size());
        for (std::size_t h = humans.size(); h-- > 0;) {
            actions[h] = profile % humans[h].numActions;
            profile /= humans[h].numActions;
        }
        return actions;
    }

    /// pi_h(action | goal), and its mean over goals by their weights.
    double prior(const StoredModel& model, int human, std::int64_t goal, int action) const {
        const auto& humans = m_facts.worlds[model.layout].humans;
        std::size_t begin = 0;
        for (int h = 0; h < human; ++h) begin += humans[h].goals.size() * humans[h].numActions;
        return double{model.prior()[begin + goal * humans[human].numActions + action]};
    }
    double marginal(const StoredModel& model, int human, int action) const {
        const WorldFacts::Human& own = m_facts.worlds[model.layout].humans[human];
        double mass = 0, sum = 0;
        for (std::size_t g = 0; g < own.goals.size(); ++g)
            for (int a = 0; a < own.numActions; ++a) {
                const double part =
                    own.weights[g] * prior(model, human, static_cast<std::int64_t>(g), a);
                sum += part;
                if (a == action) mass += part;
            }
        return mass / sum;
    }
    /// Probability of a profile; `human` follows its goal (-1: nobody).
    double mu(const StoredModel& model, int profile, int human, std::int64_t goal) const {
        const std::vector<int> actions = actionsOf(model.layout, profile);
        double product = 1;
        for (int h = 0; h < std::ssize(actions); ++h)
            product *=
                h == human ? prior(model, h, goal, actions[h]) : marginal(model, h, actions[h]);
        return product;
    }

    int takenProfile(const StoredTransition& transition) const {
        const auto& humans = m_facts.worlds[transition.layout].humans;
        int profile = 0;
        for (std::size_t h = 0; h < humans.size(); ++h)
            profile = profile * humans[h].numActions + transition.humanActions[h];
        return profile;
    }
    std::size_t takenRow(ReplayBuffer::Slot slot) const {
        const StoredTransition& transition = m_buffer.at(slot);
        const int profile = m_buffer.modelOf(slot).profile >= 0 ? 0 : takenProfile(transition);
        return static_cast<std::size_t>(profile) * m_facts.numRobotActions + transition.robotAction;
    }

    /// Rows that follow a robot action with their probabilities.
    std::vector<std::pair<std::size_t, double>> rowsOf(ReplayBuffer::Slot slot, int action,
                                                       int human, std::int64_t goal) const {
        const StoredModel& model = m_buffer.modelOf(slot);
        const std::size_t numActions = m_facts.numRobotActions;
        if (model.profile >= 0) return {{action, 1.0}};
        if (m_spec.humanModel == HumanModel::Sampled)
            return {{takenProfile(m_buffer.at(slot)) * numActions + action, 1.0}};
        std::vector<std::pair<std::size_t, double>> rows;
        for (int p = 0; p < m_facts.worlds[model.layout].numHumanProfiles(); ++p)
            rows.emplace_back(p * numActions + action, mu(model, p, human, goal));
        return rows;
    }

    double v_h_eTarget(ReplayBuffer::Slot slot, int human, std::int64_t goal) {
        const StoredTransition& transition = m_buffer.at(slot);
        const StoredModel& model = m_buffer.modelOf(slot);
        if (m_spec.originalRules && transition.endsEpisode) return 0;
        if (m_spec.numSteps != 1) return v_h_eOfPath(slot, human, goal);
        const std::vector<double> pi = m_values.pi_r(model.state, model.layout);
        double target = 0;
        for (int a = 0; a < m_facts.numRobotActions; ++a)
            for (const auto& [row, mass] : rowsOf(slot, a, human, goal))
                for (std::uint32_t k = model.rowBegin()[row]; k < model.rowBegin()[row + 1]; ++k) {
                    const StateStore::Index next = model.successors()[model.successor()[k]];
                    double value = 0;
                    if (isAttained(next, model.layout, human, goal))
                        value = 1;
                    else if (!model.endsWorld || m_spec.originalRules)
                        value = gammaOf(m_spec.gamma_h, model, row) *
                                m_values.v_h_e(next, model.layout, human, goal);
                    target += pi[a] * mass * double{model.probability()[k]} * value;
                }
        return target;
    }

    double q_rTarget(ReplayBuffer::Slot slot, int action) {
        const StoredModel& model = m_buffer.modelOf(slot);
        double target = 0;
        for (const auto& [row, mass] : rowsOf(slot, action, -1, 0))
            for (std::uint32_t k = model.rowBegin()[row]; k < model.rowBegin()[row + 1]; ++k) {
                const StateStore::Index next = model.successors()[model.successor()[k]];
                const double value = model.endsWorld && !m_spec.originalRules
                                         ? m_spec.terminal_v_r
                                         : m_values.v_r(next, model.layout);
                target += mass * double{model.probability()[k]} *
                          gammaOf(m_spec.gamma_r, model, row) * value;
            }
        return target;
    }

    /// What was met from a transition on, at most numSteps transitions of its episode.
    std::vector<ReplayBuffer::Slot> pathFrom(ReplayBuffer::Slot slot) const {
        std::vector<ReplayBuffer::Slot> path = {slot};
        while (std::ssize(path) != m_spec.numSteps) {
            slot = m_buffer.next(slot);
            if (slot == ReplayBuffer::kNone) break;
            path.push_back(slot);
        }
        return path;
    }

    double v_h_eOfPath(ReplayBuffer::Slot first, int human, std::int64_t goal) {
        double discount = 1;
        const int layout = m_buffer.at(first).layout;
        const std::vector<ReplayBuffer::Slot> path = pathFrom(first);
        for (const ReplayBuffer::Slot slot : path) {
            if (isAttained(m_buffer.reachedState(slot), layout, human, goal)) return discount;
            discount *= gammaOf(m_spec.gamma_h, m_buffer.modelOf(slot), takenRow(slot));
        }
        if (m_buffer.modelOf(path.back()).endsWorld && !m_spec.originalRules) return 0;
        return discount * m_values.v_h_e(m_buffer.reachedState(path.back()), layout, human, goal);
    }

    double q_rOfPath(ReplayBuffer::Slot first) {
        const int layout = m_buffer.at(first).layout;
        const std::vector<ReplayBuffer::Slot> path = pathFrom(first);
        double discount = 1, target = 0;
        for (std::size_t i = 0; i < path.size(); ++i) {
            const StoredModel& model = m_buffer.modelOf(path[i]);
            discount *= gammaOf(m_spec.gamma_r, model, takenRow(path[i]));
            const StateStore::Index next = m_buffer.reachedState(path[i]);
            if (model.endsWorld && !m_spec.originalRules)
                target += discount * m_spec.terminal_v_r;
            else
                target += discount * (i + 1 < path.size() ? m_values.u_r(next, layout)
                                                          : m_values.v_r(next, layout));
        }
        return target;
    }

    ReplayBuffer& m_buffer;
    const ValueFacts& m_facts;
    const EmpoSpec& m_spec;
    const TargetRequest& m_request;
    SingleValues m_values;
};

void compare(const std::string& name, const std::vector<double>& naive, const at::Tensor& batched,
             double tolerance, std::vector<std::string>& found) {
    const std::int64_t count = batched.defined() ? batched.numel() : 0;
    if (std::ssize(naive) != count) {
        found.push_back(name + ": " + std::to_string(naive.size()) + " against " +
                        std::to_string(count) + " numbers");
        return;
    }
    if (count == 0) return;
    const at::Tensor flat = batched.cpu().contiguous();
    for (std::int64_t i = 0; i < count; ++i) {
        const double own = double{flat.const_data_ptr<float>()[i]};
        const double right = naive[i];
        if (!(std::abs(own - right) <= tolerance * std::max(1.0, std::abs(right))))
            found.push_back(name + "[" + std::to_string(i) + "]: naive " + std::to_string(right) +
                            ", batched differs by " + std::to_string((own - right) * 1e6) + "e-6");
    }
}

}  // namespace

NaiveTargets naiveTargets(ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> slots,
                          std::span<const std::int64_t> goals, const QuantityValues& target,
                          const TargetRequest& request) {
    NaiveTargets out;
    NaiveWork work(buffer, target, request);
    const auto numHumans = static_cast<std::size_t>(target.facts->numHumans);
    for (std::size_t b = 0; b < slots.size(); ++b)
        work.add(slots[b], goals.subspan(b * numHumans, numHumans), out);
    return out;
}

std::vector<std::string> differences(const NaiveTargets& naive, const Targets& batched,
                                     double tolerance) {
    std::vector<std::string> found;
    compare("v_h_e", naive.v_h_e, batched.v_h_e, tolerance, found);
    compare("x_h", naive.x_h, batched.x_h, tolerance, found);
    compare("y_r", naive.u_rY, batched.u_rY, tolerance, found);
    compare("q_r", naive.q_r, batched.q_r, tolerance, found);
    compare("v_r", naive.v_r, batched.v_r, tolerance, found);
    return found;
}

}  // namespace orrery::test
