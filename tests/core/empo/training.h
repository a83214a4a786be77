#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/collect/collector.h"
#include "core/empo/learner/learner.h"
#include "core/solve/solution.h"
#include "core/world/world.h"

namespace orrery::test {

using Worlds = std::vector<std::shared_ptr<const World>>;

/// The human and the robot of one world, solved exactly with the spec's parameters.
std::shared_ptr<const Solution> solveExactly(const std::shared_ptr<const World>& world,
                                             const EmpoSpec& spec);

/// A room of 3 x 2 free cells, one human, one robot, six goals.
std::shared_ptr<const World> pairRoom(int maxSteps);
/// Another layout of such a room: 4 x 2 free cells, walls between, three goals.
std::shared_ptr<const World> pairRoomWithWall(int maxSteps);
/// 7 x 7 cells, two humans and two robots of four actions, two goals of each human.
std::shared_ptr<const World> fourInRoom(int maxSteps);

std::vector<WorldFacts> factsOfAll(const Worlds& worlds);

/// All quantities in tables, Computed U_r and V_r, adaptive steps.
EmpoSpec tabularSpec();
/// Small networks.
EmpoSpec networkSpec();

/// A learner and one collector that acts by its weights, in turn. The humans follow the exact
/// solution where there is one, else shortest paths.
class Training {
public:
    Training(const EmpoSpec& spec, const Worlds& worlds,
             std::vector<std::shared_ptr<const Solution>> exact = {});

    /// Acts and stores.
    void collect(int steps);
    /// Acts as often as the spec says, then trains once.
    StepReport step(bool wantsNumbers = false);

    /// Everything that decides how it goes on, and continuing from it with another object.
    struct Saved {
        NamedArrays learner;
        std::vector<std::vector<std::byte>> buffer;
        std::vector<std::byte> collector;
    };
    Saved save() const;
    void load(const Saved& saved);

    Learner& learner() { return *m_learner; }
    ReplayBuffer& buffer() { return *m_buffer; }
    Collector& collector() { return *m_collector; }
    const std::vector<WorldFacts>& facts() const { return m_facts; }

private:
    std::vector<WorldFacts> m_facts;
    std::unique_ptr<Learner> m_learner;
    std::unique_ptr<ReplayBuffer> m_buffer;
    std::shared_ptr<ActingReader> m_reader;
    std::unique_ptr<Collector> m_collector;
};

/// Distance of learned values from exact ones over all reachable states that are not terminal.
struct Distance {
    double v_h_e = 0;  ///< mean absolute error over states, humans and goals
    double pi_r = 0;   ///< mean total variation
    double q_r = 0;    ///< mean |learned / exact - 1|, the exact one divided by its weight of U_r
    double greatest_v_h_e = 0, greatest_pi_r = 0;
    std::int64_t states = 0, unvisited = 0;
};
/// @param layout  the solved world's number in the run
Distance distanceTo(const Solution& exact, Learner& learner, int layout = 0);

}  // namespace orrery::test
