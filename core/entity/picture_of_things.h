#pragma once

#include <optional>

#include "core/env/environment.h"

namespace orrery {

/// A part of the plane, y growing upwards.
struct PlaneArea {
    double left = 0, bottom = 0, right = 1, top = 1;
    bool isOfCells = false;  ///< whole numbers are the middles of cells; its ends are whole
};

/// Things where their features say that they are: "x" or "x_pos", "y" or "y_pos", and turned by
/// "direction" (radians from the x axis, counterclockwise). Those without places are tiles below
/// with bars of their features.
/// @param area  what is shown at least; nothing: all things
Picture pictureOfThings(const EnvironmentSpaces& spaces, const Observation& observation,
                        const PictureWish& wish, const std::optional<PlaneArea>& area = {});

}  // namespace orrery
