#include "widgets/plots/chart_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/line_builder.h"
#include "widgets/plots/series_drawer.h"

namespace orrery {

namespace {

constexpr double kBandEvery = 2;  // pixels between two places of a band
constexpr int kManyMembers = 8;   // more members make a band coarser
/// How far below the least point a logarithmic axis follows a band, which may reach down to 0.
constexpr double kDeepestBand = 3;

/// The bold values of one member at each column's place; NaN outside its points.
std::vector<double> memberValues(ChartContent::Entry& entry, const ChartView& view,
                                 const PixelColumns& columns) {
    const Series& points = entry.points;
    std::vector<double> values(columns.count(), kNaN);
    if (points.isEmpty()) return values;
    const std::vector<SeriesColumn> cut = points.columns(columns.edges);
    const bool isSmooth =
        view.smoothing.kind == SmoothingKind::Ema || view.smoothing.kind == SmoothingKind::Median;
    for (std::size_t c = 0; c < cut.size(); ++c) {
        if (!isSmooth && cut[c].extent.finite > 0) {
            values[c] = cut[c].extent.mean();
            continue;
        }
        const double x = 0.5 * (columns.edges[c] + columns.edges[c + 1]);
        if (columns.edges[c + 1] >= points.firstX() && columns.edges[c] <= points.lastX())
            values[c] = boldValueAt(entry, view.smoothing, x);
    }
    return values;
}

void drawBand(ChartContent& content, const ChartView& view, const ChartGeometry& g, int group,
              BandMaker& bands, DrawnLine& line, SeriesReach& reach) {
    std::vector<std::size_t> members;
    for (std::size_t s = 0; s < content.series.size(); ++s)
        if (content.series[s].spec.group == group && isShown(content.series[s], view))
            members.push_back(s);
    const PixelColumns columns = pixelColumns(
        g, static_cast<int>(members.size()) > kManyMembers ? 2 * kBandEvery : kBandEvery);
    std::vector<std::vector<double>> values;
    values.reserve(members.size());
    for (const std::size_t member : members)
        values.push_back(memberValues(content.series[member], view, columns));
    LineBuilder middle(drawingWindow(g));
    QPolygonF top;
    QPolygonF bottom;
    const auto closeArea = [&] {
        std::reverse(bottom.begin(), bottom.end());
        if (top.size() > 1) line.areas.emplace_back(top + bottom);
        top.clear();
        bottom.clear();
    };
    std::vector<double> here;
    for (std::size_t c = 0; c < columns.count(); ++c) {
        here.clear();
        for (const std::vector<double>& of : values)
            if (std::isfinite(of[c])) here.push_back(of[c]);
        const BandPoint point = bands.make(view.bands, here);
        const double y = g.pixelY(point.middle);
        if (!std::isfinite(y)) {
            closeArea();
            middle.cut();
            continue;
        }
        const double lowest = g.plot().bottom() + kBeyondPlot;
        const double low = g.pixelY(point.low);  // none below zero on a logarithmic axis
        middle.add({columns.centre(c), y});
        reach.least = std::min(reach.least, point.low);
        reach.most = std::max(reach.most, point.high);
        top.append({columns.centre(c),
                    std::clamp(g.pixelY(point.high), g.plot().top() - kBeyondPlot, lowest)});
        bottom.append(
            {columns.centre(c),
             std::isfinite(low) ? std::clamp(low, g.plot().top() - kBeyondPlot, lowest) : lowest});
    }
    closeArea();
    line.bold = middle.take();
}

void countPoints(DrawnChart& chart, const ChartContent::Entry& entry, const SeriesDrawer& drawer,
                 const ChartView& view, const ChartGeometry& g) {
    const Series& points = entry.points;
    const std::int64_t count = drawer.end() - drawer.begin();
    const SeriesExtent extent = points.extent(drawer.begin(), drawer.end());
    chart.points += count;
    const bool isBand = isInBand(entry, view);
    const double pixels = isBand ? kBandEvery : 1;
    const auto columns =
        static_cast<std::int64_t>(std::max(1.0, std::ceil(g.plot().width() / pixels)));
    std::int64_t& perColumn = isBand ? chart.perBandColumn : chart.perColumn;
    perColumn = std::max(perColumn, (count + columns / 2) / columns);
    chart.notFinite += extent.notFinite;
    if (view.y.scale.kind == ScaleKind::Log) chart.notPositive += extent.notPositive;
    if (view.x.scale.kind == ScaleKind::Log)
        chart.notPositive += points.lowerBound(std::numeric_limits<double>::denorm_min());
}

AxisView withRange(AxisView axis, double low, double high, double margin) {
    if (!(low <= high)) {
        low = axis.scale.kind == ScaleKind::Log ? 1 : 0;
        high = axis.scale.kind == ScaleKind::Log ? 10 : 1;
    }
    double from = axis.scale.place(low);
    double to = axis.scale.place(high);
    if (to - from < 1e-12 * std::max(std::abs(from), std::abs(to)) || to == from) {
        const double half =
            axis.scale.kind == ScaleKind::Linear ? std::max(0.5, std::abs(from) * 0.05) : 0.5;
        from -= half;
        to += half;
        // Nothing is known of negative values: none are labelled.
        if (axis.scale.kind == ScaleKind::Linear && low >= 0) from = std::max(from, -margin * to);
    } else {
        const double more = margin * (to - from);
        from -= more;
        to += more;
    }
    axis.low = axis.scale.value(from);
    axis.high = axis.scale.value(to);
    return axis;
}

}  // namespace

bool isShown(const ChartContent::Entry& entry, const ChartView& view) {
    return !view.hiddenSeries.contains(entry.key) &&
           (entry.spec.group < 0 || !view.hiddenSeries.contains(entry.groupKey));
}

bool isInBand(const ChartContent::Entry& entry, const ChartView& view) {
    return entry.spec.group >= 0 && view.bands != BandKind::None;
}

DrawnChart drawnChart(ChartContent& content, const ChartView& view, const ChartGeometry& geometry,
                      BandMaker& bands, double pixelRatio) {
    DrawnChart chart;
    const PixelColumns columns = pixelColumns(geometry, 1 / pixelRatio);
    std::vector<bool> isGroupShown(content.groups.size(), false);
    for (std::size_t s = 0; s < content.series.size(); ++s) {
        ChartContent::Entry& entry = content.series[s];
        if (!isShown(entry, view)) continue;
        SeriesDrawer drawer(entry, view, geometry, columns);
        countPoints(chart, entry, drawer, view, geometry);
        if (view.smoothing.kind == SmoothingKind::Ema && entry.ema)
            chart.smoothingMissing += entry.points.size() - entry.ema->done();
        DrawnLine line;
        line.series = static_cast<SeriesHandle>(s);
        line.group = entry.spec.group;
        line.name = entry.spec.name;
        line.color = entry.spec.color;
        line.isDimmed = entry.spec.isDimmed;
        if (isInBand(entry, view)) {
            isGroupShown[static_cast<std::size_t>(entry.spec.group)] = true;
            if (!view.showsMembers) continue;
            drawer.drawRaw(line);
        } else {
            drawer.drawRaw(line);
            drawer.drawBold(line);
            if (entry.median)
                chart.medianStride = std::max(chart.medianStride, entry.median->stride());
        }
        chart.lines.push_back(std::move(line));
    }
    for (std::size_t k = 0; k < content.groups.size(); ++k) {
        if (!isGroupShown[k]) continue;
        const int group = static_cast<int>(k);
        DrawnLine line;
        line.group = group;
        line.name = content.groups[k].name;
        line.color = content.groups[k].color;
        drawBand(content, view, geometry, group, bands, line, chart.bandReach);
        chart.lines.push_back(std::move(line));
    }
    return chart;
}

std::int64_t advanceSmoothing(ChartContent& content, const SmoothingSpec& smoothing,
                              std::int64_t most) {
    std::int64_t missing = 0;
    for (ChartContent::Entry& entry : content.series) {
        if (smoothing.kind != SmoothingKind::Ema)
            entry.ema.reset();
        else if (!entry.ema || entry.ema->window() != smoothing.window)
            entry.ema.emplace(smoothing.window);
        if (smoothing.kind != SmoothingKind::Median)
            entry.median.reset();
        else if (!entry.median || entry.median->window() != smoothing.window)
            entry.median.emplace(smoothing.window);
        if (!entry.ema) continue;
        const std::int64_t before = entry.ema->done();
        missing += entry.ema->advance(entry.points, most);
        most -= entry.ema->done() - before;
    }
    return missing;
}

AxisView fittedX(const ChartContent& content, const ChartView& view) {
    if (!view.x.isFitted) return view.x;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const ChartContent::Entry& entry : content.series) {
        if (!isShown(entry, view) || entry.points.isEmpty()) continue;
        const std::int64_t first =
            view.x.scale.kind == ScaleKind::Log
                ? entry.points.lowerBound(std::numeric_limits<double>::denorm_min())
                : 0;
        if (first == entry.points.size()) continue;
        low = std::min(low, entry.points.x(first));
        high = std::max(high, entry.points.lastX());
    }
    if (content.linkedExtent) {
        const auto& [first, last] = *content.linkedExtent;
        if (std::isfinite(view.x.scale.place(first))) low = std::min(low, first);
        if (std::isfinite(view.x.scale.place(last))) high = std::max(high, last);
    }
    return withRange(view.x, low, high, 0);
}

