#include "widgets/common/run_mark.h"

#include <QDateTime>
#include <QObject>
#include <QPainter>

#include "widgets/common/tokens.h"

namespace orrery {

namespace {

/// The status mark: the shape alone tells the state.
void paintMark(QPainter& painter, const QRectF& box, std::optional<RunState> state,
               const Tokens& t) {
    const QRectF disc(box.center() - QPointF(7, 7), QSizeF(14, 14));
    const auto fill = [&](const QColor& color) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
    };
    const auto stroke = [&](const QColor& color, double width, Qt::PenStyle style = Qt::SolidLine) {
        painter.setPen(QPen(color, width, style, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
    };
    const QPointF c = disc.center();
    switch (state.value_or(RunState::Queued)) {
        case RunState::Finished:
            fill(t.ok);
            painter.drawEllipse(disc);
            stroke(t.panel, 1.8);
            painter.drawPolyline(
                QPolygonF{c + QPointF(-3, 0), c + QPointF(-0.8, 2.4), c + QPointF(3.2, -2.4)});
            break;
        case RunState::Failed:
        case RunState::Diverged:
            fill(t.error);
            painter.drawRoundedRect(disc, 2, 2);
            stroke(t.panel, 1.8);
            painter.drawLine(c + QPointF(-3, -3), c + QPointF(3, 3));
            painter.drawLine(c + QPointF(-3, 3), c + QPointF(3, -3));
            break;
        case RunState::Running:
            stroke(t.info, 2);
            painter.drawArc(disc, 0, 270 * 16);
            break;
        case RunState::Paused:
            fill(t.warning);
            painter.drawEllipse(disc);
            break;
        case RunState::Stopped:
        case RunState::Interrupted:
            stroke(t.warning, 1.8);
            painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
            painter.drawRect(QRectF(c - QPointF(2, 2), QSizeF(4, 4)));
            break;
        case RunState::Queued:
        case RunState::Blocked:
            stroke(t.text3, 1.6, Qt::DotLine);
            painter.drawEllipse(disc.adjusted(1, 1, -1, -1));
            break;
    }
}

}  // namespace

std::function<void(QPainter&, const QRectF&, const Tokens&)> runMark(
    std::optional<RunState> state) {
    return [state](QPainter& painter, const QRectF& box, const Tokens& tokens) {
        paintMark(painter, box, state, tokens);
    };
}

QString runStateText(std::optional<RunState> state) {
    if (!state) return QObject::tr("unknown state");
    return QString::fromUtf8(nameOf(*state).data(), static_cast<qsizetype>(nameOf(*state).size()));
}

QString timeText(const std::string& utc) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODateWithMs);
    if (!time.isValid()) return QString::fromStdString(utc);
    const QDateTime local = time.toLocalTime();
    return local.date() == QDate::currentDate() ? local.toString(QStringLiteral("hh:mm:ss"))
                                                : local.toString(QStringLiteral("d MMM yyyy"));
}

}  // namespace orrery
