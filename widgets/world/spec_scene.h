#pragma once

#include <vector>

#include "core/world/world_spec.h"
#include "widgets/world/world_painter.h"

namespace orrery {

/// The letters of a spec's agents, as agentLetters gives them to its world. [agent]
std::vector<QString> specLetters(const WorldSpec& spec);

/// What a spec draws, also if no world can be made of it. Goals of all humans with their lists.
WorldScene sceneOfSpec(const WorldSpec& spec);

}  // namespace orrery
