#include "core/collect/human_prior.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"

namespace orrery {

namespace {

class ExactPolicy final : public GoalPolicy {
public:
    explicit ExactPolicy(std::shared_ptr<const Solution> solution)
        : m_solution(std::move(solution)) {}

    void fill(std::span<const std::uint64_t> configuration, int step,
              std::span<float> out) override {
        const StateGraph& graph = m_solution->graph();
        const auto found = graph.find(configuration, graph.isFolded() ? -1 : step);
        if (!found || !graph.inLevel(step, *found))
            throw Error("The exact prior of '" + m_solution->world().name() +
                            "' does not know a state at step " + std::to_string(step) +
                            ": it was solved for another world. Solve this one.",
                        Error::Kind::BadInput);
        const StateValues values = m_solution->values({step, *found});
        std::size_t at = 0;
        for (const auto& goals : values.pi_h)
            for (const auto& actions : goals)
                for (const double probability : actions)
                    out[at++] = static_cast<float>(probability);
    }

private:
    std::shared_ptr<const Solution> m_solution;
};

class UniformPolicy final : public GoalPolicy {
public:
    explicit UniformPolicy(const World& world) {
        for (const HumanGoals& human : world.goals()) {
            const auto actions = static_cast<std::size_t>(world.numActions(human.agent));
            m_prior.insert(m_prior.end(), human.goals.size() * actions,
                           1.0F / static_cast<float>(actions));
        }
    }
    void fill(std::span<const std::uint64_t>, int, std::span<float> out) override {
        std::ranges::copy(m_prior, out.begin());
    }

private:
    std::vector<float> m_prior;
};

}  // namespace

std::unique_ptr<GoalPolicy> makeExactPolicy(std::shared_ptr<const Solution> solution) {
    return std::make_unique<ExactPolicy>(std::move(solution));
}

std::unique_ptr<GoalPolicy> makeUniformPolicy(const World& world) {
    return std::make_unique<UniformPolicy>(world);
}

}  // namespace orrery
