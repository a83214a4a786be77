#include "widgets/home/learning_picture.h"

#include <QPainter>
#include <QPainterPath>
#include <array>
#include <cmath>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kPoints = 90;

/// The share of the first error that is left; noise that dies away with it.
double errorAt(double x, double pace) {
    const double error = std::exp(-pace * x);
    return error * (1 + 0.16 * std::sin(61 * x) * std::sin(23 * x + 1));
}

}  // namespace

void LearningPicture::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath clip;  // the card's round corners are above, its text below
    clip.addRoundedRect(QRectF(0, 0, width(), height() + 7), 7, 7);
    painter.setClipPath(clip);
    painter.fillRect(rect(), t.canvas);
    const QRectF box = QRectF(rect()).adjusted(24, 18, -24, -20);
    // Stages of the training behind the curves.
    constexpr std::array<double, 4> kStages{0, 0.22, 0.42, 1};
    for (std::size_t i = 0; i + 1 < kStages.size(); ++i) {
        QColor tint = t.data[i];
        tint.setAlphaF(0.10F);
        painter.fillRect(QRectF(box.left() + kStages[i] * box.width(), box.top(),
                                (kStages[i + 1] - kStages[i]) * box.width(), box.height()),
                         tint);
    }
    painter.setPen(QPen(t.ok, 1.5));
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    constexpr std::array<double, 2> kPaces{3.2, 5.0};
    constexpr std::array<double, 2> kBegins{0.0, 0.42};
    for (std::size_t curve = 0; curve < kPaces.size(); ++curve) {
        QPolygonF line;
        for (int i = 0; i <= kPoints; ++i) {
            const double x = static_cast<double>(i) / kPoints;
            if (x < kBegins[curve]) continue;
            const double y = 0.92 * errorAt(x - kBegins[curve], kPaces[curve]);
            line.append(QPointF(box.left() + x * box.width(), box.bottom() - y * box.height()));
        }
        painter.setPen(QPen(t.data[curve], 2, curve == 0 ? Qt::SolidLine : Qt::DashLine));
        painter.drawPolyline(line);
    }
}

}  // namespace orrery
