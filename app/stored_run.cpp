#include "app/stored_run.h"

#include <variant>

#include "core/base/error.h"
#include "core/run/reopen.h"

namespace orrery {

std::string stateText(const RunRecord& record) {
    return record.state ? std::string(nameOf(*record.state)) : "unknown";
}

void requireTraining(const Workspace& workspace, const std::string& run,
                     const std::string& advice) {
    if (!std::holds_alternative<TrainJob>(storedSpec(workspace, run).job))
        throw badInput("Run " + run + " is a solve: " + advice);
}

}  // namespace orrery
