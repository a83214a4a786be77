#include "widgets/plots/chart_table_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/plots/chart_picture.h"

namespace orrery {

namespace {

constexpr int kSeries = 0, kX = 1, kValue = 2, kSmooth = 3, kNumColumns = 4;

QString fullNumber(double value) {
    if (!std::isfinite(value)) return valueText(value);
    if (value == std::trunc(value) && std::abs(value) < 1e15)
        return countText(static_cast<std::int64_t>(value));
    return QString::number(value, 'g', 9).replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace

ChartTableModel::ChartTableModel(ChartContent& content, QObject* parent)
    : QAbstractTableModel(parent), m_content(content) {}

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
    if (parts == m_parts && view == m_view) return;
    beginResetModel();
    m_view = view;
    m_parts = std::move(parts);
    m_rows = rows;
    endResetModel();
}

int ChartTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows);
}

int ChartTableModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    return m_view.smoothing.kind == SmoothingKind::Ema ? kNumColumns : kSmooth;
}

QVariant ChartTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !checkIndex(index)) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == kSeries ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role == Qt::FontRole && index.column() != kSeries) return numberFont(12);
    if (role != Qt::DisplayRole) return {};
    const auto after = std::ranges::upper_bound(m_parts, index.row(), {}, &Part::row);
    const Part& part = *(after - 1);
    // Between a change of the content and refresh(), which comes with the next frame.
    if (part.series >= std::ssize(m_content.series)) return {};
    const ChartContent::Entry& entry = m_content.series[static_cast<std::size_t>(part.series)];
    const std::int64_t point = part.begin + (index.row() - part.row);
    if (point >= entry.points.size()) return {};
    switch (index.column()) {
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

QVariant ChartTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case kSeries:
            return QStringLiteral("series");
        case kX:
            return m_content.xName;
        case kValue:
            return QStringLiteral("value");
        case kSmooth:
            return captionOf(m_view.smoothing, m_content.xName);
        default:
            return {};
    }
}

}  // namespace orrery
