#pragma once

#include <memory>
#include <vector>

#include "core/base/rng.h"
#include "core/env/environment.h"
#include "core/world/world.h"

namespace orrery {

/// A world as something that is only sampled: every agent decides, the world draws what follows.
///
/// Observed is one array with the world's variables. Each human pursues a goal, drawn by its weight
/// when an episode begins; the reward "human0" is 1 in the steps after which its goal is attained,
/// and the fact "human0.goal" says which one it is. After maxSteps steps nothing follows: it is a
/// success if each human attained its goal on the way.
class WorldEnvironment : public Environment {
public:
    /// @throws Error (BadInput) if the world has 2^32 joint actions or more
    explicit WorldEnvironment(std::shared_ptr<const World> world);

    const EnvironmentSpaces& spaces() const override { return m_spaces; }
    void reset(std::uint64_t seed, Observation& out) override;
    void step(std::span<const ActionTaken> taken, StepResult& result, Observation& out) override;
    std::string state() const override;
    void setState(std::string_view json, Observation& out) override;
    void facts(std::span<double> out) const override;
    Picture picture(const PictureWish& wish) const override;

    const World& world() const { return *m_world; }
    std::span<const std::uint64_t> configuration() const { return m_now.configuration; }
    int stepOfEpisode() const { return m_now.step; }

private:
    /// All that decides how an episode goes on.
    struct Moment {
        Configuration configuration;
        int step = 0;
        std::vector<int> goals;     ///< [H] of each human's list
        std::vector<int> attained;  ///< [H] 1 if it was
        Rng rng{0};
    };
    Moment momentOf(std::string_view json) const;
    void observe(Observation& out);

    std::shared_ptr<const World> m_world;
    EnvironmentSpaces m_spaces;
    Moment m_now;
    std::vector<int> m_values;   ///< [variables]
    std::vector<int> m_actions;  ///< [agents]
};

}  // namespace orrery
