#include "core/solve/solve_plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

/// Lanes that a human's goals take: narrow ones pack, wide ones fill whole cache lines.
int lanesFor(int goals) {
    if (goals <= 1) return 1;
    if (goals <= 2) return 2;
    if (goals <= 4) return 4;
    return (goals + 7) / 8 * 8;
}

/// Joint actions of some agents in lexicographic order, the first agent slowest.
std::vector<std::vector<int>> jointActions(const World& world, const std::vector<int>& agents) {
    std::vector<std::vector<int>> all{{}};
    for (const int agent : agents) {
        std::vector<std::vector<int>> longer;
        for (const auto& prefix : all)
            for (int a = 0; a < world.numActions(agent); ++a) {
                longer.push_back(prefix);
                longer.back().push_back(a);
            }
        all = std::move(longer);
    }
    return all;
}

double rhoOf(const std::optional<double>& gamma, const std::optional<double>& rho) {
    if (rho) return *rho;
    return *gamma == 1.0 ? 0.0 : -std::log(*gamma);
}

int actionIndex(const World& world, int agent, const std::string& name, const std::string& where) {
    const std::vector<std::string>& names = world.agents()[agent].actions;
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
        throw Error(where + ": " + world.agents()[agent].name + " has no action '" + name + "'",
                    Error::Kind::BadInput);
    return static_cast<int>(at - names.begin());
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
    for (const SolveProblem& problem : validate(spec))
        throw Error(problem.field + ": " + problem.text, Error::Kind::BadInput);
    const World& world = graph.world();
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
    readRules(world);
}

