#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/latest.h"
#include "core/env/environment.h"
#include "core/train/desk.h"
#include "core/train/training_snapshot.h"

namespace orrery {

/// What was seen and done in the frames of a rollout. Immutable; any thread.
class RolloutFrames {
public:
    RolloutFrames() = default;
    RolloutFrames(const RolloutFrames&) = delete;
    RolloutFrames& operator=(const RolloutFrames&) = delete;
    virtual ~RolloutFrames() = default;

    virtual const EnvironmentSpaces& spaces() const = 0;
    /// @param row  of the copy
    virtual Observation seen(std::int64_t row) const = 0;
    virtual std::vector<ActionTaken> taken(std::int64_t row) const = 0;
};

/// A rollout as it stood at one moment, a row a frame: all environments of a step, then those of
/// the next one. What is not known yet is NaN. Immutable.
struct RolloutCopy {
    std::int64_t trainStep = 0;             ///< frames trained on before it
    std::int64_t steps = 0, stepsDone = 0;  ///< of it; fewer are done while it is under way
    std::int64_t environments = 0;
    bool isLearned = false;          ///< the update that learns from it is over: all is known
    std::vector<float> reward = {};  ///< [rows] of what was done in the frame
    std::vector<std::uint8_t> isFirst = {};    ///< [rows] the frame is the first of an episode
    std::vector<std::uint8_t> done = {};       ///< [rows] what was done in it ended the episode
    std::vector<std::uint8_t> truncated = {};  ///< [rows] likewise: it was cut off
    std::vector<float> value = {}, returns = {}, advantage = {};  ///< [rows]
    /// [rows] of the policy to that which acted, mean over what is decided in the frame; as the
    /// update passed it last.
    std::vector<float> ratio = {};
    std::vector<float> entropy = {};  ///< [rows] likewise, nats a choice
    std::shared_ptr<const RolloutFrames> frames = {};

    std::int64_t rows() const { return stepsDone * environments; }
};

/// Where a training by proximal policy optimisation is asked for its rollout. It is copied at once,
/// and again at the end of the update, when all of it is known. Asking and reading: any thread,
/// never waits.
class RolloutDesk : public Desk {
public:
    void askForRollout() {
        m_wish.store(std::make_shared<const std::int64_t>(0));
        ring();
    }
    /// The newest copy; null before the first.
    std::shared_ptr<const RolloutCopy> rollout() const { return m_copy.load(); }

    // The training's side, on its thread.
    std::shared_ptr<const std::int64_t> wish() const { return m_wish.load(); }
    void show(std::shared_ptr<const RolloutCopy> copy) { m_copy.store(std::move(copy)); }

private:
    Latest<std::int64_t> m_wish;  ///< another pointer is another wish
    Latest<RolloutCopy> m_copy;
};

/// Null where a training has another desk or none.
inline std::shared_ptr<RolloutDesk> rolloutDeskOf(const TrainingSnapshot& snapshot) {
    return std::dynamic_pointer_cast<RolloutDesk>(snapshot.desk);
}

}  // namespace orrery
