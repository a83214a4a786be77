#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/dag/axis_ticks.h"
#include "widgets/dag/bands_canvas.h"
#include "widgets/dag/density_colors.h"

namespace orrery {

void BandsCanvas::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_density || m_isLoading) {
        paintEmpty(painter, t);
    } else {
        paintPicture(painter);
        paintReadout(painter, t);
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void BandsCanvas::paintPicture(QPainter& painter) const {
    const Tokens& t = tokens();
    paintAxes(painter, t);
    if (hasValues()) {
        if (m_figure)
            paintCells(painter, t);
        else
            paintColumns(painter, t);
        paintColorBar(painter, t);
    } else {
        paintBars(painter, t);
    }
    paintMarks(painter, t);
    paintOutlines(painter, t);
}

void BandsCanvas::paintEmpty(QPainter& painter, const Tokens& t) const {
    const QRectF plot = plotRect();
    if (m_isLoading) {
        // The shape of what will come: columns without a value.
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(t.canvas, t.border, 0.6));
        constexpr int kColumns = 18;
        for (int i = 0; i < kColumns; ++i) {
            const double part = 0.35 + 0.6 * std::sin((i + 1) * 3.0 / kColumns);
            const double pitch = plot.width() / kColumns;
            painter.drawRoundedRect(
                QRectF(plot.left() + i * pitch + 1, plot.bottom() - part * plot.height(), pitch - 2,
                       part * plot.height()),
                2, 2);
        }
    }
    painter.setFont(interfaceFont(12));
    painter.setPen(t.text2);
    if (m_isLoading)
        painter.drawText(QRectF(rect()).adjusted(0, 0, -8, -6), Qt::AlignRight | Qt::AlignBottom,
                         tr("Reading the states of all levels"));
    else
        paintEmptyText(painter, rect(),
                       tr("Solve the world (F5) to see its states by level and value."));
}

void BandsCanvas::paintAxes(QPainter& painter, const Tokens& t) const {
    const QRectF plot = plotRect();
    painter.setFont(numberFont(10));
    if (hasValues()) {
        painter.setPen(t.text2);
        paintSymbol(painter, QPointF(14, plot.center().y() + 5), 13, symbolOf(m_density->quantity),
                    QFont::Normal);
        painter.setFont(numberFont(10));
        const bool isFlat = !(m_high > m_low);
        const AxisTicks ticks =
            isFlat ? AxisTicks{{m_low}, 3} : axisTicks(m_low, m_high, plot.height() < 90 ? 3 : 4);
        for (const double value : ticks.values) {
            const double y = std::clamp(yOf(value), plot.top(), plot.bottom());
            painter.setPen(t.text3);
            painter.drawText(QRectF(0, y - 8, plot.left() - 8, 16),
                             Qt::AlignRight | Qt::AlignVCenter, valueText(value, ticks.decimals));
            painter.setPen(QPen(t.chartGrid, 1));
            painter.drawLine(QPointF(plot.left() - 4, y), QPointF(plot.right(), y));
        }
    }
    painter.setFont(interfaceFont(10));
    painter.setPen(t.text3);
    painter.drawText(QRectF(0, plot.bottom() + 7, plot.left() - 8, 16),
                     Qt::AlignRight | Qt::AlignVCenter, tr("level"));
    const int now = m_session->isOpen() ? m_session->state().step : -1;
    const double pitch = columnRect(0).width();
    const double width =
        10 + 7.0 * static_cast<double>(QString::number(m_density->numLevels()).size());
    const int stride = std::max(1, static_cast<int>(std::ceil(width / pitch)));
    const int first = std::max(0, static_cast<int>(m_firstLevel));
    const int last = std::min(m_density->numLevels() - 1, static_cast<int>(m_endLevel));
    for (int step = first; step <= last; ++step) {
        const bool isNow = step == now;
        // The current level is always named; its neighbours make room.
        if (!isNow && (step % stride != 0 || (now >= 0 && std::abs(step - now) < stride))) continue;
        const double x = columnRect(step).center().x();
        if (x < plot.left() - 1 || x > plot.right() + 1) continue;
        painter.setFont(numberFont(10, isNow ? QFont::DemiBold : QFont::Normal));
        painter.setPen(isNow ? t.text : t.text3);
        painter.drawText(QRectF(x - 30, plot.bottom() + 7, 60, 16), Qt::AlignCenter,
                         QString::number(step));
    }
}

void BandsCanvas::paintColumns(QPainter& painter, const Tokens& t) const {
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF whole(QPointF(columnRect(0).left(), plot.top()),
                       QPointF(columnRect(m_image.width() * m_group - 1).right(), plot.bottom()));
    painter.drawImage(whole, m_image);
    const double pitch = columnRect(0).width();
    if (pitch >= 6) {
        const int first = std::max(0, static_cast<int>(m_firstLevel));
        for (int step = first; step <= static_cast<int>(m_endLevel) + 1; ++step)
            painter.fillRect(QRectF(columnRect(step).left() - 1, plot.top(), 2, plot.height()),
                             t.canvas);
    }
    painter.restore();
}

