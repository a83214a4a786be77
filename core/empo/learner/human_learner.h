#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/rng.h"
#include "core/empo/human_batch.h"
#include "core/empo/learner/human_values.h"
#include "core/empo/named_arrays.h"
#include "core/empo/snapshot.h"
#include "core/nn/adam.h"
#include "core/nn/learned_table.h"

namespace orrery {

/// What phase 1 learns: Q_h of every human, goal and own action, by a table or a network on
/// [state | goal | agent] with one number an action, and its target copy. One thread.
class HumanLearner {
public:
    /// @param facts   on the learner's device
    /// @param acting  the same on the CPU
    HumanLearner(const EmpoSpec& spec, std::shared_ptr<const ValueFacts> facts,
                 std::shared_ptr<const ValueFacts> acting, const at::Device& device,
                 std::shared_ptr<const StateRows> rows);

    bool isTable() const { return m_table != nullptr; }
    /// Whatever reads states for this learner has to bring them into the form of these; null: a
    /// table.
    const QuantityNets* nets() const { return m_nets.get(); }

    const HumanBatch& flatten(const ReplayBuffer& buffer, std::span<const ReplayBuffer::Slot> batch,
                              Rng& rng);

    /// Targets, loss and gradients of a batch with a question at least; nothing is changed yet.
    /// @param states   the batch's unique states; rows are in the table
    /// @param rate     of the step that follows
    /// @param numbers  filled in unless null
    /// @return the gradients' norm before it was clipped, which may be infinite or no number
    double differ(const HumanBatch& batch, const StateBatch& states, std::int64_t step, double rate,
                  QuantityNumbers* numbers);
    /// Makes the step.
    void apply(double rate);
    void copyTarget();
    void growTo(StateRows::Row rows);
    std::int64_t updates() const { return m_updates; }

    HumanValues live();
    const HumanValues& target() const { return m_target; }
    /// The policies as they are now, for collectors: on the CPU, immutable.
    std::shared_ptr<const HumanValues> frozen();

    /// Adds what its table or networks and its optimiser take.
    void addBytes(MemoryNumbers& memory) const;
    void save(NamedArrays& arrays) const;
    /// @throws Error (Damaged)
    void load(const NamedArrays& arrays, std::shared_ptr<const StateRows> rows);

private:
    double differTable(const HumanBatch& batch, const StateBatch& states, const at::Tensor& wanted,
                       QuantityNumbers* numbers);
    double differNetwork(const HumanBatch& batch, const StateBatch& states,
                         const at::Tensor& wanted, std::int64_t step, double rate,
                         QuantityNumbers* numbers);

    const EmpoSpec m_spec;
    std::shared_ptr<const ValueFacts> m_acting;
    HumanFlattener m_flattener;
    std::unique_ptr<LearnedTable> m_table;
    std::shared_ptr<QuantityNets> m_nets, m_targetNets;  ///< null with a table
    std::unique_ptr<Adam> m_optimiser;
    HumanValues m_target;
    std::int64_t m_updates = 0;

    // The step that differ() made.
    std::vector<StateRows::Row> m_rows;
    std::vector<std::int32_t> m_columns;
    std::vector<float> m_gradients;
};

}  // namespace orrery
