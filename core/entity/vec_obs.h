#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/entity/entity_layout.h"
#include "core/entity/frame_sizes.h"
#include "core/env/environment.h"
#include "core/ragged/ragged_buffer.h"

namespace orrery {

/// What is seen of many frames at once, by type: things, who decides, and among what. Frames are
/// those of many environments at one step, of many steps, or any others.
/// Source: seed 004, "VecEnv / VecObs".
struct VecObs {
    /// Who decides one action, frame by frame.
    struct Offer {
        bool isSelection = false;                  ///< among things, else among named choices
        RaggedBuffer<std::int64_t> actors{1};      ///< indices into the things of the frame
        RaggedBuffer<std::int64_t> candidates{1};  ///< likewise; of selections alone
        /// Choice: [actors x choices]. Selection: an item a pair, actor by actor. Without frames:
        /// all is allowed in all of them.
        RaggedBuffer<bool> allowed{1};

        /// Items that `allowed` has or would have in each frame.
        std::vector<std::int64_t> numRows() const;
    };

    explicit VecObs(const EntityLayout& layout);

    std::vector<RaggedBuffer<float>> things;  ///< [types of the layout]
    /// [types] one feature; without frames: all things of the type are seen.
    std::vector<RaggedBuffer<bool>> visible;
    std::vector<Offer> offers;            ///< [actions]
    std::vector<float> reward;            ///< [frames] of the step that led here
    std::vector<std::uint8_t> done;       ///< [frames] that step ended an episode
    std::vector<std::uint8_t> truncated;  ///< [frames] it was cut off

    std::int64_t frames() const { return std::ssize(reward); }
    /// Things of a frame, the game's own included.
    std::int64_t numThings(std::int64_t frame) const;

    void clear();
    /// Frames of another one of the same layout. What only one side limits or hides is allowed and
    /// seen on the other.
    void extend(const VecObs& other);
    /// Frames in this order.
    void gatherInto(std::span<const std::int64_t> frames, VecObs& out) const;

    /// Takes the shape of observations, one a frame; what is told of steps gets their number. Then
    /// copy() fills frames in, each once, from any threads.
    void shape(const FrameSizes& sizes);
    void copy(const EntityLayout& layout, std::span<const Observation> frames, std::int64_t begin,
              std::int64_t end);
    /// Both, of a few frames.
    void take(const EntityLayout& layout, std::span<const Observation> frames);
};

/// One of many frames as its environment had shown it. What all frames hide nothing of, or allow
/// all of, has no flags.
/// @param layout  of the spaces
Observation observationOf(const EntityLayout& layout, const EnvironmentSpaces& spaces,
                          const VecObs& frames, std::int64_t frame);

/// What is decided in many frames: of each action one choice a decider, in the order of the offer.
using VecActions = std::vector<RaggedBuffer<std::int64_t>>;

}  // namespace orrery
