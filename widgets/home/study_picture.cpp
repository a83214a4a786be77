#include "widgets/home/study_picture.h"

#include <QPainter>
#include <QPainterPath>
#include <array>
#include <cmath>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr int kSteps = 40;

/// A curve that rises to `top`, both as shares of the box.
double heightAt(double x, double top) {
    return top * (1 - std::exp(-4 * x)) + 0.03 * std::sin(14 * x);
}

}  // namespace

void StudyPicture::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath clip;  // the card's round corners are above, its text below
    clip.addRoundedRect(QRectF(0, 0, width(), height() + 7), 7, 7);
    painter.setClipPath(clip);
    painter.fillRect(rect(), t.canvas);
    const QRectF box = QRectF(rect()).adjusted(24, 20, -24, -20);
    painter.setPen(QPen(t.border, 1));
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = box.bottom() - share * box.height();
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
    }
    const std::array<double, 2> tops{0.45, 0.9};
    for (std::size_t curve = 0; curve < tops.size(); ++curve) {
        QPolygonF line, band;
        for (int i = 0; i <= kSteps; ++i) {
            const double x = static_cast<double>(i) / kSteps;
            const double y = heightAt(x, tops[curve]);
            const auto at = [&](double share) {
                return QPointF(box.left() + x * box.width(), box.bottom() - share * box.height());
            };
            line.append(at(y));
            band.insert(i, at(y + 0.08));
            band.insert(i + 1, at(y - 0.08));
        }
        QColor tint = t.data[curve];
        tint.setAlphaF(0.25F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        painter.drawPolygon(band);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.data[curve], 2, curve == 0 ? Qt::SolidLine : Qt::DashLine));
        painter.drawPolyline(line);
    }
}

}  // namespace orrery