AxisView fittedY(const ChartContent& content, const ChartView& view, const AxisView& x,
                 const SeriesReach& bands) {
    if (!view.y.isFitted) return view.y;
    const bool isLog = view.y.scale.kind == ScaleKind::Log;
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const ChartContent::Entry& entry : content.series) {
        if (!isShown(entry, view)) continue;
        const SeriesExtent extent = entry.points.extent(
            entry.points.lowerBound(x.low), entry.points.lowerBound(std::nextafter(
                                                x.high, std::numeric_limits<double>::infinity())));
        low = std::min(low, isLog ? extent.leastPositive : extent.least);
        high = std::max(high, extent.most);
    }
    if (bands.least <= bands.most) {
        low = std::min(low, isLog ? std::max(bands.least, low / kDeepestBand) : bands.least);
        high = std::max(high, bands.most);
    }
    for (const ChartReference& reference : content.references) {
        if (!std::isfinite(view.y.scale.place(reference.value))) continue;
        low = std::min(low, reference.value);
        high = std::max(high, reference.value);
    }
    return withRange(view.y, low, high, 0.06);
}

std::int64_t nearestPoint(const Series& points, double x) {
    if (points.isEmpty()) return -1;
    const std::int64_t after = std::min(points.lowerBound(x), points.size() - 1);
    if (after == 0) return 0;
    return x - points.x(after - 1) <= points.x(after) - x ? after - 1 : after;
}

