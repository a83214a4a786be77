#include "widgets/world/color_bar.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/world/heat_field.h"
#include "widgets/world/world_painter.h"

namespace orrery {

namespace {

void paintSwatch(QPainter& painter, const QRectF& box, const Tokens& tokens) {
    painter.setPen(QPen(tokens.strongBorder, 1));
    painter.setBrush(tokens.floor);
    painter.drawRect(box);
    for (const double offset : {4.0, 8.0, 12.0, 16.0}) {
        const double start = std::min(offset, box.width());
        painter.drawLine(box.topLeft() + QPointF(start, offset - start),
                         box.topLeft() + QPointF(offset - start, start));
    }
}

/// One tick's number; the ends say if values lie beyond them.
QString tickText(const HeatField& field, double t) {
    if (field.numKnown == 0) return QStringLiteral("–");
    const double value = field.low + t * (field.high - field.low);
    QString text;
    if (isCount(field.request.quantity)) {
        text = QString::number(std::lround(value));
    } else {
        // Enough decimals to tell two ticks apart.
        const double range = field.high - field.low;
        const int decimals =
            range <= 0 ? 3 : std::clamp(static_cast<int>(std::ceil(1.5 - std::log10(range))), 3, 9);
        text = valueText(value, decimals);
    }
    if (t >= 1 && field.most > field.high) return QStringLiteral("≥ ") + text;
    if (t <= 0 && field.least < field.low) return QStringLiteral("≤ ") + text;
    return text;
}

int numTicks(const HeatField& field, double height) {
    if (field.high <= field.low) return 1;
    const int most = height < 120 ? 3 : 5;
    if (!isCount(field.request.quantity)) return most;
    const auto range = static_cast<int>(std::lround(field.high - field.low));
    for (int n = most; n > 2; --n)
        if (range % (n - 1) == 0) return n;
    return 2;
}

}  // namespace

void paintColorBar(QPainter& painter, const HeatField& field, const QRectF& bar,
                   const Tokens& tokens) {
    painter.setPen(tokens.text);
    const QString symbol = QLatin1String(symbolOf(field.request.quantity));
    const double wide = paintSymbol(painter, bar.topLeft() + QPointF(0, -10), 12.5, symbol);
    painter.fillRect(QRectF(bar.left() + wide + 7, bar.top() - 18, 8, 8), tokens.ok);
    constexpr int kSlices = 64;
    const double slice = bar.height() / kSlices;
    const bool isFlat = field.high <= field.low;
    // One value is one colour, no range of them.
    if (isFlat)
        painter.fillRect(QRectF(bar.topLeft(), QSizeF(bar.width(), bar.width())),
                         heatColor(field, field.high));
    for (int i = 0; i < kSlices && !isFlat; ++i) {
        const double t = 1 - (i + 0.5) / kSlices;
        painter.fillRect(QRectF(bar.left(), bar.top() + i * slice, bar.width(), slice + 0.5),
                         heatColor(field, field.low + t * (field.high - field.low)));
    }
    painter.setFont(numberFont(10));
    const int ticks = numTicks(field, bar.height());
    for (int i = 0; i < ticks; ++i) {
        const double t = ticks == 1 ? 1 : static_cast<double>(i) / (ticks - 1);
        const double y = isFlat ? bar.top() + bar.width() / 2 : bar.bottom() - t * bar.height();
        painter.setPen(tokens.chartAxis);
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y));
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(bar.right() + 7, y - 8, 70, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         tickText(field, t));
    }
    painter.setFont(interfaceFont(10));
    painter.setPen(tokens.text3);
    static const char* const kKinds[] = {"auto range", "fixed range", "locked range"};
    painter.drawText(QRectF(bar.left(), bar.bottom() + 10, 90, 16),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QLatin1String(kKinds[static_cast<std::size_t>(field.rangeKind)]));
    const QRectF swatch(bar.left(), bar.bottom() + 34, 12, 12);
    paintSwatch(painter, swatch, tokens);
    painter.setFont(interfaceFont(10));
    painter.setPen(tokens.text3);
    painter.drawText(QRectF(swatch.right() + 5, swatch.top() - 3, 70, 18),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     field.request.quantity == kVisitHeat ? QStringLiteral("not visited")
                                                          : QStringLiteral("no state"));
}

}  // namespace orrery
