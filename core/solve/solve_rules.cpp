#include "core/solve/solve_rules.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/solve/joint_actions.h"

namespace orrery {

namespace {

/// Resolves rules one by one and collects what is wrong.
class RuleResolver {
public:
    RuleResolver(const World& world, std::vector<SpecProblem>& problems)
        : m_world(world), m_problems(problems) {
        for (const HumanGoals& list : world.goals()) {
            m_humans.push_back(list.agent);
            m_names.push_back(world.agents()[list.agent].name);
        }
    }

    std::optional<SolveRules::Belief> belief(const BelievedOthersRule& rule,
                                             const std::string& place) {
        const std::size_t before = m_problems.size();
        const auto when = predicate(rule.when, place);
        const int human = humanNamed(rule.human, place + ".human");
        for (const auto& agent : rule.agents) humanNamed(agent.agent, place + ".agents");
        if (m_problems.size() > before) return std::nullopt;
        SolveRules::Belief read{*when, human, std::vector<int>(m_humans.size(), -1), {}};
        read.others.resize(m_humans.size());
        for (std::size_t h = 0; h < m_humans.size(); ++h) {
            if (human >= 0 && human != static_cast<int>(h)) continue;
            if (!rule.ownAction.empty())
                read.ownAction[h] = actionNamed(m_humans[h], rule.ownAction, place + ".own_action");
            read.others[h] =
                rule.profiles.empty() ? ofAgents(rule, h, place) : ofProfiles(rule, h, place);
        }
        if (m_problems.size() > before) return std::nullopt;
        return read;
    }

    std::optional<SolveRules::Habit> habit(const HabitRule& rule, const std::string& place) {
        const std::size_t before = m_problems.size();
        const auto when = predicate(rule.when, place);
        const int human = humanNamed(rule.human, place + ".human");
        if (m_problems.size() > before) return std::nullopt;
        for (std::size_t h = 0; h < m_humans.size(); ++h)
            if (human < 0 || human == static_cast<int>(h))
                requireOneEach(m_humans[h], rule.probability, place + ".probability");
        if (m_problems.size() > before) return std::nullopt;
        return SolveRules::Habit{*when, human, rule.probability};
    }

private:
    /// Says the same only once: a rule for every human is looked at for each.
    void add(const std::string& field, const std::string& text) {
        if (m_problems.empty() || m_problems.back().field != field ||
            m_problems.back().text != text)
            m_problems.push_back({field, text});
    }

    std::optional<Predicate> predicate(const std::string& text, const std::string& place) {
        try {
            return Predicate(m_world, text);
        } catch (const Error& e) {
            add(place + ".when", std::string("is wrong at ") + e.what());
            return std::nullopt;
        }
    }

    /// -1 for an empty name.
    int humanNamed(const std::string& name, const std::string& field) {
        if (name.empty()) return -1;
        const auto at = std::ranges::find(m_names, name);
        if (at == m_names.end())
            add(field, "names no human: there is no '" + escaped(name, 60) + "' among " +
                           commaList(m_names));
        return static_cast<int>(at - m_names.begin());
    }

    int actionNamed(int agent, const std::string& name, const std::string& field) {
        const AgentInfo& info = m_world.agents()[agent];
        const auto at = std::ranges::find(info.actions, name);
        if (at != info.actions.end()) return static_cast<int>(at - info.actions.begin());
        add(field, "is no action of " + info.name + ": there is no '" + escaped(name, 60) +
                       "' among " + commaList(info.actions));
        return 0;
    }

    void requireOneEach(int agent, const std::vector<double>& probability,
                        const std::string& field) {
        const int actions = m_world.numActions(agent);
        if (std::ssize(probability) != actions)
            add(field, "must be one probability for each of the " + std::to_string(actions) +
                           " actions of " + m_world.agents()[agent].name + ", got " +
                           std::to_string(probability.size()));
    }

