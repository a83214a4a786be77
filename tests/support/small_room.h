#pragma once

#include <string>

namespace orrery {

/// Tests of the window wait this many milliseconds at most: the machine may be busy, and a wait
/// ends as soon as the thing is there.
inline constexpr int kPatience = 60000;

/// The file of a small world: a human, a robot, unsteady ground, two goals.
inline std::string smallRoomFile(int maxSteps = 4) {
    return R"(metadata: {name: Small room}
map: |
  We We We We We
  We Ay Un .. We
  We .. .. Ae We
  We We We We We
max_steps: )" +
           std::to_string(maxSteps) + R"(
orientations: [e, w]
possible_goals: ["1,1, 2,2", "3,1, 3,2"]
)";
}

}  // namespace orrery
