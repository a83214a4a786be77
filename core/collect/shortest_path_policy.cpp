#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/collect/human_prior.h"
#include "core/collect/walk_distances.h"

namespace orrery {

namespace {

int stillAction(const AgentInfo& agent) {
    for (const char* name : {"still", "pass", "done"}) {
        const auto at = std::ranges::find(agent.actions, name);
        if (at != agent.actions.end()) return static_cast<int>(at - agent.actions.begin());
    }
    return 0;
}

/// Writes softmax(beta * -distance) of one goal's actions.
void softmaxOfNearness(std::span<const double> distance, double beta, std::span<float> out) {
    const double best = std::ranges::min(distance);
    double sum = 0;
    for (std::size_t a = 0; a < distance.size(); ++a) {
        // Means over outcomes are rounded: what is this near is a tie.
        const double behind = distance[a] - best < 1e-9 ? 0.0 : distance[a] - best;
        const double weight = behind == 0.0 ? 1.0 : std::exp(-beta * behind);
        out[a] = static_cast<float>(weight);
        sum += weight;
    }
    for (float& probability : out) probability = static_cast<float>(probability / sum);
}

class ShortestPathPolicy final : public GoalPolicy {
public:
    ShortestPathPolicy(std::shared_ptr<const World> world, double beta_h)
        : m_world(std::move(world)), m_beta_h(beta_h) {
        for (const HumanGoals& list : m_world->goals()) m_walks.emplace_back(m_world, list);
        for (const AgentInfo& agent : m_world->agents()) m_still.push_back(stillAction(agent));
    }

    void fill(std::span<const std::uint64_t> configuration, int step,
              std::span<float> out) override {
        std::size_t at = 0;
        for (WalkDistances& walk : m_walks) {
            const auto actions = static_cast<std::size_t>(m_world->numActions(walk.agent()));
            m_expected.assign(walk.numGoals() * actions, 0.0);
            for (std::size_t a = 0; a < actions; ++a) addOutcomes(walk, configuration, step, a);
            for (std::size_t g = 0; g < walk.numGoals(); ++g, at += actions)
                softmaxOfNearness(std::span(m_expected).subspan(g * actions, actions), m_beta_h,
                                  out.subspan(at, actions));
        }
    }

private:
    void addOutcomes(WalkDistances& walk, std::span<const std::uint64_t> configuration, int step,
                     std::size_t action) {
        const auto actions = static_cast<std::size_t>(m_world->numActions(walk.agent()));
        std::vector<int> profile = m_still;
        profile[static_cast<std::size_t>(walk.agent())] = static_cast<int>(action);
        for (const Outcome& outcome :
             m_world->outcomes(configuration, step, m_world->profileIndex(profile))) {
            const std::span<const float> distance = walk.at(outcome.successor);
            for (std::size_t g = 0; g < distance.size(); ++g)
                m_expected[g * actions + action] +=
                    outcome.probability * static_cast<double>(distance[g]);
        }
    }

    std::shared_ptr<const World> m_world;
    double m_beta_h;
    std::vector<WalkDistances> m_walks;  ///< [H]
    std::vector<int> m_still;            ///< [agents]
    std::vector<double> m_expected;      ///< scratch [G x A_h]
};

}  // namespace

std::unique_ptr<GoalPolicy> makeShortestPathPolicy(std::shared_ptr<const World> world,
                                                   double beta_h) {
    return std::make_unique<ShortestPathPolicy>(std::move(world), beta_h);
}

}  // namespace orrery
