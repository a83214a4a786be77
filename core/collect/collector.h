#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/collect/robot_moves.h"
#include "core/collect/robot_values.h"
#include "core/collect/step_modeller.h"
#include "core/collect/visit_counts.h"
#include "core/replay/transition.h"
#include "core/world/world.h"

namespace orrery {

/// A bonus for actions that lead to what is new. Source: spec empo 6.3, "Curiosity".
struct CuriositySpec {
    enum class Kind : std::uint8_t {
        None,
        Counts,     ///< scale / sqrt(n + 1), n visits of the state by this collector
        CountsUcb,  ///< scale * sqrt(ln N / (n + 1)), N visits of all states
        Given,      ///< NoveltyOfStates
    };
    Kind kind = Kind::None;
    double scale = 1.0;
};

struct CollectorSpec {
    std::uint16_t index = 0;    ///< of the collector in its run
    std::uint64_t seed = 0;     ///< of the run; the collector's stream is `index`
    bool expectsHumans = true;  ///< transitions hold rows of every human profile, else of the taken
    int stepsPerEpisode = 50;   ///< >= 1; a world's end ends an episode before
    double goalResampleProbability = 0.01;  ///< [0, 1] after each step, for each human
    bool drawsWorlds = false;               ///< at random, else in turn
    RobotExplorationSpec exploration_r = {};
    std::vector<double> exploration_h = {};  ///< [A] of each human, not all 0; empty: uniform
    CuriositySpec curiosity_r = {}, curiosity_h = {};
    StepModellerOptions modeller = {};
};

/// What changes while a learner learns.
struct ActingRates {
    double epsilon_r = 1.0;  ///< [0, 1] probability of exploring
    double epsilon_h = 1.0;  ///< [0, 1] of each human
    double beta_r = 0.0;     ///< >= 0 or infinity: pi_r is (-Q_r)^-beta_r, normalised
    double curiosity = 0.1;  ///< >= 0 weight of novelty, for robots and humans that are curious
    bool operator==(const ActingRates&) const = default;
};

/// A world to act in.
struct CollectorWorld {
    std::shared_ptr<const World> world;
    WorldFacts facts;
    std::unique_ptr<GoalPolicy> policy;  ///< of the humans
};

/// Acts in worlds, one step after the other, and records what could have followed. The same spec,
/// rates and values give the same transitions. One thread.
///
/// A step: each human explores or follows pi_h(. | s, its goal); then the robots explore or follow
/// pi_r; agents that are neither take their first action. Goals are drawn with probabilities as
/// their weights when an episode begins, when they were attained, and with goalResampleProbability.
///
/// A macro begins where robots explore: each draws an action, and then goes on the same way until
/// each step of all of them ends it with probability 1 / macroSteps; who cannot go on draws anew.
/// It runs to its end whatever epsilon_r, but macros begin so seldom that epsilon_r is the share of
/// exploring steps in the long run.
///
/// Curiosity: novelty(a) is the mean over what follows a of the novelty of the successors, for a
/// human over all actions of the others, equally likely. It multiplies probabilities of exploring
/// by exp(curiosity * novelty), and Q_r by its inverse; pi_h stays as it is.
class Collector {
public:
    /// @param worlds   at least one, alike as factsOf demands
    /// @param values   may be null: then robots explore only
    /// @param novelty  for CuriositySpec::Kind::Given
    /// @throws Error (BadInput) if an exploration policy does not fit the actions, or the humans of
    ///         a world that is too large to be expanded are curious or expected
    Collector(CollectorSpec spec, std::vector<CollectorWorld> worlds,
              std::shared_ptr<RobotValues> values = nullptr,
              std::shared_ptr<NoveltyOfStates> novelty = nullptr);
    ~Collector();

    /// @throws Error (Diverged) if a value of the robot is not a number
    Transition step(const ActingRates& rates);

    /// The next step begins an episode.
    void abandonEpisode() { m_hasEpisode = false; }

    // What a view of a living collector shows. Between episodes: the end of the last one.
    int layout() const { return m_layout; }
    const World& world() const { return modeller(m_layout).world(); }
    std::span<const std::uint64_t> configuration() const { return m_configuration; }
    int stepOfEpisode() const { return m_step; }
    std::int64_t episode() const { return m_episode; }  ///< counts from 0; -1 before the first
    std::span<const std::int8_t> goals() const { return m_goals; }  ///< [H]
    const VisitCounts& visits() const { return m_visits; }          ///< empty without counting
    StepModeller& modeller(int layout) const {
        return *m_modellers[static_cast<std::size_t>(layout)];
    }

    /// Everything that decides what comes next, but for the values.
    std::vector<std::byte> save() const;
    /// @throws Error (Damaged) if the bytes are broken or of other worlds; nothing is changed then
    void load(std::span<const std::byte> bytes);

private:
    const WorldFacts& facts() const { return modeller(m_layout).facts(); }
    void prepareExploration();
    bool exploresAsRobot(double epsilon_r);
    void weighExploration(const ModelledRows& rows, std::size_t firstRow);
    int continueMacro(const ModelledRows& rows, std::size_t firstRow);
    void mayGoOn(int robotAction);
    void beginEpisode();
    void drawGoal(std::size_t human);
    int drawHumanActions(const ActingRates& rates, std::span<const float> prior,
                         const ModelledRows* all, Transition& transition);
    std::size_t exploreAsHuman(std::size_t human, double curiosity, const ModelledRows* all);
    int drawRobotAction(const ActingRates& rates, const ModelledRows& rows, std::size_t firstRow);
    int drawAnew(bool explores, const ActingRates& rates, const ModelledRows& rows,
                 std::size_t firstRow);
    void weighByValues(double beta_r, std::span<const std::byte> state);
    void findNovelty(const CuriositySpec& curiosity, const ModelledRows& rows, std::size_t firstRow,
                     std::size_t numRows);
    double noveltyOfRow(const ModelledRows& rows, std::size_t row) const;
    void arrive(const ModelledRows& rows, std::uint32_t configuration, Transition& transition);

    CollectorSpec m_spec;
    std::vector<std::unique_ptr<StepModeller>> m_modellers;  ///< [layouts]
    std::shared_ptr<RobotValues> m_values;
    std::shared_ptr<NoveltyOfStates> m_newness;
    bool m_countsVisits;
    std::vector<RobotMoves> m_moves;                   ///< [layouts]
    std::vector<double> m_exploration_r;               ///< [A_r] of joint actions
    std::vector<std::vector<double>> m_exploration_h;  ///< [H][A_h]

    Rng m_rng;
    VisitCounts m_visits;
    bool m_hasEpisode = false;
    int m_layout = 0;
    std::int64_t m_episode = -1;
    int m_step = 0;
    Configuration m_configuration;
    std::vector<std::int8_t> m_goals;  ///< [H]
    /// [R] the action that each robot takes next; empty: no macro is under way.
    std::vector<int> m_ways;

    // Scratch.
    std::vector<std::vector<double>> m_ofRobots;  ///< [R][A]
    std::vector<float> m_q_r;                     ///< [A_r]
    std::vector<double> m_weights;                ///< of what is drawn from
    std::vector<double> m_novelty;                ///< [U], -1 where it was not asked for
    std::vector<std::uint32_t> m_asked;           ///< successors whose novelty is asked for
    std::vector<std::byte> m_askedBytes;          ///< their bytes
    std::vector<float> m_answer;
};

}  // namespace orrery
