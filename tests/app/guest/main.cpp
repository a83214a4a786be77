// The program with each of its lists one entry longer: what core/README.md says of adding a method
// is all that there is to do.
#include <utility>
#include <vector>

#include "app/program.h"
#include "core/run/run_kind.h"
#include "tests/support/corridor/corridor_kind.h"

int main(int argc, char** argv) {
    std::vector<const orrery::RunKind*> kinds = orrery::ownKinds();
    kinds.push_back(&orrery::test::corridorKind());
    orrery::useKinds(std::move(kinds));
    return orrery::runProgram(argc, argv);
}
