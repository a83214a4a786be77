#include "core/bush/bush_spec.h"
#include "core/grid/grid_spec.h"
#include "core/world/world_family.h"

namespace orrery {

std::vector<const WorldFamily*> ownFamilies() {
    return {
        &familyOf(static_cast<const GridWorldSpec*>(nullptr)),
        &familyOf(static_cast<const BushWorldSpec*>(nullptr)),
    };
}

}  // namespace orrery
