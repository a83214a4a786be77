#include "core/solve/solution.h"

#include <algorithm>
#include <map>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/solve/kernel.h"
#include "core/solve/level_store.h"
#include "core/solve/solve_plan.h"

namespace orrery {

namespace {

/// One state's rows with successors renumbered from 0, and their continuation values: the input of
/// the kernels that made the stored values, so a query gives the same bits.
class StateProblem {
public:
    StateProblem(const Solution& solution, const SolvePlan& plan, State state)
        : m_solution(solution), m_plan(plan), m_scratch(plan) {
        const StateGraph& graph = solution.graph();
        const World& world = graph.world();
        const ConfigRows rows = graph.rows(state.config);
        m_successors.assign(rows.successor, rows.successor + rows.numEntries);
        std::ranges::sort(m_successors);
        m_successors.erase(std::ranges::unique(m_successors).begin(), m_successors.end());
        for (std::uint32_t e = 0; e < rows.numEntries; ++e)
            m_local.push_back(static_cast<std::uint32_t>(
                std::ranges::lower_bound(m_successors, rows.successor[e]) - m_successors.begin()));
        const std::size_t lanes = static_cast<std::size_t>(plan.kernel().lanes);
        m_w_h.assign(m_successors.size() * lanes + 8, 0.0);
        m_w_h_e = m_w_h;
        m_v_r.assign(m_successors.size(), 0.0);
        for (std::size_t k = 0; k < m_successors.size(); ++k)
            fillContinuation({state.step + 1, m_successors[k]}, k);
        for (int h = 0; h < plan.numHumans(); ++h)
            m_scratch.attained[h] = world.attainedGoals(graph.configuration(state.config), h);
        KernelInput in;
        in.successor = m_local.data();
        in.count = rows.count;
        in.probability = rows.probability;
        in.attained = m_scratch.attained.data();
        in.w_h = m_w_h.data();
        in.w_h_e = m_w_h_e.data();
        in.v_r = m_v_r.data();
        in.discount_r = plan.discount_r();
        plan.applyRules(graph, state, m_scratch.values, m_scratch.belief, m_scratch.habit, in);
        const Kernel kernel = kernelFor(cpuLevel());
        kernel.phase1(plan.kernel(), in, m_scratch.output());
        if (!plan.spec().phase1Only) kernel.phase2(plan.kernel(), in, m_scratch.output());
    }

    const KernelOutput& output() { return m_scratch.output(); }

private:
    void fillContinuation(State next, std::size_t k) {
        const KernelPlan& kernel = m_plan.kernel();
        const StateGraph& graph = m_solution.graph();
        // With durations the discount depends on the row that leads there, so the kernels apply it;
        // what is attained is not discounted, and -1, which is no value, tells them that.
        const double discount = m_plan.hasDurations() ? 1.0 : m_plan.discount_h();
        const double attained = m_plan.hasDurations() ? -1.0 : 1.0;
        for (int h = 0; h < kernel.humans; ++h) {
            const KernelHuman& human = kernel.human[h];
            std::uint64_t goals = graph.world().attainedGoals(graph.configuration(next.config), h);
            double* w_h = &m_w_h[k * kernel.lanes + human.laneBegin];
            double* w_h_e = &m_w_h_e[k * kernel.lanes + human.laneBegin];
            for (int g = 0; g < human.goals; ++g, goals >>= 1) {
                w_h[g] = (goals & 1U) ? attained : discount * m_solution.v_h(next, h, g);
                w_h_e[g] = (goals & 1U) ? attained : discount * m_solution.v_h_e(next, h, g);
            }
        }
        m_v_r[k] = m_solution.v_r(next);
    }

