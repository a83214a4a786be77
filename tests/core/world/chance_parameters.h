#pragma once

#include "tests/core/world/rule_scene.h"
#include "tests/support/reference_world.h"

namespace orrery::test {

inline reference::RefParameters stumbling(double p) {
    reference::RefParameters parameters;
    parameters.stumble = p;
    return parameters;
}

inline reference::RefParameters magic(double solidify, int numAgents, bool fixMagicAll = false) {
    reference::RefParameters parameters;
    parameters.magicSolidify = solidify;
    parameters.fixMagicAll = fixMagicAll;
    parameters.canEnterMagicWalls.assign(numAgents, true);
    return parameters;
}

inline reference::RefParameters bushes(double success) {
    reference::RefParameters parameters;
    parameters.bushEntry = success;
    return parameters;
}

}  // namespace orrery::test
