#include "core/run/training_memory.h"

#include "core/run/run_kind.h"

namespace orrery {

std::vector<MemoryPart> trainingMemory(const Job& job, const std::stop_token& stop) {
    const RunKind& kind = job.kind();
    return kind.memory ? kind.memory(job, stop) : std::vector<MemoryPart>();
}

void requireTrainingMemory(const Job& job, const std::stop_token& stop) {
    requireMemory(trainingMemory(job, stop), memoryLimit(trainSettings(job)->memoryBudget),
                  job.kind().memoryAdvice);
}

}  // namespace orrery
