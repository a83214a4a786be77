// The program with each of its lists one entry longer: what core/README.md says of adding a method
// and a family of worlds, and widgets/README.md of adding a perspective, is all that there is to
// do.
#include <memory>
#include <utility>
#include <vector>

#include "app/window/part_list.h"
#include "app/window/program.h"
#include "core/run/run_kind.h"
#include "core/world/world_family.h"
#include "tests/support/corridor/corridor_kind.h"
#include "tests/support/corridor_window/corridor_part.h"
#include "tests/support/line/line_world.h"

int main(int argc, char** argv) {
    std::vector<const orrery::RunKind*> kinds = orrery::ownKinds();
    kinds.push_back(&orrery::test::corridorKind());
    orrery::useKinds(std::move(kinds));
    std::vector<const orrery::WorldFamily*> families = orrery::ownFamilies();
    families.push_back(&orrery::test::lineFamily());
    orrery::useFamilies(std::move(families));
    orrery::useParts({[](orrery::Workbench& bench) {
        return std::make_unique<orrery::test::CorridorPart>(bench);
    }});
    orrery::useCommands(orrery::test::commandsWithCorridor());
    return orrery::runProgram(argc, argv);
}
