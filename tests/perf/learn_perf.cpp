// Measures learned planning: tensors, tables, networks and the learner. Needs no display.
#include "tests/perf/learn_parts.h"
#include "tests/perf/perf_rows.h"

int main(int argc, char** argv) {
    using namespace orrery::perf;
    return measureParts(argc, argv,
                        {{"decompress", decompressing},
                         {"tables", updatingTables},
                         {"floor", trainingFloor},
                         {"learn_tables", learningTables},
                         {"learn_networks", learningNetworks},
                         {"at_once", learningAtOnce},
                         {"episode", learningEpisode},
                         {"actors", learningWithActors},
                         {"converge_tables", convergingTables},
                         {"converge_networks", convergingNetworks}});
}
