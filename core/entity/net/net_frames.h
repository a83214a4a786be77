#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/entity/entity_layout.h"
#include "core/entity/net/relative_pairs.h"
#include "core/entity/net_spec.h"
#include "core/entity/vec_obs.h"

namespace orrery {

/// What a network reads of things: types with the features that it learned from, global ones
/// behind their own, and where they are in what is shown to it.
struct NetInputs {
    struct Type {
        std::string name;
        std::vector<std::string> features;
        std::size_t layoutType = 0;             ///< of the layout
        std::vector<std::size_t> columns = {};  ///< its own features among those that are shown
    };
    std::vector<Type> types;
    EntityLayout layout;   ///< of the frames that are shown
    EntityLayout learned;  ///< of those that it learned from
    RogueNetSpec spec;
    bool isChosen = false;                        ///< the two differ
    bool isReordered = false;                     ///< so does the order of types
    std::vector<std::size_t> globalColumns = {};  ///< global features among those that are shown

    /// Of a network that learns from what is shown.
    /// @throws Error (BadInput) where the spec asks for what the environment does not have
    NetInputs(const RogueNetSpec& wanted, const EntityLayout& offered);

    /// Other frames are shown from now on.
    /// @throws Error (BadInput) as featureMapOf, and then nothing is changed
    void readFrom(const EntityLayout& offered);
};

/// Many frames as a network reads them. Rows are things: by type, or frame by frame with the types
/// in their order.
struct NetFrames {
    std::vector<at::Tensor> features;       ///< [types] float [rows of the type, features]
    std::vector<std::int64_t> perType;      ///< [types] rows
    at::Tensor order;                       ///< int64 [rows]: of the rows by type, frame by frame
    std::vector<std::int64_t> rowBegin{0};  ///< [frames + 1]
    std::vector<std::int32_t> typeOf;       ///< [rows] frame by frame
    std::vector<std::uint8_t> visible;      ///< [rows] frame by frame; empty: all are seen
    std::shared_ptr<const RelativePairs> pairs;  ///< null without relative positions
    at::Tensor pairFeatures;                     ///< float [pairs, 3]; undefined: not asked for

    /// Who decides one action.
    struct Offer {
        std::vector<std::int64_t> actorBegin;  ///< [frames + 1]
        at::Tensor actors;                     ///< int64 [deciders] rows
        std::int64_t options = 0;              ///< choices, or the most candidates of a frame
        at::Tensor allowed;                    ///< bool [deciders, options]; undefined: all are
        at::Tensor candidates;                 ///< int64 [candidates] rows; Select alone
        at::Tensor pairDecider;                ///< int64 [pairs] of deciders and their candidates
        at::Tensor pairCandidate;              ///< int64 [pairs] index into candidates
        at::Tensor pairOption;                 ///< int64 [pairs] its place among the decider's
    };
    std::vector<Offer> offers;  ///< [actions]

    std::int64_t frames() const { return std::ssize(rowBegin) - 1; }
    std::int64_t rows() const { return rowBegin.back(); }
};

/// @throws Error (BadInput) if a frame has not exactly one thing that others are seen from
NetFrames netFramesOf(const NetInputs& inputs, const VecObs& frames);

}  // namespace orrery
