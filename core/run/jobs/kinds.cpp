#include "core/run/jobs/entity_kind.h"
#include "core/run/jobs/import_kind.h"
#include "core/run/jobs/solve_kind.h"
#include "core/run/jobs/train_kind.h"
#include "core/run/run_kind.h"

namespace orrery {

std::vector<const RunKind*> ownKinds() {
    return {&solveKind(), &trainKind(), &entityKind(), &importKind()};
}

}  // namespace orrery
