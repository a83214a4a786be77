#include "core/run/job.h"

#include <stdexcept>

#include "core/run/run_kind.h"

namespace orrery {

Job::Job() : Job(runKinds().front()->fresh()) {}

const RunKind& Job::kind() const {
    for (const RunKind* kind : runKinds())
        if (kind->settings == m_own->type()) return *kind;
    throw std::logic_error("a job of a kind that is not listed");
}

void Job::throwOtherKind() const {
    throw std::logic_error("the job is a " + kind().noun + ", another was asked for");
}

}  // namespace orrery
