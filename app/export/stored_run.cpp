#include "app/export/stored_run.h"

#include <variant>

#include "core/base/error.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/run_kind.h"

namespace orrery {

std::string stateText(const RunRecord& record) {
    return record.state ? std::string(nameOf(*record.state)) : "unknown";
}

void requireTraining(const Workspace& workspace, const std::string& run,
                     const std::string& advice) {
    const RunSpec spec = storedSpec(workspace, run);
    const RunKind& kind = spec.job.kind();
    if (!kind.isTraining())
        throw badInput("Run " + run + " is a " + kind.noun +
                       (kind.hasValues ? ": " + advice : ", in which nothing was learned"));
}

}  // namespace orrery
