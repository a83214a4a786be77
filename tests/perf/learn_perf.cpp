// Measures learned planning: tensors, tables, networks and the learner. Needs no display.
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/perf/learn_parts.h"
#include "tests/perf/perf_rows.h"

int main(int argc, char** argv) {
    using namespace orrery::perf;
    const std::vector<std::pair<std::string, void (*)()>> parts = {
        {"decompress", decompressing},
        {"tables", updatingTables},
        {"floor", trainingFloor},
        {"learn_tables", learningTables},
        {"learn_networks", learningNetworks},
        {"at_once", learningAtOnce},
        {"episode", learningEpisode},
        {"actors", learningWithActors},
        {"converge_tables", convergingTables},
        {"converge_networks", convergingNetworks}};
    std::string json;
    std::vector<std::string> names;
    for (int k = 1; k < argc; ++k) {
        if (std::strcmp(argv[k], "--json") == 0 && k + 1 < argc)
            json = argv[++k];
        else if (argv[k][0] == '-') {
            std::fprintf(stderr, "usage: orrery_learn_perf [PART]... [--json FILE]\nparts:");
            for (const auto& part : parts) std::fprintf(stderr, " %s", part.first.c_str());
            std::fprintf(stderr, "\n");
            return 2;
        } else
            names.emplace_back(argv[k]);
    }
    for (const auto& [name, work] : parts) {
        bool isWanted = names.empty();
        for (const std::string& wanted : names) isWanted = isWanted || wanted == name;
        if (isWanted) work();
    }
    printTable(rows());
    if (!json.empty()) writeJson(rows(), json);
    return 0;
}
