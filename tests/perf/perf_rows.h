#pragma once

#include <string>
#include <vector>

namespace orrery::perf {

/// One line of the speed table.
struct Row {
    std::string name;
    double value = 0;
    std::string unit;
    std::string reference;  ///< what others or the limit reach, in words
    double target = 0;
    bool lessIsBetter = false;

    bool met() const { return lessIsBetter ? value <= target : value >= target; }
};

/// The rows that the benchmarks have measured so far, in their order.
std::vector<Row>& rows();

/// Prints the table to standard output.
void printTable(const std::vector<Row>& rows);

/// Writes the rows as a JSON list of objects name, value, unit, reference, target, met.
void writeJson(const std::vector<Row>& rows, const std::string& file);

}  // namespace orrery::perf
