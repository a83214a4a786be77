#pragma once

#include <optional>
#include <vector>

#include "core/env/environment.h"

namespace orrery {

/// Where a thing lies in a picture, in cells.
struct PlaceInPicture {
    PicturePoint corner = {};
    float width = 1, height = 1;
    bool isTile = false;  ///< it has no position and lies below, where there is room
};

/// Where pictureOfThings drew the things of a frame (of observedThings, in their order).
/// @param picture  of the whole frame
/// @return empty where the picture was drawn in another way
std::vector<PlaceInPicture> placesOfThings(const EnvironmentSpaces& spaces,
                                           const Observation& observation, const Picture& picture);
}  // namespace orrery
