// The program with each of its lists one entry longer: what core/README.md says of adding a method
// and a family of worlds is all that there is to do.
#include <utility>
#include <vector>

#include "app/window/program.h"
#include "core/run/run_kind.h"
#include "core/world/world_family.h"
#include "tests/support/corridor/corridor_kind.h"
#include "tests/support/line/line_world.h"

int main(int argc, char** argv) {
    std::vector<const orrery::RunKind*> kinds = orrery::ownKinds();
    kinds.push_back(&orrery::test::corridorKind());
    orrery::useKinds(std::move(kinds));
    std::vector<const orrery::WorldFamily*> families = orrery::ownFamilies();
    families.push_back(&orrery::test::lineFamily());
    orrery::useFamilies(std::move(families));
    return orrery::runProgram(argc, argv);
}
