// The level bands on paper.
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/common/tokens.h"
#include "widgets/dag/bands_canvas.h"

namespace orrery {

namespace {

constexpr int kMostRects = 30'000;  ///< cells drawn as shapes; more become a picture
constexpr double kGapFrom = 6;      ///< pitch from which columns stand apart

}  // namespace

QJsonObject BandsCanvas::saveZoom() const {
    return {{QStringLiteral("firstLevel"), m_firstLevel},
            {QStringLiteral("endLevel"), m_endLevel},
            {QStringLiteral("low"), m_low},
            {QStringLiteral("high"), m_high}};
}

void BandsCanvas::restoreZoom(const QJsonObject& zoom) {
    const auto number = [&](const char* key, double otherwise) {
        const double value = zoom.value(QLatin1String(key)).toDouble(otherwise);
        return std::isfinite(value) ? value : otherwise;
    };
    const double first = number("firstLevel", m_firstLevel), end = number("endLevel", m_endLevel);
    const double low = number("low", m_low), high = number("high", m_high);
    if (!m_density || !(end > first) || !(high >= low)) return;
    m_firstLevel = first;
    m_endLevel = end;
    m_low = low;
    m_high = high;
    clampView();
    rebuildImage();
    update();
}

void BandsCanvas::paintFigure(QPainter& painter, const FigurePage& page) {
    if (!m_density) return;
    QImage image = m_image;
    const double most = m_most;
    const int group = m_group;
    m_figure = page;
    rebuildImage();
    painter.setRenderHint(QPainter::Antialiasing);
    paintPicture(painter);
    m_figure.reset();
    m_image = std::move(image);
    setMost(most);
    m_group = group;
}

/// The cells as shapes where they are not too many. Nothing is clipped, so that every format shows
/// the same.
void BandsCanvas::paintCells(QPainter& painter, const Tokens& t) const {
    const QRectF plot = plotRect();
    const double pitch = columnRect(0).width() * m_group;
    const double gap = columnRect(0).width() >= kGapFrom ? 1 : 0;
    const double height = plot.height() / m_image.height();
    const int first = std::max(0, static_cast<int>(m_firstLevel) / m_group);
    const int last = std::min(m_image.width() - 1, static_cast<int>(m_endLevel) / m_group);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (static_cast<std::int64_t>(last - first + 1) * m_image.height() > kMostRects) {
        const QRectF whole(columnRect(0).left(), plot.top(), pitch * m_image.width(),
                           plot.height());
        const QRectF seen = whole.intersected(plot);
        const QRectF source((seen.left() - whole.left()) / pitch, 0, seen.width() / pitch,
                            m_image.height());
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(seen, m_image, source);
        painter.restore();
        return;
    }
    for (int column = first; column <= last; ++column) {
        const QRectF strip = QRectF(columnRect(column * m_group).left() + gap, plot.top(),
                                    pitch - 2 * gap, plot.height())
                                 .intersected(plot);
        if (strip.width() <= 0) continue;
        for (int row = 0; row < m_image.height(); ++row) {
            const QColor color = m_image.pixelColor(column, row);
            if (color == t.canvas) continue;
            painter.fillRect(QRectF(strip.left(), plot.top() + row * height, strip.width(), height),
                             color);
        }
    }
    painter.restore();
}

}  // namespace orrery
