#include "widgets/plots/series_drawer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "widgets/plots/chart_picture.h"
#include "widgets/plots/line_builder.h"

namespace orrery {

namespace {

constexpr double kMedianEvery = 8;  // units between two medians, at least
constexpr double kFlat = 1.5;       // units; a column's reach below it is one point
constexpr std::int64_t kWideWindow = 16 * Series::kBlock;
constexpr double kEnvelopeEvery = 4;  // units between two windows of an envelope

}  // namespace

PixelColumns pixelColumns(const ChartGeometry& geometry, double every) {
    const QRectF& plot = geometry.plot();
    const auto count =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(plot.width() / every)));
    PixelColumns columns;
    columns.left = plot.left();
    columns.width = plot.width() / static_cast<double>(count);
    columns.edges.resize(count + 1);
    for (std::size_t c = 0; c <= count; ++c)
        columns.edges[c] = geometry.valueX(columns.left + static_cast<double>(c) * columns.width);
    columns.edges.front() = geometry.x().low;
    columns.edges.back() = geometry.x().high;
    return columns;
}

QRectF drawingWindow(const ChartGeometry& geometry) {
    return geometry.plot().adjusted(-kBeyondPlot, -kBeyondPlot, kBeyondPlot, kBeyondPlot);
}

SeriesDrawer::SeriesDrawer(ChartContent::Entry& entry, const ChartView& view,
                           const ChartGeometry& geometry, const PixelColumns& columns)
    : m_entry(entry),
      m_points(entry.points),
      m_view(view),
      m_g(geometry),
      m_columns(columns),
      m_begin(m_points.lowerBound(geometry.x().low)),
      m_end(m_points.lowerBound(
          std::nextafter(geometry.x().high, std::numeric_limits<double>::infinity()))),
      m_isDense(m_end - m_begin > 2 * static_cast<std::int64_t>(columns.count())) {
    if (m_isDense) m_edges = m_points.pointEdges(columns.edges);
}

void SeriesDrawer::drawRaw(DrawnLine& line) const {
    line.isDense = m_isDense;
    if (!m_isDense) {
        line.rawLines = polyline([this](std::int64_t i) { return m_points.y(i); });
        for (std::int64_t i = m_begin; i < m_end; ++i)
            if (!std::isfinite(m_points.y(i))) line.notFiniteAt.append(m_g.pixelX(m_points.x(i)));
        return;
    }
    line.bars = emptyBars(m_g.plot(), m_columns.width);
    std::vector<bool> isCut(m_columns.count(), false);
    // The counts of columns cost more: only where something is to be told apart.
    const SeriesExtent all = m_points.extent(m_begin, m_end);
    const bool isLog = m_g.y().scale.kind == ScaleKind::Log;
    if (all.notFinite > 0 || (isLog && all.notPositive > 0)) {
        const std::vector<SeriesColumn> columns = m_points.columns(m_columns.edges);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (columns[c].extent.notFinite > 0) line.notFiniteAt.append(m_columns.centre(c));
            double least = 0;
            double most = 0;
            if (reach(columns[c].extent, least, most))
                setBar(line.bars, c, least, most);
            else
                isCut[c] = columns[c].begin < columns[c].end;
        }
    } else {
        const std::vector<SeriesReach> reaches = m_points.reaches(m_edges);
        for (std::size_t c = 0; c < reaches.size(); ++c)
            if (reaches[c].least <= reaches[c].most)
                setBar(line.bars, c, reaches[c].least, reaches[c].most);
    }
    connectBars(line.bars, isCut);
}

void SeriesDrawer::setBar(ColumnBars& bars, std::size_t column, double least, double most) const {
    const double lowest = m_g.plot().bottom() + kBeyondPlot;
    const double highest = m_g.plot().top() - kBeyondPlot;
    bars.top[column] = static_cast<float>(std::clamp(m_g.pixelY(most), highest, lowest));
    bars.bottom[column] = static_cast<float>(std::clamp(m_g.pixelY(least), highest, lowest));
}

void SeriesDrawer::drawBold(DrawnLine& line) const {
    switch (m_view.smoothing.kind) {
        case SmoothingKind::None:
            line.isRawBold = true;
            break;
        case SmoothingKind::Ema:
            line.bold = emaLine();
            break;
        case SmoothingKind::Median:
            line.bold = medianLine();
            break;
        case SmoothingKind::Envelope:
            drawEnvelope(line);
            break;
    }
}

template <typename Value>
std::vector<QPolygonF> SeriesDrawer::polyline(const Value& value) const {
    LineBuilder builder(drawingWindow(m_g));
    const std::int64_t from = std::max<std::int64_t>(0, m_begin - 1);
    const std::int64_t to = std::min(m_points.size(), m_end + 1);
    for (std::int64_t i = from; i < to; ++i) {
        const double x = m_g.pixelX(m_points.x(i));
        // A point without a place in x (0 on a logarithmic axis) is no gap.
        if (std::isfinite(x)) builder.add({x, m_g.pixelY(value(i))});
    }
    return builder.take();
}

