#include "widgets/common/figure_keys.h"

#include <QFontMetricsF>
#include <QPainter>

#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kSign = 18, kSignGap = 6, kBetween = 16;

double textLeft(const FigureKey& key) {
    return key.sign == FigureKey::Sign::None ? 0 : kSign + kSignGap;
}

/// Calls `use` with each key's upper left corner; gives back the height of the rows.
template <typename Use>
double place(double width, const std::vector<FigureKey>& keys, Use use) {
    const QFontMetricsF metrics(interfaceFont(11));
    double x = 0, y = 0;
    for (const FigureKey& key : keys) {
        const double wide = textLeft(key) + metrics.horizontalAdvance(key.text);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kFigureKeyRow;
        }
        use(key, QPointF(x, y));
        x += wide + kBetween;
    }
    return keys.empty() ? 0 : y + kFigureKeyRow;
}

void paintSign(QPainter& painter, const FigureKey& key, const QRectF& box) {
    const QPointF middle = box.center();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(Qt::NoPen);
    QPen pen(key.color, 2);
    switch (key.sign) {
        case FigureKey::Sign::Box:
            painter.setBrush(key.color);
            painter.drawRect(QRectF(middle - QPointF(5, 5), QSizeF(10, 10)));
            break;
        case FigureKey::Sign::Dot:
            painter.setBrush(key.color);
            painter.drawEllipse(middle, 4.5, 4.5);
            break;
        case FigureKey::Sign::Ring:
            painter.setPen(pen);
            painter.drawRoundedRect(QRectF(middle - QPointF(5, 5), QSizeF(10, 10)), 2, 2);
            break;
        case FigureKey::Sign::Dashes:
            pen.setDashPattern({2, 1.5});
            [[fallthrough]];
        case FigureKey::Sign::Line:
            painter.setPen(pen);
            painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()));
            break;
        case FigureKey::Sign::None:
            break;
    }
}

}  // namespace

double paintFigureKeys(QPainter& painter, const QPointF& corner, double width,
                       const std::vector<FigureKey>& keys, const Tokens& tokens) {
    return place(width, keys, [&](const FigureKey& key, const QPointF& at) {
        const QPointF left = corner + at;
        paintSign(painter, key, QRectF(left, QSizeF(kSign, kFigureKeyRow)));
        painter.setFont(interfaceFont(11));
        painter.setPen(tokens.text2);
        painter.drawText(left + QPointF(textLeft(key), kFigureKeyRow - 5), key.text);
    });
}

double figureKeysHeight(double width, const std::vector<FigureKey>& keys) {
    return place(width, keys, [](const FigureKey&, const QPointF&) {});
}

}  // namespace orrery