void BandsCanvas::paintBars(QPainter& painter, const Tokens& t) const {
    const QRectF plot = plotRect();
    const std::int64_t most =
        std::max<std::int64_t>(1, *std::ranges::max_element(m_density->states));
    painter.setPen(QPen(t.chartAxis, 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.setFont(numberFont(10));
    painter.setPen(t.text3);
    painter.drawText(QRectF(0, plot.top() - 4, plot.left() - 8, 16), Qt::AlignRight,
                     countText(most));
    painter.drawText(QRectF(0, plot.bottom() - 12, plot.left() - 8, 16), Qt::AlignRight,
                     QStringLiteral("0"));
    painter.save();
    painter.setClipRect(plot);
    for (int step = std::max(0, static_cast<int>(m_firstLevel));
         step < m_density->numLevels() && step <= m_endLevel; ++step) {
        const QRectF column = columnRect(step).intersected(plot);
        if (column.width() <= 0) continue;
        const double share =
            static_cast<double>(m_density->states[static_cast<std::size_t>(step)]) /
            static_cast<double>(most);
        const double height = std::max(2.0, share * plot.height());
        const double gap = std::min(2.0, column.width() / 6);
        painter.fillRect(
            QRectF(column.left() + gap / 2, plot.bottom() - height, column.width() - gap, height),
            t.data[0]);
    }
    painter.restore();
}

/// The share of the set in each level, as a bar under its column.
void BandsCanvas::paintMarks(QPainter& painter, const Tokens& t) const {
    if (!m_marks || m_marks->numLevels() != m_density->numLevels()) return;
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot.adjusted(0, 0, 0, 8));
    for (int step = 0; step < m_density->numLevels(); ++step) {
        const std::int64_t count = m_marks->count(step);
        if (count == 0) continue;
        const QRectF column = columnRect(step).adjusted(1, 0, -1, 0).intersected(plot);
        if (column.width() <= 0) continue;
        const double share = static_cast<double>(count) /
                             static_cast<double>(m_density->states[static_cast<std::size_t>(step)]);
        painter.fillRect(
            QRectF(column.left(), plot.bottom() + 2, std::max(2.0, share * column.width()), 3),
            t.accent);
    }
    painter.restore();
}

void BandsCanvas::paintOutlines(QPainter& painter, const Tokens& t) const {
    const QRectF plot = plotRect();
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](int step, const QColor& color, double width) {
        const QRectF column = columnRect(step).adjusted(-1, -3, 1, 6);
        if (column.right() < plot.left() || column.left() > plot.right()) return;
        painter.setPen(QPen(t.canvas, width + 2));
        painter.drawRoundedRect(column, 3, 3);
        painter.setPen(QPen(color, width));
        painter.drawRoundedRect(column, 3, 3);
    };
    const auto hover = m_figure ? std::nullopt : m_session->selection().hover();
    const int now = m_session->isOpen() ? m_session->state().step : -1;
    if (const auto* level = hover ? std::get_if<LevelItem>(&*hover) : nullptr;
        level && level->step != now && level->step < m_density->numLevels())
        outline(level->step, t.hover, 2);
    if (now < 0 || now >= m_density->numLevels()) return;
    outline(now, t.accent, 2.5);
    if (!m_currentValue || std::isnan(*m_currentValue) || !hasValues()) return;
    const QPointF dot(columnRect(now).center().x(), yOf(*m_currentValue));
    if (!plot.adjusted(-2, -2, 2, 2).contains(dot)) return;
    painter.setPen(QPen(t.canvas, 2));
    painter.setBrush(t.accent);
    painter.drawEllipse(dot, 5.5, 5.5);
}

void BandsCanvas::paintColorBar(QPainter& painter, const Tokens& t) const {
    const QRectF plot = plotRect();
    const QRectF bar(plot.right() + 20, plot.top(), 11, plot.height());
    constexpr int kSlices = 48;
    const double slice = bar.height() / kSlices;
    for (int i = 0; i < kSlices; ++i)
        painter.fillRect(QRectF(bar.left(), bar.top() + i * slice, bar.width(), slice + 0.5),
                         densityColor(t, std::pow(m_most, 1 - (i + 0.5) / kSlices), m_most));
    const double decades = std::log10(m_most);
    const auto labelAt = [&](double part) {
        const double y = bar.bottom() - part * bar.height();
        return QRectF(bar.right() + 6, std::clamp(y, bar.top() + 4, bar.bottom() - 4) - 8, 80, 16);
    };
    painter.setPen(t.text2);
    painter.setFont(numberFont(10));
    painter.drawText(labelAt(1), Qt::AlignLeft | Qt::AlignVCenter,
                     countText(static_cast<std::int64_t>(m_most)));
    // Decades, where they do not touch the label of the top.
    const double room = bar.height() - 22;
    const int stride = decades * 16 > room ? 3 : decades * 16 > room / 2 ? 2 : 1;
    for (int decade = 0; decade * bar.height() < decades * room; decade += stride) {
        const QRectF label = labelAt(decade / decades);
        painter.setFont(numberFont(10));
        painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                         decade == 0 ? QStringLiteral("1") : QStringLiteral("10"));
        if (decade < 2) continue;
        painter.setFont(numberFont(8));
        painter.drawText(label.translated(13, -5), Qt::AlignLeft | Qt::AlignVCenter,
                         QString::number(decade));
    }
}

void BandsCanvas::paintReadout(QPainter& painter, const Tokens& t) const {
    if (m_readout.isEmpty() || !m_pointer) return;
    painter.setFont(interfaceFont(11));
    const QRectF text = painter.boundingRect(QRectF(0, 0, 600, 20), Qt::AlignLeft, m_readout);
    QRectF box(m_pointer->x() + 14, m_pointer->y() - 34, text.width() + 16, 24);
    if (box.right() > width() - 4) box.moveRight(m_pointer->x() - 14);
    if (box.top() < 2) box.moveTop(m_pointer->y() + 14);
    if (box.left() < 2) box.moveLeft(2);
    painter.setPen(QPen(t.border, 1));
    painter.setBrush(t.raised);
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(t.text);
    painter.drawText(box, Qt::AlignCenter, m_readout);
}

}  // namespace orrery
