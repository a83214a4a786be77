#include "core/solve/solve_plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/solve/joint_actions.h"

namespace orrery {

namespace {

/// Lanes that a human's goals take: narrow ones pack, wide ones fill whole cache lines.
int lanesFor(int goals) {
    if (goals <= 1) return 1;
    if (goals <= 2) return 2;
    if (goals <= 4) return 4;
    return (goals + 7) / 8 * 8;
}

double rhoOf(const std::optional<double>& gamma, const std::optional<double>& rho) {
    if (rho) return *rho;
    return *gamma == 1.0 ? 0.0 : -std::log(*gamma);
}

}  // namespace

RobotProfiles robotProfiles(const World& world) {
    RobotProfiles profiles;
    profiles.robots = world.robots();
    profiles.actions = jointActions(world, profiles.robots);
    for (const auto& actions : profiles.actions) {
        std::string name;
        for (std::size_t k = 0; k < actions.size(); ++k) {
            const AgentInfo& robot = world.agents()[profiles.robots[k]];
            if (actions.size() > 1) name += (k > 0 ? ", " : "") + robot.name + " ";
            name += robot.actions[actions[k]];
        }
        profiles.names.push_back(name);
    }
    return profiles;
}

SolvePlan::SolvePlan(const StateGraph& graph, const SolveSpec& spec, BelievedOthers believedOthers)
    : m_spec(spec), m_believed(std::move(believedOthers)) {
    const World& world = graph.world();
    for (const SpecProblem& problem : validate(spec, world))
        throw Error("The solve cannot be started: " + problem.field + " " + problem.text + ".",
                    Error::Kind::BadInput);
    // A row's index is a sum of one offset an agent, so the kernels find any profile's row by
    // adding what the humans, the other humans and the robots contribute.
    std::uint32_t stride = 1;
    for (int i = 0; i < world.numAgents(); ++i) {
        m_stride.push_back(stride);
        stride *= static_cast<std::uint32_t>(world.numActions(i));
    }
    m_kernel.rows = stride;
    m_kernel.palette = graph.palette().data();
    m_kernel.beta_h = spec.beta_h;
    m_kernel.beta_r = spec.beta_r;
    m_kernel.zeta = spec.zeta;
    m_kernel.xi = spec.xi;
    m_kernel.eta = spec.eta;
    m_kernel.x_h_floor = spec.x_h_floor.value_or(0.0);
    m_kernel.nu = spec.nu;
    m_kernel.optimistic = spec.optimistic;
    m_rho_h = rhoOf(spec.gamma_h, spec.rho_h);
    m_rho_r = rhoOf(spec.gamma_r, spec.rho_r);
    layHumans(world);
    layRobots(world);
    layDiscounts(world);
    std::vector<SpecProblem> none;  // validate has found all
    m_rules = resolveRules(world, spec, none);
    m_usesRules = !m_rules.beliefs.empty() || spec.nu > 0.0;
}

void SolvePlan::layHumans(const World& world) {
    for (const HumanGoals& list : world.goals()) {
        m_humans.push_back(list.agent);
        m_goalBegin.push_back(m_numGoals);
        m_numGoals += static_cast<int>(list.goals.size());
        m_maxActions = std::max(m_maxActions, world.numActions(list.agent));
    }
    const std::size_t humans = m_humans.size();
    m_human.resize(humans);
    m_weights.resize(humans);
    m_othersOffset.resize(humans);
    m_othersAgents.resize(humans);
    for (std::size_t h = 0; h < humans; ++h) layHuman(world, h);
    m_kernel.humans = static_cast<int>(humans);
    m_kernel.human = m_human.data();
    layJointActions(world);
}

void SolvePlan::layHuman(const World& world, std::size_t h) {
    const HumanGoals& list = world.goals()[h];
    KernelHuman& human = m_human[h];
    human.actions = world.numActions(m_humans[h]);
    human.goals = static_cast<int>(list.goals.size());
    human.laneBegin = m_kernel.lanes;
    human.lanes = lanesFor(human.goals);
    m_kernel.lanes += human.lanes;
    m_kernel.goalStride = std::max(m_kernel.goalStride, (human.goals + 7) / 8 * 8);
    human.actionStride = m_stride[m_humans[h]];
    m_weights[h] = list.weights;
    m_weights[h].resize(human.lanes, 0.0);
    human.weight = m_weights[h].data();
    std::vector<int> others;
    for (const int agent : m_humans)
        if (agent != m_humans[h]) others.push_back(agent);
    for (const auto& actions : jointActions(world, others)) {
        std::uint32_t offset = 0;
        for (std::size_t k = 0; k < others.size(); ++k) {
            offset += m_stride[others[k]] * static_cast<std::uint32_t>(actions[k]);
            m_othersAgents[h].push_back(actions[k]);
        }
        m_othersOffset[h].push_back(offset);
    }
    human.othersCount = static_cast<int>(m_othersOffset[h].size());
    human.othersOffset = m_othersOffset[h].data();
    human.othersAgents = m_othersAgents[h].data();
    m_beliefSize += static_cast<std::size_t>(human.actions) * human.othersCount;
}

void SolvePlan::layJointActions(const World& world) {
    for (const auto& actions : jointActions(world, m_humans)) {
        std::uint32_t offset = 0;
        for (std::size_t k = 0; k < m_humans.size(); ++k) {
            offset += m_stride[m_humans[k]] * static_cast<std::uint32_t>(actions[k]);
            m_jointActions.push_back(actions[k]);
        }
        m_jointOffset.push_back(offset);
    }
    m_kernel.jointCount = static_cast<int>(m_jointOffset.size());
    m_kernel.jointOffset = m_jointOffset.data();
    m_kernel.jointActions = m_jointActions.data();
}

void SolvePlan::layRobots(const World& world) {
    std::vector<int> nonHumans;
    for (int i = 0; i < world.numAgents(); ++i)
        if (std::ranges::count(m_humans, i) == 0) nonHumans.push_back(i);
    const auto offsets = [&](const std::vector<int>& agents) {
        std::vector<std::uint32_t> list;
        for (const auto& actions : jointActions(world, agents)) {
            std::uint32_t offset = 0;
            for (std::size_t k = 0; k < agents.size(); ++k)
                offset += m_stride[agents[k]] * static_cast<std::uint32_t>(actions[k]);
            list.push_back(offset);
        }
        return list;
    };
    m_nonHumanOffset = offsets(nonHumans);
    m_robots = robotProfiles(world);
    m_robotOffset = offsets(m_robots.robots);
    m_kernel.nonHumanCount = static_cast<int>(m_nonHumanOffset.size());
    m_kernel.nonHumanOffset = m_nonHumanOffset.data();
    m_kernel.robotCount = static_cast<int>(m_robotOffset.size());
    m_kernel.robotOffset = m_robotOffset.data();
}

void SolvePlan::layDiscounts(const World& world) {
    const auto omega = [this](double duration) {
        return m_rho_r == 0.0 ? 1.0 : -std::expm1(-m_rho_r * duration) / m_rho_r;
    };
    m_discount_h = std::exp(-m_rho_h);
    m_discount_r = std::exp(-m_rho_r);
    // Where all steps last 1, one discount serves all rows, and the continuation values carry it.
    bool unequal = false;
    for (ActionProfileIndex row = 0; row < m_kernel.rows && !unequal; ++row)
        unequal = world.duration(row) != 1.0;
    if (!unequal) {
        m_omega = {omega(1.0)};
    } else {
        for (ActionProfileIndex row = 0; row < m_kernel.rows; ++row) {
            const double duration = world.duration(row);
            m_discounts_h.push_back(std::exp(-m_rho_h * duration));
            m_discounts_r.push_back(std::exp(-m_rho_r * duration));
            m_omega.push_back(omega(duration));
        }
        m_kernel.discount_h = m_discounts_h.data();
        m_kernel.discount_r = m_discounts_r.data();
    }
    m_kernel.omega = m_omega.data();
}

void SolvePlan::applyRules(const StateGraph& graph, State state, std::vector<int>& values,
                           std::vector<double>& belief, std::vector<double>& habit,
                           KernelInput& in) const {
    in.belief = nullptr;
    in.habit = nullptr;
    if (!needsValuation()) return;
    values.resize(graph.world().variables().size());
    graph.world().valuate(graph.configuration(state.config), values);
    if (m_believed || !m_rules.beliefs.empty()) {
        belief.resize(m_beliefSize);
        fillBeliefs(state, values, belief.data());
        in.belief = belief.data();
    }
    if (m_spec.nu > 0.0) {
        fillHabits(state, values, habit);
        in.habit = habit.data();
    }
}

void SolvePlan::fillBeliefs(State state, const std::vector<int>& values, double* out) const {
    std::vector<const SolveRules::Belief*> fitting;
    for (const SolveRules::Belief& rule : m_rules.beliefs)
        if (rule.when.holds(state.step, values)) fitting.push_back(&rule);
    for (int h = 0; h < numHumans(); ++h)
        for (int a = 0; a < m_human[h].actions; ++a, out += m_human[h].othersCount) {
            const int count = m_human[h].othersCount;
            if (m_believed) {
                const std::vector<double> given = m_believed(state, h, a);
                if (std::ssize(given) != count)
                    throw Error("believed others: the callback gave a wrong number of values");
                std::ranges::copy(given, out);
                continue;
            }
            const auto at = std::ranges::find_if(fitting, [&](const SolveRules::Belief* rule) {
                return !rule->others[h].empty() &&
                       (rule->ownAction[h] < 0 || rule->ownAction[h] == a);
            });
            if (at != fitting.end())
                std::ranges::copy((*at)->others[h], out);
            else
                std::fill_n(out, count, 1.0 / count);
        }
}

void SolvePlan::fillHabits(State state, const std::vector<int>& values,
                           std::vector<double>& habit) const {
    habit.assign(static_cast<std::size_t>(numHumans()) * m_maxActions, 0.0);
    for (int h = 0; h < numHumans(); ++h) {
        double* out = habit.data() + static_cast<std::size_t>(h) * m_maxActions;
        const auto at = std::ranges::find_if(m_rules.habits, [&](const SolveRules::Habit& rule) {
            return (rule.human < 0 || rule.human == h) && rule.when.holds(state.step, values);
        });
        if (at != m_rules.habits.end())
            std::ranges::copy(at->probability, out);
        else
            std::fill_n(out, m_human[h].actions, 1.0 / m_human[h].actions);
    }
}

double SolvePlan::rowDiscount_h(ActionProfileIndex row) const {
    return hasDurations() ? m_discounts_h[row] : m_discount_h;
}

double SolvePlan::rowDiscount_r(ActionProfileIndex row) const {
    return hasDurations() ? m_discounts_r[row] : m_discount_r;
}

KernelScratch::KernelScratch(const SolvePlan& plan) : attained(plan.numHumans()) {
    const KernelPlan& kernel = plan.kernel();
    // The widest kernel may read and write up to seven lanes beyond the last goal.
    constexpr std::size_t kSlack = 8;
    const std::size_t lanes = static_cast<std::size_t>(kernel.lanes);
    const std::size_t stride = static_cast<std::size_t>(kernel.goalStride);
    const std::size_t actions = plan.maxActions();
    const std::size_t humans = kernel.humans;
    const std::size_t sizes[] = {actions * stride + kSlack,
                                 humans * actions * stride + kSlack,
                                 lanes + kSlack,
                                 humans * actions,
                                 static_cast<std::size_t>(kernel.robotCount),
                                 static_cast<std::size_t>(kernel.robotCount),
                                 lanes + kSlack,
                                 humans,
                                 static_cast<std::size_t>(kernel.jointCount)};
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += size + kSlack;
    m_numbers.assign(total, 0.0);
    m_rowBegin.resize(kernel.rows + 1);
    double* next = m_numbers.data();
    double** const targets[] = {&m_output.q_h,      &m_output.pi_h, &m_output.v_h,
                                &m_output.marginal, &m_output.q_r,  &m_output.pi_r,
                                &m_output.v_h_e,    &m_output.x_h,  &m_output.mu};
    for (std::size_t k = 0; k < std::size(sizes); ++k) {
        *targets[k] = next;
        next += sizes[k] + kSlack;
    }
    m_output.rowBegin = m_rowBegin.data();
    m_output.maxActions = plan.maxActions();
}

}  // namespace orrery
