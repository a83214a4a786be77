#pragma once

#include <cstdint>
#include <string>

namespace orrery {

/// What a random world shall be like.
struct RandomWorldRequest {
    int width = 6;   ///< cells with the walls, 4 to 40
    int height = 5;  ///< the same
    int humans = 1;  ///< 1 to 4
    int robots = 1;  ///< 0 to 4
    int maxSteps = 5;
    double objects = 0.25;  ///< share of the inner cells that get something, in [0, 0.8]
    std::uint64_t seed = 0;
};

/// The text of a YAML world file. Its goals cover every inner cell, so it can be solved. The same
/// request gives the same text.
/// @throws Error (BadInput) if a number is out of range or the agents do not fit
std::string randomWorldYaml(const RandomWorldRequest& request);

}  // namespace orrery
