#include "tests/perf/perf_rows.h"

#include <cstdio>

#include "core/base/atomic_write.h"
#include "core/base/text.h"

namespace orrery::perf {

std::vector<Row>& rows() {
    static std::vector<Row> all;
    return all;
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
                ", \"met\": " + (row.met() ? "true" : "false") + "}" +
                (k + 1 < rows.size() ? "," : "") + "\n";
    }
    atomicWrite(file, text + "]\n", 0666);
}

}  // namespace orrery::perf
