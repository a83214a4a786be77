#include "core/bush/bush_editing.h"
#include "core/bush/bush_spec.h"
#include "core/bush/bush_world.h"
#include "core/world/world_family.h"
#ifdef ORRERY_WORLD_FILES
#include "core/bush/bush_format.h"
#endif

namespace orrery {

const WorldFamily& familyOf(const BushWorldSpec* /*spec*/) {
    static const WorldFamily kFamily{
        .name = "bush",
        .validate = [](const WorldSpec& spec) { return validateBush(*spec.as<BushWorldSpec>()); },
        .make = [](const WorldSpec& spec) -> std::shared_ptr<const World> {
            return std::make_shared<const BushWorld>(*spec.as<BushWorldSpec>());
        },
#ifdef ORRERY_WORLD_FILES
        .format = &bushFormat(),
#endif
        .editing = &bushEditing(),
    };
    return kFamily;
}

}  // namespace orrery
