#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/collect/collector.h"
#include "core/empo/learner/learner.h"
#include "core/train/empo/empo_training.h"

namespace orrery {

/// The learned values as a collector asks for them.
class LearnedValuesReader : public RobotValues, public NoveltyOfStates {
public:
    explicit LearnedValuesReader(const std::vector<WorldFacts>& facts) : m_reader(facts) {}

    void use(std::shared_ptr<const ActingWeights> weights);
    std::int64_t weightsStep() const { return m_step; }

    void q_r(std::span<const std::byte> state, int layout, std::span<float> out) override {
        m_reader.q_r(state, layout, out);
    }
    void novelty(std::span<const std::byte> states, int layout, std::span<float> out) override {
        m_reader.novelty(states, layout, out);
    }

private:
    ActingReader m_reader;
    std::int64_t m_step = -1;
};

/// A collector and the values it acts by. One thread.
struct ActingCollector {
    std::shared_ptr<LearnedValuesReader> values;
    std::unique_ptr<Collector> collector;
};

/// The worlds of a run as everything in it knows them.
struct TrainWorlds {
    std::vector<std::shared_ptr<const World>> worlds;
    std::vector<std::shared_ptr<const Solution>> exact;  ///< [worlds], null: none
    std::vector<WorldFacts> facts;                       ///< [worlds]
    /// The humans' policies once they are learned; null before, and where they are not.
    std::shared_ptr<const HumanValues> humans = {};
};

/// @throws Error (BadInput) if the worlds cannot be learned on together
TrainWorlds trainWorldsOf(const std::vector<std::shared_ptr<const World>>& worlds,
                          const std::vector<std::shared_ptr<const Solution>>& exact,
                          EncodingRules rules);

/// @param index  of the collector; each has its own random stream
/// @throws Error (BadInput) if the spec's human prior cannot be had in a world
ActingCollector makeActingCollector(const EmpoSpec& spec, const TrainWorlds& worlds, int index);

/// The humans' policy in one of the worlds, by the spec's humanPrior; by shortest paths until it is
/// learned.
std::unique_ptr<GoalPolicy> makeGoalPolicy(const EmpoSpec& spec, const TrainWorlds& worlds,
                                           std::size_t world);

}  // namespace orrery
