#include "widgets/plots/column_bars.h"

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace orrery {

namespace {

constexpr int kMostPixelRows = 32767;
constexpr float kNone = std::numeric_limits<float>::infinity();

bool hasBar(const ColumnBars& bars, std::size_t column) {
    return bars.top[column] <= bars.bottom[column];
}

void stretch(ColumnBars& bars, std::size_t column, double y) {
    bars.top[column] = std::min(bars.top[column], static_cast<float>(y));
    bars.bottom[column] = std::max(bars.bottom[column], static_cast<float>(y));
}

bool isOn(const std::vector<double>& pattern, double at) {
    double length = 0;
    for (const double part : pattern) length += part;
    at = std::fmod(at, length);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (at < pattern[i]) return i % 2 == 0;
        at -= pattern[i];
    }
    return true;
}

/// Row y of a picture of bars: `pixel` within them, nothing outside. Without branches, eight
/// columns at once.
void fillRow(std::uint32_t* __restrict line, const std::uint16_t* __restrict begin,
             const std::uint16_t* __restrict rows, std::size_t count, std::uint16_t y,
             std::uint32_t pixel) {
    for (std::size_t c = 0; c < count; ++c) {
        const auto from = static_cast<std::uint16_t>(y - begin[c]);
        line[c] = from < rows[c] ? pixel : 0U;
    }
}

}  // namespace

ColumnBars emptyBars(const QRectF& plot, double columnWidth) {
    ColumnBars bars;
    const auto count =
        static_cast<std::size_t>(std::max(1.0, std::ceil(plot.width() / columnWidth - 1e-6)));
    bars.left = plot.left();
    bars.width = plot.width() / static_cast<double>(count);
    bars.top.assign(count, kNone);
    bars.bottom.assign(count, -kNone);
    return bars;
}

void connectBars(ColumnBars& bars, const std::vector<bool>& isCut) {
    std::ptrdiff_t before = -1;  // the last column with a bar
    float lastTop = 0;           // as it was before it was stretched
    float lastBottom = 0;
    for (std::size_t c = 0; c < bars.top.size(); ++c) {
        if (isCut[c] && !hasBar(bars, c)) before = -1;
        if (!hasBar(bars, c)) continue;
        const float top = bars.top[c];
        const float bottom = bars.bottom[c];
        if (before >= 0) {
            const auto gap = static_cast<float>(static_cast<std::ptrdiff_t>(c) - before);
            const float from = (lastTop + lastBottom) / 2;
            const float to = (top + bottom) / 2;
            for (float k = 1; k < gap; ++k) {
                const auto column =
                    static_cast<std::size_t>(before + static_cast<std::ptrdiff_t>(k));
                stretch(bars, column, from + (to - from) * (k - 0.5F) / (gap - 1));
                stretch(bars, column, from + (to - from) * (k + 0.5F) / (gap - 1));
            }
            if (gap == 1) {  // meet half way
                if (top > lastBottom) stretch(bars, c, (top + lastBottom) / 2);
                if (bottom < lastTop) stretch(bars, c, (bottom + lastTop) / 2);
                const auto previous = static_cast<std::size_t>(before);
                if (top > lastBottom) stretch(bars, previous, (top + lastBottom) / 2);
                if (bottom < lastTop) stretch(bars, previous, (bottom + lastTop) / 2);
            }
        }
        before = static_cast<std::ptrdiff_t>(c);
        lastTop = top;
        lastBottom = bottom;
    }
}