/// Least and most of a column that have a place on the y axis.
bool SeriesDrawer::reach(const SeriesExtent& extent, double& least, double& most) const {
    least = m_g.y().scale.kind == ScaleKind::Log ? extent.leastPositive : extent.least;
    most = extent.most;
    return least <= most;
}

std::vector<QPolygonF> SeriesDrawer::emaLine() const {
    if (!m_entry.ema) return {};
    const EmaLine& ema = *m_entry.ema;
    if (!m_isDense) {
        const std::int64_t from = std::max<std::int64_t>(0, m_begin - 1);
        std::vector<std::int64_t> each;  // a column a point
        for (std::int64_t i = from; i <= std::min(m_points.size(), m_end + 1); ++i)
            each.push_back(i);
        const std::vector<EmaLine::Range> means = ema.ranges(m_points, each);
        return polyline(
            [&](std::int64_t i) { return means[static_cast<std::size_t>(i - from)].last; });
    }
    LineBuilder builder(drawingWindow(m_g));
    const std::vector<EmaLine::Range> ranges = ema.ranges(m_points, m_edges);
    bool isUp = false;
    for (std::size_t c = 0; c < ranges.size(); ++c) {
        const EmaLine::Range& range = ranges[c];
        if (range.isEmpty()) continue;
        const double x = m_columns.centre(c);
        const double top = m_g.pixelY(range.most);
        const double bottom = m_g.pixelY(range.least);
        if (bottom - top > kFlat) {  // up one column and down the next
            builder.add({x, isUp ? bottom : top});
            builder.add({x, isUp ? top : bottom});
            isUp = !isUp;
        } else {
            builder.add({x, m_g.pixelY(range.last)});
        }
    }
    return builder.take();
}

std::vector<QPolygonF> SeriesDrawer::medianLine() const {
    if (!m_entry.median || m_points.isEmpty()) return {};
    // Places on a grid that does not move with the view, so that panning asks known ones.
    const AxisScale& scale = m_g.x().scale;
    const double low = scale.place(m_g.x().low);
    const double high = scale.place(m_g.x().high);
    const double least = (high - low) / m_g.plot().width() * kMedianEvery;
    const double step = std::exp2(std::ceil(std::log2(least)));
    LineBuilder builder(drawingWindow(m_g));
    for (double k = std::floor(low / step); k * step < high + step; ++k) {
        const double x = std::clamp(scale.value(k * step), m_points.firstX(), m_points.lastX());
        builder.add({m_g.pixelX(x), m_g.pixelY(m_entry.median->at(m_points, x))});
    }
    return builder.take();
}

void SeriesDrawer::drawEnvelope(DrawnLine& line) const {
    LineBuilder upper(drawingWindow(m_g));
    LineBuilder lower(drawingWindow(m_g));
    QPolygonF area;
    QPolygonF back;
    const double half = m_view.smoothing.window / 2;
    const bool isLog = m_g.y().scale.kind == ScaleKind::Log;
    const auto every = static_cast<std::size_t>(std::max(1.0, kEnvelopeEvery / m_columns.width));
    for (std::size_t c = 0; c < m_columns.count(); c += every) {
        // No point is left out between two windows that are narrower than their distance.
        const double x = m_g.valueX(m_columns.centre(c));
        const double right = m_columns.edges[std::min(c + every, m_columns.count())];
        const double from = std::min(x - half, m_columns.edges[c]);
        const double to = std::max(x + half, right);
        if (m_points.isEmpty() || to < m_points.firstX() || from > m_points.lastX()) continue;
        std::int64_t begin = m_points.lowerBound(from);
        std::int64_t end = m_points.lowerBound(std::nextafter(to, 1e308));
        if (end - begin >= kWideWindow) {  // outwards to whole blocks, by at most an eighth
            begin -= begin % Series::kBlock;
            end += Series::kBlock - end % Series::kBlock;
        }
        SeriesReach range = m_points.reach(begin, end);
        if (isLog && range.least <= 0) range.least = m_points.extent(begin, end).leastPositive;
        if (range.least > range.most) continue;
        const double least = range.least;
        const double most = range.most;
        const QPointF top(m_columns.centre(c), m_g.pixelY(most));
        const QPointF bottom(m_columns.centre(c), m_g.pixelY(least));
        upper.add(top);
        lower.add(bottom);
        const double edge = kBeyondPlot;
        area.append({top.x(), std::max(top.y(), m_g.plot().top() - edge)});
        back.append({bottom.x(), std::min(bottom.y(), m_g.plot().bottom() + edge)});
    }
    std::reverse(back.begin(), back.end());
    area += back;
    if (!area.isEmpty()) line.areas.push_back(area);
    line.bold = upper.take();
    for (QPolygonF& piece : lower.take()) line.bold.push_back(std::move(piece));
}

}  // namespace orrery
