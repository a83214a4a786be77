#pragma once

#include <QPolygonF>
#include <QRectF>
#include <cstdint>
#include <vector>

#include "widgets/plots/chart_content.h"
#include "widgets/plots/chart_geometry.h"
#include "widgets/plots/column_bars.h"

namespace orrery {

struct DrawnLine;

inline constexpr double kBeyondPlot = 64;  ///< pixels around the plot where lines are still right

/// The x range cut into stretches of equal width on the surface.
struct PixelColumns {
    std::vector<double> edges;  ///< [W + 1] values of x
    double left = 0;            ///< pixel of edges[0]
    double width = 1;           ///< pixels a column

    std::size_t count() const { return edges.size() - 1; }
    double centre(std::size_t column) const {
        return left + (static_cast<double>(column) + 0.5) * width;
    }
};

/// Columns at least about `every` pixels wide.
PixelColumns pixelColumns(const ChartGeometry& geometry, double every);

/// The plot and some way around it: where lines must be right.
QRectF drawingWindow(const ChartGeometry& geometry);

/// Turns one series into lines of pixels: through every point where there are few, else from the
/// extremes of each column.
class SeriesDrawer {
public:
    /// Keeps references to its arguments.
    SeriesDrawer(ChartContent::Entry& entry, const ChartView& view, const ChartGeometry& geometry,
                 const PixelColumns& columns);

    /// The points in the x range.
    std::int64_t begin() const { return m_begin; }
    std::int64_t end() const { return m_end; }

    void drawRaw(DrawnLine& line) const;
    void drawBold(DrawnLine& line) const;

private:
    template <typename Value>
    std::vector<QPolygonF> polyline(const Value& value) const;
    bool reach(const SeriesExtent& extent, double& least, double& most) const;
    void setBar(ColumnBars& bars, std::size_t column, double least, double most) const;
    std::vector<QPolygonF> emaLine() const;
    std::vector<QPolygonF> medianLine() const;
    void drawEnvelope(DrawnLine& line) const;

    ChartContent::Entry& m_entry;
    const Series& m_points;
    const ChartView& m_view;
    const ChartGeometry& m_g;
    const PixelColumns& m_columns;
    std::int64_t m_begin = 0, m_end = 0;
    bool m_isDense = false;
    std::vector<std::int64_t> m_edges;  ///< dense: point indices of the columns' edges
};

}  // namespace orrery