double boldValueAt(ChartContent::Entry& entry, const SmoothingSpec& smoothing, double x) {
    const Series& points = entry.points;
    if (points.isEmpty()) return kNaN;
    if (entry.median && smoothing.kind == SmoothingKind::Median)
        return entry.median->at(points, std::clamp(x, points.firstX(), points.lastX()));
    const auto at = [&](std::int64_t i) {
        return smoothing.kind == SmoothingKind::Ema && entry.ema && i < entry.ema->done()
                   ? entry.ema->at(points, i)
                   : points.y(i);
    };
    const std::int64_t after = std::min(points.lowerBound(x), points.size() - 1);
    const double right = points.x(after);
    if (after == 0 || right <= x) return at(after);
    const double left = points.x(after - 1);
    const double part = right > left ? (x - left) / (right - left) : 1;
    return at(after - 1) + part * (at(after) - at(after - 1));
}

BandPoint bandAt(ChartContent& content, const ChartView& view, int group, double x,
                 BandMaker& bands) {
    std::vector<double> values;
    for (ChartContent::Entry& entry : content.series) {
        if (entry.spec.group != group || !isShown(entry, view) || entry.points.isEmpty()) continue;
        if (x < entry.points.firstX() || x > entry.points.lastX()) continue;
        if (const double value = boldValueAt(entry, view.smoothing, x); std::isfinite(value))
            values.push_back(value);
    }
    return bands.make(view.bands, values);
}

}  // namespace orrery
