#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/latest.h"
#include "core/base/rng.h"
#include "core/empo/learner/late_norms.h"
#include "core/empo/learner/learner.h"
#include "core/empo/learner/novelty.h"
#include "core/empo/learner/quantity_values.h"
#include "core/empo/learner/state_batches.h"
#include "core/empo/learner/targets.h"
#include "core/nn/adam.h"

namespace orrery {

class HumanLearner;

/// A step for entries of one table, made before any table or network changes.
struct TableStep {
    std::vector<StateRows::Row> rows;
    std::vector<std::int32_t> columns;
    std::vector<float> gradients;
    void clear() { rows.clear(), columns.clear(), gradients.clear(); }
    void add(StateRows::Row row, std::int64_t column, float gradient) {
        rows.push_back(row);
        columns.push_back(static_cast<std::int32_t>(column));
        gradients.push_back(gradient);
    }
};

/// LibTorch works on the calling thread alone.
void useOneThread();

/// What Learner holds.
struct Learner::Parts {
    Parts(const EmpoSpec& spec, std::vector<WorldFacts> worlds, const at::Device& device);
    ~Parts();

    // The step, in its order.
    StepReport step(ReplayBuffer& buffer, bool wantsNumbers);
    bool sample(ReplayBuffer& buffer, const TargetRequest& request);
    /// @param pairsOfState  goals that are asked of each state
    /// @throws Error (Resource) if what was sampled needs more memory than there is
    void requireRoomForBatch(const ReplayBuffer& buffer, std::int64_t pairsOfState) const;
    /// @param by       networks that read the states, or null
    /// @param hasRows  tables read them
    const StateBatch& prepare(ReplayBuffer& buffer, const std::vector<StateStore::Index>& states,
                              const std::vector<std::uint16_t>& layouts, const QuantityNets* by,
                              bool hasRows);
    StepReport robotStep(ReplayBuffer& buffer);
    StepReport humanStep(ReplayBuffer& buffer);
    void endHumanStep();
    void freezeHumans();
    /// Of this step: what is drawn of the buffer, or of its transitions.
    Rng batchStream(bool isOfTransitions) const;
    void makeSteps(const FlatBatch& batch, const StateBatch& states, const Targets& targets);
    void learnNovelty(const FlatBatch& batch, const StateBatch& states);
    void applyNovelty();
    std::array<double, kNumQuantities> noveltyWeights() const;
    std::vector<at::Tensor> networkNorms() const;
    bool isFinite(std::string& culprit) const;
    /// @param notFinite  see Adam::step
    void applySteps(const at::Tensor& notFinite = {});
    void applyOnDevice(StepReport& report);
    bool copyTargets();
    void publish();

    // Losses with their gradients.
    void differTable(Quantity quantity, const FlatBatch& batch, const StateBatch& states,
                     const at::Tensor& goal, const at::Tensor& pi_r);
    void differNetwork(Quantity quantity, const FlatBatch& batch, ValueReader& reader,
                       const Targets& targets);
    at::Tensor q_rLoss(const FlatBatch& batch, const RobotOutput& output, const Targets& targets);
    void fillNumbers();

    bool isTable(Quantity quantity) const { return tables[index(quantity)] != nullptr; }
    bool isNetwork(Quantity quantity) const { return optimisers[index(quantity)] != nullptr; }
    static std::size_t index(Quantity quantity) { return static_cast<std::size_t>(quantity); }
    double rateOf(Quantity quantity) const {
        return spec.of(quantity).learningRate * schedule.rateFactor(stepsDone);
    }
    bool usesZLoss() const { return spec.usesZLoss && stepsDone < schedule.decayBegin(); }
    /// The values as they are now, live networks and the tables' present versions.
    QuantityValues liveValues();

    EmpoSpec spec;  ///< with the live fields in force
    std::shared_ptr<const ValueFacts> facts;
    std::shared_ptr<const ValueFacts> actingFacts;  ///< on the CPU
    EmpoSchedule schedule;
    at::Device device;
    Flattener flattener;
    StateBatcher batcher;

    std::shared_ptr<StateRows> rows = std::make_shared<StateRows>();
    std::array<std::unique_ptr<LearnedTable>, kNumQuantities> tables;
    std::shared_ptr<QuantityNets> nets, targetNets;  ///< null without networks
    std::array<std::unique_ptr<Adam>, kNumQuantities> optimisers;
    QuantityValues live;    ///< its tables are not set
    QuantityValues target;  ///< what targets are computed from

    std::unique_ptr<HumanLearner> humans;  ///< null unless phase 1 is learned
    Latest<HumanValues> frozenHumans;

    std::shared_ptr<NoveltyNets> novelty;  ///< null without RND
    std::unique_ptr<Adam> noveltyOptimiser;
    at::Tensor noveltyErrors;  ///< of this step: [C]
    at::Tensor noveltyNorm;    ///< of its gradient, 0-dimensional
    double gradientScale = 1;  ///< of this step, by its novelty: for tables
    at::Tensor networkScale;   ///< the same for networks, 0-dimensional; undefined: 1

    std::int64_t stepsDone = 0;
    std::int64_t skippedSteps = 0, skippedInARow = 0;
    std::array<std::int64_t, kNumQuantities> updates = {};  ///< steps of each optimiser
    std::int64_t published = 0;
    Latest<ActingWeights> acting;

    StageClock profile;
    LearnerNumbers numbers;
    bool wantsNumbers = false;

    // Of one step; memory is reused.
    std::vector<ReplayBuffer::Slot> batchSlots, xSlots;
    std::vector<StateRows::Row> stateRows;
    std::vector<const std::byte*> statePlaces;
    std::array<TableStep, kNumQuantities> tableSteps;
    std::array<at::Tensor, kNumQuantities> gradientNorms;  ///< 0-dimensional
    std::array<double, kNumQuantities> tableSquares = {};  ///< sum of squared gradients
    unsigned stepped = 0;  ///< quantities with a gradient in this step
    /// Where a device is not waited for; null on the CPU, and beside tables, which wait anyway.
    std::unique_ptr<LateNorms> lateNorms;
};

}  // namespace orrery