ColumnBars barsOf(const std::vector<QPolygonF>& pieces, const QRectF& plot, double columnWidth,
                  const std::vector<double>& pattern) {
    ColumnBars bars = emptyBars(plot, columnWidth);
    const auto last = static_cast<double>(bars.top.size() - 1);
    for (const QPolygonF& piece : pieces) {
        for (qsizetype i = 1; i < piece.size(); ++i) {
            QPointF a = piece[i - 1];
            QPointF b = piece[i];
            if (a.x() > b.x()) std::swap(a, b);
            const double from = std::floor((a.x() - bars.left) / bars.width);
            const double to = std::floor((b.x() - bars.left) / bars.width);
            const double slope = b.x() > a.x() ? (b.y() - a.y()) / (b.x() - a.x()) : 0;
            for (double c = std::max(0.0, from); c <= std::min(last, to); ++c) {
                const auto column = static_cast<std::size_t>(c);
                const double begin = std::max(a.x(), bars.left + c * bars.width);
                const double end = std::min(b.x(), bars.left + (c + 1) * bars.width);
                stretch(bars, column, a.y() + (begin - a.x()) * slope);
                stretch(bars, column, b.x() > a.x() ? a.y() + (end - a.x()) * slope : b.y());
            }
        }
    }
    for (std::size_t c = 0; !pattern.empty() && c < bars.top.size(); ++c)
        if (!isOn(pattern, static_cast<double>(c) * bars.width)) {
            bars.top[c] = kNone;
            bars.bottom[c] = -kNone;
        }
    return bars;
}

void drawBars(QPainter& painter, const ColumnBars& bars, const QRectF& plot, const QColor& color,
              double thickness, QImage* scratch) {
    const double scale = 1 / bars.width;
    const int height = std::min(static_cast<int>(std::ceil(plot.height() * scale)), kMostPixelRows);
    const std::size_t count = bars.top.size();
    // First row of each bar and its number of rows, relative to the plot's top.
    std::vector<std::uint16_t> begin(count, 0);
    std::vector<std::uint16_t> rows(count, 0);
    std::int32_t least = height;
    std::int32_t most = 0;
    for (std::size_t c = 0; c < count; ++c) {
        if (!hasBar(bars, c)) continue;
        const double middle = (static_cast<double>(bars.top[c]) + bars.bottom[c]) / 2;
        const double half =
            std::max(thickness, static_cast<double>(bars.bottom[c]) - bars.top[c] + thickness / 2) /
            2;
        const double from = std::clamp((middle - half - plot.top()) * scale, 0.0, height + 0.0);
        const double to = std::clamp((middle + half - plot.top()) * scale, 0.0, height + 0.0);
        const auto first = static_cast<std::int32_t>(std::lround(from));
        const auto end = static_cast<std::int32_t>(std::lround(to));
        if (end <= first) continue;
        begin[c] = static_cast<std::uint16_t>(first);
        rows[c] = static_cast<std::uint16_t>(end - first);
        least = std::min(least, first);
        most = std::max(most, end);
    }
    if (least >= most) return;
    QImage own;
    QImage& image = scratch ? *scratch : own;
    const auto width = static_cast<int>(count);
    if (image.width() != width || image.height() < most - least)
        image = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
    const QRgb pixel = qPremultiply(color.rgba());
    for (std::int32_t y = least; y < most; ++y)
        fillRow(reinterpret_cast<std::uint32_t*>(image.scanLine(y - least)), begin.data(),
                rows.data(), count, static_cast<std::uint16_t>(y), pixel);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(
        QRectF(plot.left(), plot.top() + least / scale, plot.width(), (most - least) / scale),
        image, QRectF(0, 0, width, most - least));
}

std::vector<QPolygonF> outlineOf(const ColumnBars& bars) {
    std::vector<QPolygonF> pieces;
    QPolygonF piece;
    bool isUp = false;
    for (std::size_t c = 0; c < bars.top.size(); ++c) {
        if (!hasBar(bars, c)) {
            if (!piece.isEmpty()) pieces.push_back(std::exchange(piece, {}));
            continue;
        }
        const double x = bars.left + (static_cast<double>(c) + 0.5) * bars.width;
        const double top = bars.top[c];
        const double bottom = bars.bottom[c];
        piece.append({x, isUp ? bottom : top});
        if (top < bottom) piece.append({x, isUp ? top : bottom});
        isUp = !isUp;
    }
    if (!piece.isEmpty()) pieces.push_back(std::move(piece));
    return pieces;
}

}  // namespace orrery
