#pragma once

#include <cstdint>
#include <vector>

#include "core/checkpoint/tensor_map.h"
#include "core/entity/vec_obs.h"
#include "core/ppo/advantages.h"
#include "core/train/entity/driver/actor_critic.h"

namespace orrery {

/// What many environments showed over some steps, and what was done in them. Frames are time-major:
/// all environments of a step, then those of the next.
struct Rollout {
    Rollout(const EntityLayout& layout, std::int64_t steps, std::int64_t environments);

    std::int64_t steps, environments;
    VecObs frames;
    VecActions chosen;
    std::vector<RaggedBuffer<float>> logProbabilities;  ///< [actions]
    std::vector<float> values;                          ///< [frames] of the frame
    std::vector<std::uint8_t> dones;  ///< [frames] the frame is the first of an episode
    std::vector<float> rewards;       ///< [frames] of what was done in it
    std::vector<float> cutValues;     ///< [frames] of the last frame of an episode cut off by that
    Advantages learned;               ///< once it is whole

    /// Steps that are in it.
    std::int64_t stepsDone() const { return std::ssize(rewards) / environments; }
    bool isWhole() const { return stepsDone() == steps; }
    std::int64_t size() const { return steps * environments; }  ///< frames of a whole one

    void clear();
    /// What was seen and is done. @param done  [environments] of each frame
    void act(const VecObs& seen, const std::vector<std::uint8_t>& done, const Choices& choices);
    /// What came of it. @param cut  [environments]
    void outcome(const std::vector<float>& reward, const std::vector<float>& cut);
    /// When it is whole. @param nextValue, nextDone  [environments] of the frames that follow
    void estimate(const std::vector<float>& nextValue, const std::vector<std::uint8_t>& nextDone,
                  const PpoSpec& ppo);

    std::int64_t bytes() const;
    void save(TensorMap& out) const;
    /// @throws Error (Damaged)
    void load(const TensorMap& from);
};

}  // namespace orrery