    std::vector<int> othersOf(std::size_t human) const {
        std::vector<int> others;
        for (std::size_t h = 0; h < m_humans.size(); ++h)
            if (h != human) others.push_back(m_humans[h]);
        return others;
    }

    std::vector<double> ofProfiles(const BelievedOthersRule& rule, std::size_t human,
                                   const std::string& place) {
        const std::vector<int> others = othersOf(human);
        const auto profiles = jointActions(m_world, others);
        std::vector<double> belief(profiles.size(), 0.0);
        for (std::size_t p = 0; p < rule.profiles.size(); ++p) {
            const BelievedOthersRule::JointProfile& given = rule.profiles[p];
            const std::string field = place + ".profiles[" + std::to_string(p) + "].actions";
            if (given.actions.size() != others.size()) {
                add(field, "must be one action for each human but " + m_names[human] +
                               ", which is " + std::to_string(others.size()) + ", got " +
                               std::to_string(given.actions.size()));
                continue;
            }
            std::vector<int> actions;
            for (std::size_t k = 0; k < others.size(); ++k)
                actions.push_back(actionNamed(others[k], given.actions[k], field));
            belief[static_cast<std::size_t>(std::ranges::find(profiles, actions) -
                                            profiles.begin())] += given.probability;
        }
        return belief;
    }

    std::vector<double> ofAgents(const BelievedOthersRule& rule, std::size_t human,
                                 const std::string& place) {
        using Given = BelievedOthersRule::AgentDistribution;
        const std::vector<int> others = othersOf(human);
        std::vector<std::vector<double>> single;  // [other][action]
        for (const int other : others) {
            const auto at =
                std::ranges::find(rule.agents, m_world.agents()[other].name, &Given::agent);
            const auto actions = static_cast<std::size_t>(m_world.numActions(other));
            if (at != rule.agents.end())
                requireOneEach(other, at->probability, place + ".agents." + at->agent);
            const bool fits = at != rule.agents.end() && at->probability.size() == actions;
            single.push_back(
                fits ? at->probability
                     : std::vector<double>(actions, 1.0 / static_cast<double>(actions)));
        }
        std::vector<double> belief;
        for (const std::vector<int>& profile : jointActions(m_world, others)) {
            belief.push_back(1.0);
            for (std::size_t k = 0; k < others.size(); ++k)
                belief.back() *= single[k][static_cast<std::size_t>(profile[k])];
        }
        return belief;
    }

    const World& m_world;
    std::vector<SpecProblem>& m_problems;
    std::vector<int> m_humans;         // agent indices
    std::vector<std::string> m_names;  // of the humans
};

}  // namespace

SolveRules resolveRules(const World& world, const SolveSpec& spec,
                        std::vector<SpecProblem>& problems) {
    SolveRules rules;
    RuleResolver resolver(world, problems);
    for (std::size_t i = 0; i < spec.believedOthers.size(); ++i)
        if (auto belief = resolver.belief(spec.believedOthers[i],
                                          "believed_others[" + std::to_string(i) + "]"))
            rules.beliefs.push_back(std::move(*belief));
    for (std::size_t i = 0; i < spec.habits.size(); ++i)
        if (auto habit = resolver.habit(spec.habits[i], "habits[" + std::to_string(i) + "]"))
            rules.habits.push_back(std::move(*habit));
    return rules;
}

std::vector<SpecProblem> validate(const SolveSpec& spec, const World& world) {
    std::vector<SpecProblem> problems = validate(spec);
    if (const auto why = world.whyNotPlannable()) problems.push_back({"world", *why});
    if (world.goals().empty())
        problems.push_back(
            {"world", "has no human, so there is nothing to solve for; add an agent Ay"});
    for (const HumanGoals& list : world.goals())
        if (list.goals.empty())
            problems.push_back({"world", "gives " + world.agents()[list.agent].name +
                                             " no goal; give it possible_goals"});
    if (problems.empty()) resolveRules(world, spec, problems);
    return problems;
}

}  // namespace orrery
