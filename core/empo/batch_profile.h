#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/trace/stage_clock.h"

namespace orrery {

/// What a learner's thread does. The first six are seed 000's stages of the batched computation.
struct ProfileStage {
    static constexpr SpanKind Collect = ownSpan(0);  ///< flattening the batch into parallel arrays
    static constexpr SpanKind Encode = ownSpan(1);   ///< states to what networks and tables read
    static constexpr SpanKind Forward = ownSpan(2);  ///< networks, tables over the unique states
    static constexpr SpanKind Scatter = ownSpan(3);  ///< targets of Q_r, U_r, X_h, V_r
    static constexpr SpanKind V_h_e = ownSpan(4);    ///< targets of V_h^e
    /// Numbers of states, and indices, to tensors on the learner's device.
    static constexpr SpanKind Conversion = ownSpan(5);
    static constexpr SpanKind Backward = ownSpan(6);   ///< losses and gradients
    static constexpr SpanKind Optimiser = ownSpan(7);  ///< parameter updates and target copies
    /// Acting, of a synchronous learner; taking in what collectors made.
    static constexpr SpanKind Actor = ownSpan(8);
    static constexpr SpanKind Idle = SpanKind::Idle;  ///< waiting, and what a step does not need
};

/// In the order of seed 000's table, then the other four.
inline constexpr std::array kProfileStages = {ProfileStage::Collect,  ProfileStage::Encode,
                                              ProfileStage::Forward,  ProfileStage::Scatter,
                                              ProfileStage::V_h_e,    ProfileStage::Conversion,
                                              ProfileStage::Backward, ProfileStage::Optimiser,
                                              ProfileStage::Actor,    ProfileStage::Idle};
inline constexpr int kNumBatchingStages = 6;  ///< of seed 000's table

/// Comparing with the exact solution: a span within Idle.
inline constexpr SpanKind kErrorsSpan = ownSpan(9);

/// Of all spans of learned planning: "stage1_collect", "stage2_encode", "stage3_forward",
/// "stage4_scatter", "stage5_v_h_e", "tensor_conversion", "backward", "optimiser", "actor",
/// "errors", then those of every method.
const std::vector<SpanWords>& empoSpans();

/// "stage1_collect", of one of kProfileStages.
const std::string& profileName(SpanKind stage);

/// What seed 000 prints, a run tells it as a message every profile_batching_interval steps: the six
/// stages, the longest first, their shares and their total.
std::string batchingTable(const StageSums& sums);
/// The same for the other four, with their shares of all ten.
std::string tableBeside(const StageSums& sums);

}  // namespace orrery
