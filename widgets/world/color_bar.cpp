#include "widgets/world/color_bar.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/common/color_map.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/symbol_text.h"
#include "widgets/common/tokens.h"
#include "widgets/world/heat_field.h"

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

}  // namespace

void paintColorBar(QPainter& painter, const HeatField& field, const QRectF& bar,
                   const Tokens& tokens) {
    painter.setPen(tokens.text);
    paintSymbol(painter, bar.topLeft() + QPointF(0, -10), 12.5,
                field.request.human >= 0 ? QStringLiteral("V_h^e") : QStringLiteral("V_r"));
    constexpr int kSlices = 64;
    const double slice = bar.height() / kSlices;
    for (int i = 0; i < kSlices; ++i)
        painter.fillRect(QRectF(bar.left(), bar.top() + i * slice, bar.width(), slice + 0.5),
                         viridis(1 - (i + 0.5) / kSlices));
    painter.setFont(numberFont(10));
    const bool isFlat = field.high <= field.low;
    // Enough decimals to tell two ticks apart.
    const int decimals =
        isFlat ? 3
               : std::clamp(static_cast<int>(std::ceil(1.5 - std::log10(field.high - field.low))),
                            3, 9);
    const int numTicks = isFlat ? 1 : bar.height() < 120 ? 3 : 5;
    for (int i = 0; i < numTicks; ++i) {
        const double t = isFlat ? 1 : static_cast<double>(i) / (numTicks - 1);
        const double y = bar.bottom() - t * bar.height();
        const QString text = field.numKnown == 0
                                 ? QStringLiteral("–")
                                 : valueText(field.low + t * (field.high - field.low), decimals);
        painter.setPen(tokens.chartAxis);
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 4, y));
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(bar.right() + 7, y - 8, 70, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         text);
    }
    const QRectF swatch(bar.left(), bar.bottom() + 18, 12, 12);
    paintSwatch(painter, swatch, tokens);
    painter.setFont(interfaceFont(10));
    painter.setPen(tokens.text3);
    painter.drawText(QRectF(swatch.right() + 5, swatch.top() - 3, 70, 18),
                     Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("no state"));
}

}  // namespace orrery
