// Measures learning among things: ragged buffers, environments, the transformer, updates, curves.
#include "tests/perf/entity_parts.h"

int main(int argc, char** argv) {
    using namespace orrery::perf;
    std::vector<Part> parts{{"ragged", raggedOperations},
                            {"envs", steppingEnvironments},
                            {"net", trainingTransformer},
                            {"ppo", makingUpdates},
                            {"own", bridgingProcesses}};
    for (Part& part : learningCurves()) parts.push_back(std::move(part));
    return measureParts(argc, argv, parts);
}
