#pragma once

#include <functional>
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

/// The rows that the parts have measured so far, in their order.
std::vector<Row>& rows();

/// The upper one of two that lie in the middle. @param values  at least one
double medianOf(std::vector<double> values);

/// What a program can measure; it adds its rows.
struct Part {
    std::string name;
    std::function<void()> measure;
};

/// The main of a program that measures: `PROGRAM [NAME...] [--json FILE]`. Measures the parts that
/// begin with a name, all if none is given, prints their rows as a table and writes them to FILE, a
/// JSON list of objects name, value, unit, reference, target, less_is_better, met.
/// @return the exit status; 2 with a line of what there is, where a name or an option is unknown
int measureParts(int argc, char** argv, const std::vector<Part>& parts);

}  // namespace orrery::perf