    const Solution& m_solution;
    const SolvePlan& m_plan;
    KernelScratch m_scratch;
    std::vector<ConfigIndex> m_successors;
    std::vector<std::uint32_t> m_local;
    std::vector<double> m_w_h, m_w_h_e, m_v_r;
};

void requireState(const StateGraph& graph, State state) {
    if (!graph.inLevel(state.step, state.config))
        throw Error("State " + std::to_string(state.config) + " is not reachable at step " +
                        std::to_string(state.step),
                    Error::Kind::BadInput);
}

/// An index drawn from probabilities that sum to about 1.
template <typename Probabilities>
int draw(const Probabilities& probabilities, Rng& rng) {
    double left = rng.uniform();
    int last = 0;
    for (int k = 0; k < std::ssize(probabilities); ++k) {
        if (probabilities[k] <= 0.0) continue;
        last = k;  // where rounding leaves a rest, the last that is possible
        left -= probabilities[k];
        if (left < 0.0) return k;
    }
    return last;
}

}  // namespace

Solution::~Solution() = default;

Solution::Solution(std::shared_ptr<const StateGraph> graph, SolveSpec spec,
                   std::unique_ptr<LevelStore> levels, BelievedOthers believedOthers)
    : m_graph(std::move(graph)),
      m_spec(std::move(spec)),
      m_levels(std::move(levels)),
      m_plan(std::make_unique<const SolvePlan>(*m_graph, m_spec, std::move(believedOthers))) {}

double Solution::v_r(State state) const {
    if (m_spec.phase1Only) return 0.0;
    if (state.step + 1 >= m_graph->numLevels()) return m_spec.terminal_v_r;
    return m_levels->v_r(state.step, state.config - m_graph->levelBegin(state.step));
}

double Solution::v_h_e(State state, int human, int goal) const {
    if (m_spec.phase1Only || state.step + 1 >= m_graph->numLevels()) return 0.0;
    return m_levels->v_h_e(state.step, state.config - m_graph->levelBegin(state.step),
                           m_plan->goalBegin(human) + goal);
}

double Solution::v_h(State state, int human, int goal) const {
    if (state.step + 1 >= m_graph->numLevels()) return 0.0;
    return m_levels->v_h(state.step, state.config - m_graph->levelBegin(state.step),
                         m_plan->goalBegin(human) + goal);
}

StateValues Solution::values(State state) const {
    requireState(*m_graph, state);
    StateValues values;
    values.state = state;
    values.terminal = state.step + 1 >= m_graph->numLevels();
    const KernelPlan& plan = m_plan->kernel();
    for (int h = 0; h < plan.humans; ++h) {
        values.v_h.emplace_back();
        values.v_h_e.emplace_back();
        for (int g = 0; g < plan.human[h].goals; ++g) {
            values.v_h[h].push_back(v_h(state, h, g));
            values.v_h_e[h].push_back(v_h_e(state, h, g));
        }
    }
    values.v_r = v_r(state);
    if (values.terminal) {
        values.x_h.assign(plan.humans, 0.0);
        return values;
    }
    StateProblem problem(*this, *m_plan, state);
    const KernelOutput& out = problem.output();
    for (int h = 0; h < plan.humans; ++h) {
        const KernelHuman& human = plan.human[h];
        const double* pi =
            out.pi_h + static_cast<std::size_t>(h) * out.maxActions * plan.goalStride;
        std::vector<std::vector<double>> byGoal(human.goals);
        for (int g = 0; g < human.goals; ++g)
            for (int a = 0; a < human.actions; ++a)
                byGoal[g].push_back(pi[a * plan.goalStride + g]);
        values.pi_h.push_back(std::move(byGoal));
        const double* marginal = out.marginal + h * out.maxActions;
        values.marginal.emplace_back(marginal, marginal + human.actions);
    }
    if (m_spec.phase1Only) return values;
    values.q_r.assign(out.q_r, out.q_r + plan.robotCount);
    values.pi_r.assign(out.pi_r, out.pi_r + plan.robotCount);
    values.x_h.assign(out.x_h, out.x_h + plan.humans);
    values.u_r = out.u_r;
    return values;
}

std::vector<Successor> Solution::successors(State state, ActionProfileIndex profile) const {
    requireState(*m_graph, state);
    std::vector<Successor> list;
    if (state.step + 1 >= m_graph->numLevels()) return list;
    for (const GraphOutcome& outcome : m_graph->outcomes(state.config, profile))
        list.push_back({outcome.probability, {state.step + 1, outcome.successor}});
    return list;
}

std::vector<Successor> Solution::inducedChain(State state) const {
    const StateValues values = this->values(state);
    std::vector<Successor> list;
    if (values.terminal || values.pi_r.empty()) return list;
    std::map<ConfigIndex, double> chain;
    const KernelPlan& plan = m_plan->kernel();
    for (int m = 0; m < plan.jointCount; ++m) {
        double mu = 1.0;
        for (int h = 0; h < plan.humans; ++h)
            mu *= values.marginal[h][plan.jointActions[m * plan.humans + h]];
        for (int r = 0; r < plan.robotCount && mu > 0.0; ++r)
            for (const GraphOutcome& outcome :
                 m_graph->outcomes(state.config, plan.jointOffset[m] + plan.robotOffset[r]))
                chain[outcome.successor] += mu * values.pi_r[r] * outcome.probability;
    }
    for (const auto& [config, probability] : chain)
        list.push_back({probability, {state.step + 1, config}});
    return list;
}

std::vector<RolloutStep> Solution::rollout(State from, std::span<const int> goals, Rng& rng) const {
    requireState(*m_graph, from);
    const World& world = this->world();
    std::vector<int> pursued;
    for (int h = 0; h < m_plan->numHumans(); ++h) {
        std::vector<double> weights = world.goals()[h].weights;
        double total = 0;
        for (const double w : weights) total += w;
        for (double& w : weights) w /= total;
        const bool fixed = h < std::ssize(goals) && goals[h] >= 0;
        pursued.push_back(fixed ? goals[h] : draw(weights, rng));
    }
    std::vector<RolloutStep> steps;
    for (State state = from;;) {
        const StateValues values = this->values(state);
        RolloutStep step{state, 0, pursued};
        if (values.terminal) {
            steps.push_back(std::move(step));
            return steps;
        }
        std::vector<int> actions(world.numAgents(), 0);
        for (int h = 0; h < m_plan->numHumans(); ++h)
            actions[world.goals()[h].agent] = draw(values.pi_h[h][pursued[h]], rng);
        const RobotProfiles& robots = m_plan->robots();
        const int robotProfile = values.pi_r.empty()
                                     ? static_cast<int>(rng.below(robots.actions.size()))
                                     : draw(values.pi_r, rng);
        for (std::size_t k = 0; k < robots.robots.size(); ++k)
            actions[robots.robots[k]] = robots.actions[robotProfile][k];
        step.profile = world.profileIndex(actions);
        steps.push_back(step);
        const std::vector<Successor> next = successors(state, step.profile);
        std::vector<double> probabilities;
        for (const Successor& successor : next) probabilities.push_back(successor.probability);
        state = next[draw(probabilities, rng)].state;
    }
}

Solution::Checksums Solution::checksums(int threads) const {
    ThreadTeam team(threads);
    Checksums total;
    constexpr std::int64_t kChunk = 4096;
    const int humans = m_plan->numHumans();
    for (int t = 0; t < m_graph->numLevels(); ++t) {
        const std::int64_t begin = m_graph->levelBegin(t);
        const std::int64_t end = m_graph->levelEnd(t);
        // Sums of fixed chunks, added in their order: the same bits with any number of threads.
        std::vector<Checksums> chunks((end - begin + kChunk - 1) / kChunk);
        team.forChunks(begin, end, kChunk, {}, [&](std::int64_t from, std::int64_t to, int) {
            Checksums& sums = chunks[(from - begin) / kChunk];
            for (auto c = static_cast<ConfigIndex>(from); c < to; ++c) {
                if (!m_graph->inLevel(t, c)) continue;
                const State state{t, c};
                sums.sum_v_r += v_r(state);
                sums.min_v_r = std::min(sums.min_v_r, v_r(state));
                for (int h = 0; h < humans; ++h)
                    for (int g = 0; g < m_plan->kernel().human[h].goals; ++g) {
                        sums.sum_v_h_e += v_h_e(state, h, g);
                        sums.sumPhase1 += v_h(state, h, g);
                    }
            }
        });
        for (const Checksums& sums : chunks) {
            total.sum_v_r += sums.sum_v_r;
            total.min_v_r = std::min(total.min_v_r, sums.min_v_r);
            total.sum_v_h_e += sums.sum_v_h_e;
            total.sumPhase1 += sums.sumPhase1;
        }
    }
    total.v_r_root = v_r({0, 0});
    return total;
}

}  // namespace orrery
