#include "core/empo/target_terms.h"

#include <algorithm>
#include <cmath>

namespace orrery {

namespace {

/// Of each human profile, the first human slowest.
std::vector<double> profileWeights(const StoredModel& model, const WorldFacts& facts, int own,
                                   int goal) {
    std::vector<std::vector<double>> policies;
    const float* prior = model.prior().data();
    for (std::size_t h = 0; h < facts.humans.size(); ++h) {
        const WorldFacts::Human& human = facts.humans[h];
        const auto numActions = static_cast<std::size_t>(human.numActions);
        std::vector<double>& policy = policies.emplace_back(numActions, 0.0);
        for (std::size_t g = 0; g < human.goals.size(); ++g) {
            const bool isOwn = static_cast<int>(h) == own;
            if (isOwn && static_cast<int>(g) != goal) continue;
            for (std::size_t a = 0; a < numActions; ++a)
                policy[a] += (isOwn ? 1.0 : human.weights[g]) * prior[g * numActions + a];
        }
        double sum = 0;
        for (const double share : policy) sum += share;
        for (double& share : policy) share /= sum;
        prior += human.goals.size() * numActions;
    }
    std::vector<double> weights(1, 1.0);
    for (const std::vector<double>& policy : policies) {
        std::vector<double> longer;
        for (const double weight : weights)
            for (const double share : policy) longer.push_back(weight * share);
        weights = std::move(longer);
    }
    return weights;
}

}  // namespace

bool isGoalAttained(const WorldFacts& facts, std::span<const std::byte> state, int human,
                    int goal) {
    const WorldFacts::Human& own = facts.humans.at(static_cast<std::size_t>(human));
    return isAttained(facts, state, own, own.goals.at(static_cast<std::size_t>(goal)));
}

std::vector<SuccessorShare> successorShares(const ReplaySnapshot& replay, std::size_t row,
                                            const WorldFacts& facts, const EmpoSpec& spec, int own,
                                            int goal) {
    const StoredModel& model = replay.modelOf(row);
    const auto numActions = static_cast<std::size_t>(facts.numRobotActions());
    std::vector<double> weights(1, 1.0);
    std::size_t firstProfile = 0;
    if (model.profile < 0 && spec.humanModel == HumanModel::Sampled)
        firstProfile = static_cast<std::size_t>(facts.humanProfile(replay.at(row).humanActions));
    else if (model.profile < 0)
        weights = profileWeights(model, facts, own, goal);

    std::vector<SuccessorShare> all;
    std::vector<SuccessorShare> shares(model.successors().size());
    for (std::size_t action = 0; action < numActions; ++action) {
        for (std::size_t s = 0; s < shares.size(); ++s)
            shares[s] = {.robotAction = static_cast<int>(action),
                         .successor = static_cast<std::uint32_t>(s),
                         .decay_r = 0,
                         .decay_h = 0};
        for (std::size_t p = 0; p < weights.size(); ++p) {
            const std::size_t k = (firstProfile + p) * numActions + action;
            const double duration = model.duration().empty() ? 1.0 : model.duration()[k];
            for (std::uint32_t e = model.rowBegin()[k]; e < model.rowBegin()[k + 1]; ++e) {
                SuccessorShare& share = shares[model.successor()[e]];
                const double mass = weights[p] * model.probability()[e];
                share.probability += mass;
                share.decay_r += mass * std::pow(spec.gamma_r, duration);
                share.decay_h += mass * std::pow(spec.gamma_h, duration);
            }
        }
        const auto begin = static_cast<std::ptrdiff_t>(all.size());
        for (SuccessorShare share : shares) {
            if (share.probability <= 0) continue;
            share.decay_r /= share.probability;
            share.decay_h /= share.probability;
            all.push_back(share);
        }
        std::stable_sort(all.begin() + begin, all.end(), [](const auto& a, const auto& b) {
            return a.probability > b.probability;
        });
    }
    return all;
}

std::vector<std::byte> statesOfTarget(const ReplaySnapshot& replay, std::size_t row) {
    const StoredModel& model = replay.modelOf(row);
    const auto before = replay.state(model.state);
    std::vector<std::byte> states(before.begin(), before.end());
    for (const StateStore::Index successor : model.successors()) {
        const auto bytes = replay.state(successor);
        states.insert(states.end(), bytes.begin(), bytes.end());
    }
    return states;
}

TargetSum targetOfGoal(const ReplaySnapshot& replay, std::size_t row, const WorldFacts& facts,
                       const EmpoSpec& spec, const LearnedValues& live, const LearnedValues& target,
                       int human, int goal) {
    const StoredModel& model = replay.modelOf(row);
    const auto h = static_cast<std::size_t>(human);
    const std::size_t numGoals = facts.humans.at(h).goals.size();
    const auto g = static_cast<std::size_t>(goal);
    const bool endsHere = spec.originalRules ? replay.at(row).endsEpisode : model.endsWorld;
    TargetSum sum;
    sum.prediction = live.v_h_e.at(h).at(g);
    sum.isPredictionSeen = live.isVisited_v_h_e.at(h).at(g) != 0;
    for (const SuccessorShare& share : successorShares(replay, row, facts, spec, human, goal)) {
        const std::size_t state = 1 + share.successor;
        TargetTerm term{.robotAction = share.robotAction,
                        .successor = share.successor,
                        .policy = target.pi_r.at(static_cast<std::size_t>(share.robotAction)),
                        .probability = share.probability,
                        .decay = share.decay_h};
        term.isAttained =
            isGoalAttained(facts, replay.state(model.successors()[share.successor]), human, goal);
        // The original's rules take a goal on the last step of an episode for missed.
        if (spec.originalRules && endsHere) term.isAttained = false;
        term.isTerminal = endsHere;
        if (term.isAttained) {
            term.value = term.decay = 1;
        } else if (!term.isTerminal) {
            term.value = std::clamp<double>(target.v_h_e.at(h).at(state * numGoals + g), 0.0, 1.0);
            term.isSeen = target.isVisited_v_h_e.at(h).at(state * numGoals + g) != 0;
        }
        term.term = term.policy * term.probability * term.decay * term.value;
        sum.target += term.term;
        sum.terms.push_back(term);
    }
    return sum;
}

TargetSum targetOfAction(const ReplaySnapshot& replay, std::size_t row, const WorldFacts& facts,
                         const EmpoSpec& spec, const LearnedValues& live,
                         const LearnedValues& target, int robotAction) {
    const StoredModel& model = replay.modelOf(row);
    TargetSum sum;
    sum.prediction = live.q_r.at(static_cast<std::size_t>(robotAction));
    sum.isPredictionSeen = live.isVisited.at(0) != 0;
    for (const SuccessorShare& share : successorShares(replay, row, facts, spec)) {
        if (share.robotAction != robotAction) continue;
        const std::size_t state = 1 + share.successor;
        TargetTerm term{.robotAction = robotAction,
                        .successor = share.successor,
                        .probability = share.probability,
                        .decay = share.decay_r};
        term.isTerminal = model.endsWorld && !spec.originalRules;
        term.value = term.isTerminal ? spec.terminal_v_r : target.v_r.at(state);
        term.isSeen = term.isTerminal || target.isVisited.at(state) != 0;
        term.term = term.probability * term.decay * term.value;
        sum.target += term.term;
        sum.terms.push_back(term);
    }
    return sum;
}

}  // namespace orrery
