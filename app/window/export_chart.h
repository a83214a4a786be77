#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/export/export_table.h"
#include "core/base/progress.h"
#include "widgets/plots/series.h"
#include "widgets/plots/smoothing.h"

namespace orrery {

class Chart;

/// The points of a chart's visible lines, apart from the chart, so that a worker can write them
/// while the chart goes on.
struct ChartPoints {
    struct Line {
        std::string name;
        Series points;
        std::int64_t begin = 0, end = 0;  ///< those to be written
    };
    std::string xName, valueName;  ///< "V_r [mean of a level]"
    std::vector<Line> lines;
    std::optional<double> emaWindow;  ///< of the bold line, if it is an exponential mean
    std::string smoothing;            ///< "exponential mean over 50 steps"; empty without it

    std::int64_t rows() const;
};

/// Points in the visible x range, or all of the visible lines. GUI thread.
ChartPoints pointsOf(const Chart& chart, bool isAll);

/// Writes one row a point: series, x, the raw value and, where the chart has it, the exponential
/// mean. As CSV (RFC 4180) or, with a tab as separator, TSV; numbers with %.17g. False if stopped.
/// @throws Error (Resource) if the file cannot be written
bool writeChartTable(const ChartPoints& points, char separator, const std::filesystem::path& file,
                     const std::stop_token& stop, const ProgressSink& progress);

/// Writes two arrays a line, "NAME.x" and "NAME.y". False if stopped.
bool writeChartArrays(const ChartPoints& points, const std::filesystem::path& file,
                      const std::stop_token& stop, const ProgressSink& progress);

}  // namespace orrery
