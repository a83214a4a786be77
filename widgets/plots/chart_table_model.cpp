#include "widgets/plots/chart_table_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/plots/chart_picture.h"

namespace orrery {

namespace {

constexpr int kSeries = 0, kX = 1, kValue = 2;  // after them, if there is one, the smoothed value

QString fullNumber(double value) {
    if (!std::isfinite(value)) return valueText(value);
    if (value == std::trunc(value) && std::abs(value) < 1e15)
        return countText(static_cast<std::int64_t>(value));
    return QString::number(value, 'g', 9).replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace

void ChartTableModel::refresh(const ChartView& view) {
    std::vector<Part> parts;
    std::int64_t rows = 0;
    for (std::size_t s = 0; s < m_content.series.size(); ++s) {
        const ChartContent::Entry& entry = m_content.series[s];
        if (!isShown(entry, view)) continue;
        const std::int64_t begin = entry.points.lowerBound(view.x.low);
        const std::int64_t end = entry.points.lowerBound(
            std::nextafter(view.x.high, std::numeric_limits<double>::infinity()));
        const std::int64_t room = std::numeric_limits<int>::max() - rows;
        if (begin >= end || room == 0) continue;
        parts.push_back({static_cast<int>(s), begin, std::min(end, begin + room), rows});
        rows += parts.back().end - begin;
    }
    std::vector<TableColumn> columns{{QStringLiteral("series")},
                                     {m_content.xName, CellFace::Digits},
                                     {QStringLiteral("value"), CellFace::Digits}};
    if (view.smoothing.kind == SmoothingKind::Ema)
        columns.push_back({captionOf(view.smoothing, m_content.xName), CellFace::Digits});
    if (parts == m_parts && columns == this->columns()) return;
    beginResetModel();
    setColumns(std::move(columns));
    m_parts = std::move(parts);
    m_rows = rows;
    endResetModel();
}

QString ChartTableModel::text(int row, int column) const {
    const auto after = std::ranges::upper_bound(m_parts, row, {}, &Part::row);
    const Part& part = *(after - 1);
    // Between a change of the content and refresh(), which comes with the next frame.
    if (part.series >= std::ssize(m_content.series)) return {};
    const ChartContent::Entry& entry = m_content.series[static_cast<std::size_t>(part.series)];
    const std::int64_t point = part.begin + (row - part.row);
    if (point >= entry.points.size()) return {};
    switch (column) {
        case kSeries:
            return entry.spec.name;
        case kX:
            return fullNumber(entry.points.x(point));
        case kValue:
            return fullNumber(entry.points.y(point));
        default:
            return entry.ema && point < entry.ema->done()
                       ? fullNumber(entry.ema->at(entry.points, point))
                       : QString();
    }
}

}  // namespace orrery
