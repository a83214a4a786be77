#pragma once

#include <cstddef>
#include <vector>

#include "core/entity/entity_layout.h"

namespace orrery {

/// Where a network finds what it learned from in what another environment shows: one whose lists
/// of features have grown, or are in another order.
struct FeatureMap {
    struct Type {
        std::size_t offered = 0;           ///< type of the layout that is offered
        std::vector<std::size_t> columns;  ///< [features that it learned from] of the offered ones
    };
    std::vector<Type> types;  ///< [types of the layout that it learned from]
    bool isSame = true;       ///< all is where it was
};

/// @param learned  what the network learned from
/// @param offered  what is shown to it
/// @throws Error (BadInput) naming a type or feature that is missing, a type that it does not
///         know, or an action that is another one
FeatureMap featureMapOf(const EntityLayout& learned, const EntityLayout& offered);

/// The spaces of a layout: entityLayoutOf() gives the layout again, but for where its parts were.
EnvironmentSpaces spacesOf(const EntityLayout& layout);

}  // namespace orrery
