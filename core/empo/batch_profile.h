#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/trace/stage_clock.h"

namespace orrery {

/// What a learner's thread does. The first six are seed 000's stages of the batched computation.
struct ProfileStage {
    static constexpr SpanKind kCollect = ownSpan(0);  ///< flattening the batch into parallel arrays
    static constexpr SpanKind kEncode = ownSpan(1);   ///< states to what networks and tables read
    static constexpr SpanKind kForward = ownSpan(2);  ///< networks, tables over the unique states
    static constexpr SpanKind kScatter = ownSpan(3);  ///< targets of Q_r, U_r, X_h, V_r
    static constexpr SpanKind kVhE = ownSpan(4);      ///< targets of V_h^e
    /// Numbers of states, and indices, to tensors on the learner's device.
    static constexpr SpanKind kConversion = ownSpan(5);
    static constexpr SpanKind kBackward = ownSpan(6);   ///< losses and gradients
    static constexpr SpanKind kOptimiser = ownSpan(7);  ///< parameter updates and target copies
    /// Acting, of a synchronous learner; taking in what collectors made.
    static constexpr SpanKind kActor = ownSpan(8);
    static constexpr SpanKind kIdle = SpanKind::Idle;  ///< waiting, and what a step does not need
};

/// In the order of seed 000's table, then the other four.
inline constexpr std::array kProfileStages = {ProfileStage::kCollect,  ProfileStage::kEncode,
                                              ProfileStage::kForward,  ProfileStage::kScatter,
                                              ProfileStage::kVhE,      ProfileStage::kConversion,
                                              ProfileStage::kBackward, ProfileStage::kOptimiser,
                                              ProfileStage::kActor,    ProfileStage::kIdle};
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
