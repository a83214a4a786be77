#include "widgets/explore/outcome_heat_paint.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/common/trust_mark.h"
#include "widgets/explore/outcome_heat_model.h"

namespace orrery {

namespace {

constexpr double kBarLeft = 14, kBarTop = 30, kBarWide = 12, kBelowBar = 62;
constexpr double kHeadingHigh = 20, kHeadingWide = 64, kAxisHigh = 18;
constexpr int kSlices = 64;
constexpr double kHatch = 7;
constexpr double kLowCell = 34;  // below it the count has no line of its own

/// Lines from lower left to upper right; drawn one by one, as not every format clips.
void hatch(QPainter& painter, const QRectF& box, const Tokens& tokens) {
    painter.fillRect(box, tokens.floor);
    painter.setPen(QPen(tokens.border, 1));
    for (double offset = kHatch; offset < box.width() + box.height(); offset += kHatch) {
        const double x = std::min(offset, box.width());
        const double y = std::min(offset, box.height());
        painter.drawLine(box.topLeft() + QPointF(x, offset - x),
                         box.topLeft() + QPointF(offset - y, y));
    }
}

QString tickText(const OutcomeHeatModel& model, double value) {
    const double range = model.high() - model.low();
    const int decimals =
        range <= 0 ? 3 : std::clamp(static_cast<int>(std::ceil(1.5 - std::log10(range))), 3, 9);
    return valueText(value, decimals);
}

}  // namespace

void paintOutcomeCell(QPainter& painter, const QModelIndex& index, const QRectF& cell,
                      const Tokens& tokens) {
    const QVariant fill = index.data(OutcomeHeatModel::FillRole);
    const QString text = index.data().toString();
    if (!fill.isValid()) {
        hatch(painter, cell, tokens);
        // A plate under the word, so that the hatching does not cross it.
        const QFont font = interfaceFont(11);
        const QFontMetricsF metrics(font);
        const double wide = std::min(metrics.horizontalAdvance(text) + 10, cell.width() - 4);
        QRectF plate(0, 0, wide, 16);
        plate.moveCenter(cell.center());
        painter.fillRect(plate, tokens.floor);
        painter.setFont(font);
        painter.setPen(tokens.text2);
        painter.drawText(plate, Qt::AlignCenter, text);
        return;
    }
    const auto color = fill.value<QColor>();
    painter.fillRect(cell, color);
    painter.setPen(textOn(color));
    const QString count = index.data(OutcomeHeatModel::CountRole).toString();
    const bool hasLine = !count.isEmpty() && cell.height() >= kLowCell;
    painter.setFont(numberFont(11.5, QFont::DemiBold));
    painter.drawText(hasLine ? cell.adjusted(0, 0, 0, -12) : cell, Qt::AlignCenter, text);
    if (!hasLine) return;
    painter.setFont(interfaceFont(10));
    painter.drawText(cell.adjusted(0, 14, 0, 0), Qt::AlignCenter, count);
}

QRectF outcomeBarColors(const QRectF& box) {
    return QRectF(box.left() + kBarLeft, box.top() + kBarTop, kBarWide,
                  std::max(24.0, box.height() - kBarTop - kBelowBar));
}

void paintOutcomeBar(QPainter& painter, const OutcomeHeatModel& model, const QRectF& box,
                     const Tokens& tokens) {
    const QRectF bar = outcomeBarColors(box);
    painter.setPen(tokens.text);
    const double wide =
        paintSymbol(painter, bar.topLeft() + QPointF(0, -10), 12.5, model.resultTitle());
    paintTrustMark(painter, QPointF(bar.left() + wide + 11, bar.top() - 14), TrustKind::Exact,
                   tokens);
    const double range = model.high() - model.low();
    for (int i = 0; i < kSlices; ++i) {
        const double t = 1 - (i + 0.5) / kSlices;
        painter.fillRect(QRectF(bar.left(), bar.top() + i * bar.height() / kSlices, bar.width(),
                                bar.height() / kSlices + 0.5),
                         model.colorOf(model.low() + t * range));
    }
    painter.setFont(numberFont(10));
    const int ticks = range <= 0 ? 1 : bar.height() < 90 ? 2 : 3;
    for (int i = 0; model.numKnown() > 0 && i < ticks; ++i) {
        const double t = ticks == 1 ? 1 : static_cast<double>(i) / (ticks - 1);
        const double y = bar.bottom() - t * bar.height();
        painter.setPen(tokens.chartAxis);
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y));
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(bar.right() + 7, y - 8, box.right() - bar.right() - 7, 16),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         tickText(model, model.low() + t * range));
    }
    painter.setFont(interfaceFont(10));
    painter.setPen(tokens.text3);
    const QRectF line(bar.left(), bar.bottom() + 8, box.right() - bar.left(), 16);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("auto range"));
    if (model.numMissing() == 0) return;
    const QRectF swatch(bar.left(), line.bottom() + 6, 12, 12);
    hatch(painter, swatch, tokens);
    painter.setPen(tokens.strongBorder);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(swatch);
    painter.setPen(tokens.text3);
    painter.drawText(QRectF(swatch.right() + 6, swatch.top() - 3, 60, 18),
                     Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("no value"));
}

void paintOutcomeTable(QPainter& painter, const OutcomeHeatModel& model, const QRectF& box,
                       bool hasBar, const Tokens& tokens) {
    const int rows = model.rowCount(), columns = model.columnCount();
    if (rows == 0 || columns == 0) return;
    const QRectF cells =
        box.adjusted(kHeadingWide, kHeadingHigh + kAxisHigh, hasBar ? -kOutcomeBarWidth : -4, -4);
    const double wide = cells.width() / columns, high = cells.height() / rows;
    painter.setPen(tokens.text2);
    paintSymbol(painter, QPointF(cells.left(), box.top() + 13), 12, model.columnAxis());
    paintSymbol(painter, QPointF(box.left() + 4, cells.top() - 6), 12, model.rowAxis());
    painter.setFont(numberFont(11));
    for (int column = 0; column < columns; ++column)
        painter.drawText(
            QRectF(cells.left() + column * wide, cells.top() - kHeadingHigh, wide, kHeadingHigh),
            Qt::AlignCenter, model.columnValue(column));
    for (int row = 0; row < rows; ++row) {
        painter.setFont(numberFont(11));
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(box.left(), cells.top() + row * high, kHeadingWide - 8, high),
                         Qt::AlignRight | Qt::AlignVCenter, model.rowValue(row));
        for (int column = 0; column < columns; ++column)
            paintOutcomeCell(
                painter, model.index(row, column),
                QRectF(cells.left() + column * wide, cells.top() + row * high, wide - 1, high - 1),
                tokens);
    }
    if (hasBar)
        paintOutcomeBar(painter, model,
                        QRectF(cells.right(), box.top() + kAxisHigh, kOutcomeBarWidth,
                               box.height() - kAxisHigh),
                        tokens);
}

}  // namespace orrery
