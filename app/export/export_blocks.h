#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/export/export_table.h"
#include "core/solve/solution.h"

namespace orrery {

/// A quantity with a fixed number of columns.
struct ExportBlock {
    std::string name;
    std::vector<std::string> columns;  ///< names
    /// Appends a number for each column; NaN where a state has none.
    std::function<void(const StateValues&, std::vector<double>&)> append;
};

/// What is exported of a state, in the order of the columns.
std::vector<ExportBlock> blocksOf(const Solution& solution, ExportContent content);

}  // namespace orrery
