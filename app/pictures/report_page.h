#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace orrery {

/// A report of stored runs.
struct ReportOrder {
    std::filesystem::path workspace;
    std::vector<std::string> runs;  ///< ids, at least one
    std::filesystem::path page;     ///< NAME.html; one that is there is replaced
};

/// Writes the report of runs as one HTML page, without a display: what the window writes for the
/// same runs. Needs the process's main thread.
/// @return false if stopped, and then nothing is written
/// @throws Error as HistoryReader, or (Resource) if the page cannot be written
bool writeReportPage(const ReportOrder& order, const std::stop_token& stop);

}  // namespace orrery
