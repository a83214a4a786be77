#include "core/grid/grid_editing.h"
#include "core/grid/grid_spec.h"
#include "core/grid/grid_world.h"
#include "core/world/world_family.h"
#ifdef ORRERY_WORLD_FILES
#include "core/grid/grid_format.h"
#endif

namespace orrery {

const WorldFamily& familyOf(const GridWorldSpec* /*spec*/) {
    static const WorldFamily kFamily{
        .name = "grid",
        .validate = [](const WorldSpec& spec) { return validateGrid(*spec.as<GridWorldSpec>()); },
        .make = [](const WorldSpec& spec) -> std::shared_ptr<const World> {
            return std::make_shared<const GridWorld>(*spec.as<GridWorldSpec>());
        },
#ifdef ORRERY_WORLD_FILES
        .format = &gridFormat(),
#endif
        .editing = &gridEditing(),
    };
    return kFamily;
}

}  // namespace orrery