void SolvePlan::layHumans(const World& world) {
    const std::span<const HumanGoals> lists = world.goals();
    if (lists.empty())
        throw Error("The world has no human, so there is nothing to solve for. Add an agent Ay",
                    Error::Kind::BadInput);
    for (const HumanGoals& list : lists) {
        if (list.goals.empty())
            throw Error(world.agents()[list.agent].name +
                            " has no goal. Give possible_goals in the world file",
                        Error::Kind::BadInput);
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
    for (std::size_t h = 0; h < humans; ++h) {
        KernelHuman& human = m_human[h];
        human.actions = world.numActions(m_humans[h]);
        human.goals = static_cast<int>(lists[h].goals.size());
        human.laneBegin = m_kernel.lanes;
        human.lanes = lanesFor(human.goals);
        m_kernel.lanes += human.lanes;
        m_kernel.goalStride = std::max(m_kernel.goalStride, (human.goals + 7) / 8 * 8);
        human.actionStride = m_stride[m_humans[h]];
        m_weights[h] = lists[h].weights;
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
    m_kernel.humans = static_cast<int>(humans);
    m_kernel.human = m_human.data();
    for (const auto& actions : jointActions(world, m_humans)) {
        std::uint32_t offset = 0;
        for (std::size_t k = 0; k < humans; ++k) {
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

int SolvePlan::humanIndex(const World& world, const std::string& name,
                          const std::string& where) const {
    if (name.empty()) return -1;
    for (std::size_t h = 0; h < m_humans.size(); ++h)
        if (world.agents()[m_humans[h]].name == name) return static_cast<int>(h);
    throw Error(
        where + ": there is no human '" + name + "'; the humans are named human0, human1, ...",
        Error::Kind::BadInput);
}

std::vector<double> SolvePlan::ruleBelief(const World& world, const BelievedOthersRule& rule,
                                          int human) const {
    std::vector<int> others;
    for (const int agent : m_humans)
        if (agent != m_humans[human]) others.push_back(agent);
    const auto profiles = jointActions(world, others);
    std::vector<double> belief(profiles.size(), 0.0);
    if (!rule.profiles.empty()) {
        for (const auto& entry : rule.profiles) {
            if (entry.actions.size() != others.size())
                throw Error("believed_others: a profile names " +
                                std::to_string(entry.actions.size()) + " actions, but " +
                                world.agents()[m_humans[human]].name + " has " +
                                std::to_string(others.size()) + " other humans",
                            Error::Kind::BadInput);
            std::vector<int> actions;
            for (std::size_t k = 0; k < others.size(); ++k)
                actions.push_back(
                    actionIndex(world, others[k], entry.actions[k], "believed_others"));
            belief[std::ranges::find(profiles, actions) - profiles.begin()] += entry.probability;
        }
    } else {
        for (std::size_t p = 0; p < profiles.size(); ++p) {
            belief[p] = 1.0;
            for (std::size_t k = 0; k < others.size(); ++k) {
                const std::string& name = world.agents()[others[k]].name;
                const auto at = std::ranges::find(rule.agents, name,
                                                  &BelievedOthersRule::AgentDistribution::agent);
                const int actions = world.numActions(others[k]);
                if (at == rule.agents.end()) {
                    belief[p] *= 1.0 / actions;
                    continue;
                }
                if (std::ssize(at->probability) != actions)
                    throw Error("believed_others: " + name + " has " + std::to_string(actions) +
                                    " actions, but " + std::to_string(at->probability.size()) +
                                    " probabilities are given",
                                Error::Kind::BadInput);
                belief[p] *= at->probability[profiles[p][k]];
            }
        }
    }
    double sum = 0;
    for (const double p : belief) sum += p;
    if (std::abs(sum - 1.0) > 1e-9)
        throw Error("believed_others: the probabilities of rule 'when " + rule.when + "' sum to " +
                        formatDouble(sum) + ", not 1",
                    Error::Kind::BadInput);
    return belief;
}

void SolvePlan::readRules(const World& world) {
    for (const BelievedOthersRule& rule : m_spec.believed_others) {
        for (const auto& agent : rule.agents) humanIndex(world, agent.agent, "believed_others");
        Rule read{Predicate(world, rule.when),
                  humanIndex(world, rule.human, "believed_others"),
                  std::vector<int>(m_humans.size(), -1),
                  {}};
        read.beliefs.resize(m_humans.size());
        for (int h = 0; h < numHumans(); ++h)
            if (read.human < 0 || read.human == h) {
                read.beliefs[h] = ruleBelief(world, rule, h);
                if (!rule.ownAction.empty())
                    read.ownAction[h] =
                        actionIndex(world, m_humans[h], rule.ownAction, "believed_others");
            }
        m_rules.push_back(std::move(read));
    }
    if (m_spec.nu > 0.0)
        for (const HabitRule& rule : m_spec.habits) {
            Habit habit{Predicate(world, rule.when), humanIndex(world, rule.human, "habits"),
                        rule.probability};
            for (int h = 0; h < numHumans(); ++h)
                if ((habit.human < 0 || habit.human == h) &&
                    m_human[h].actions != std::ssize(habit.probability))
                    throw Error("habits: give one probability an action", Error::Kind::BadInput);
            m_habits.push_back(std::move(habit));
        }
    m_usesRules = !m_rules.empty() || m_spec.nu > 0.0;
}

void SolvePlan::applyRules(const StateGraph& graph, State state, std::vector<int>& values,
                           std::vector<double>& belief, std::vector<double>& habit,
                           KernelInput& in) const {
    in.belief = nullptr;
    in.habit = nullptr;
    if (!needsValuation()) return;
    values.resize(graph.world().variables().size());
    graph.world().valuate(graph.configuration(state.config), values);
    if (m_believed || !m_rules.empty()) {
        belief.resize(m_beliefSize);
        double* out = belief.data();
        std::vector<const Rule*> fitting;
        for (const Rule& rule : m_rules)
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
                const auto fits = [&](const Rule* rule) {
                    return !rule->beliefs[h].empty() &&
                           (rule->ownAction[h] < 0 || rule->ownAction[h] == a);
                };
                const auto at = std::ranges::find_if(fitting, fits);
                if (at != fitting.end())
                    std::ranges::copy((*at)->beliefs[h], out);
                else
                    std::fill_n(out, count, 1.0 / count);
            }
        in.belief = belief.data();
    }
    if (m_spec.nu > 0.0) {
        habit.assign(static_cast<std::size_t>(numHumans()) * m_maxActions, 0.0);
        for (int h = 0; h < numHumans(); ++h) {
            double* out = habit.data() + static_cast<std::size_t>(h) * m_maxActions;
            const auto at = std::ranges::find_if(m_habits, [&](const Habit& rule) {
                return (rule.human < 0 || rule.human == h) && rule.when.holds(state.step, values);
            });
            if (at != m_habits.end())
                std::ranges::copy(at->probability, out);
            else
                std::fill_n(out, m_human[h].actions, 1.0 / m_human[h].actions);
        }
        in.habit = habit.data();
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
