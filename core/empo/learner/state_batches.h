#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/empo/batch_profile.h"
#include "core/empo/learner/quantity_values.h"
#include "core/empo/nets/state_tensors.h"

namespace orrery {

/// Encoded states as batches that values read. Memory is reused. One a thread.
class StateBatcher {
public:
    /// @param profile  its Conversion is what making tensors takes; null: nobody measures
    explicit StateBatcher(std::shared_ptr<const ValueFacts> facts, StageClock* profile = nullptr);

    /// @param layouts  [N]
    /// @param rows     [N] of the tables, or empty without tables
    /// @param nets     of any of the run's values, null without networks: brings the states into
    ///                 the form that they read
    /// @return valid until the next call
    const StateBatch& make(std::span<const std::byte* const> states,
                           std::span<const std::uint16_t> layouts,
                           std::span<const StateRows::Row> rows, const QuantityNets* nets);

private:
    std::shared_ptr<const ValueFacts> m_facts;
    StageClock* m_profile;
    StateGatherer m_gatherer;
    StateBatch m_batch;
    std::vector<std::int64_t> m_layouts;
};

/// What networks of a run look like.
NetSpec netSpecOf(const ValueFacts& facts);

}  // namespace orrery
