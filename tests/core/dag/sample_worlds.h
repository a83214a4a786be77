#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/world/world.h"

namespace orrery::test {

struct NamedWorld {
    std::string name;
    std::shared_ptr<const World> world;
};

/// Small worlds of every family, a few hundred states to some ten thousand: random grid worlds with
/// all objects, random bush worlds, random tables with one-word and two-word keys, and tables
/// whose transitions depend on the step. The same list on every machine.
const std::vector<NamedWorld>& sampleWorlds();

}  // namespace orrery::test
