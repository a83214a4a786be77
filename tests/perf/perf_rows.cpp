#include "tests/perf/perf_rows.h"

#include <algorithm>
#include <cstdio>

#include "core/base/atomic_write.h"
#include "core/base/text.h"

namespace orrery::perf {

namespace {

int refuse(const std::string& word, const std::vector<Part>& parts) {
    std::fprintf(stderr, "'%s' is nothing that is measured here: [NAME...] [--json FILE], of",
                 word.c_str());
    for (const Part& part : parts) std::fprintf(stderr, " %s", part.name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
}

void printTable(const std::vector<Row>& rows) {
    std::printf("%-24s %12s  %-30s %12s  %-4s %s\n", "name", "value", "unit", "target", "met",
                "reference");
    for (const Row& row : rows)
        std::printf("%-24s %12.4g  %-30s %s%11.4g  %-4s %s\n", row.name.c_str(), row.value,
                    row.unit.c_str(), row.lessIsBetter ? "<" : ">", row.target,
                    row.met() ? "yes" : "NO", row.reference.c_str());
}

void writeJson(const std::vector<Row>& rows, const std::string& file) {
    std::string text = "[\n";
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Row& row = rows[k];
        text += "  {\"name\": \"" + row.name + "\", \"value\": " + formatDouble(row.value) +
                ", \"unit\": \"" + row.unit + "\", \"reference\": \"" + row.reference +
                "\", \"target\": " + formatDouble(row.target) +
                ", \"less_is_better\": " + (row.lessIsBetter ? "true" : "false") +
                ", \"met\": " + (row.met() ? "true" : "false") + "}" +
                (k + 1 < rows.size() ? "," : "") + "\n";
    }
    atomicWrite(file, text + "]\n", 0666);
}

}  // namespace

double medianOf(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

std::vector<Row>& rows() {
    static std::vector<Row> all;
    return all;
}

int measureParts(int argc, char** argv, const std::vector<Part>& parts) {
    std::vector<std::string> names;
    std::string json;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        const auto isMeant = [&](const Part& part) { return part.name.starts_with(word); };
        if (word == "--json" && k + 1 < argc)
            json = argv[++k];
        else if (std::ranges::any_of(parts, isMeant))
            names.push_back(word);
        else
            return refuse(word, parts);
    }
    for (const Part& part : parts)
        if (names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
                return part.name.starts_with(name);
            }))
            part.measure();
    printTable(rows());
    if (!json.empty()) writeJson(rows(), json);
    return 0;
}

}  // namespace orrery::perf
