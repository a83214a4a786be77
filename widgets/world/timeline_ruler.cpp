#include "widgets/world/timeline_ruler.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/bridge/plan_session.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/world/episode_player.h"

namespace orrery {

namespace {

constexpr double kRulerLeft = 12, kRulerRight = 20;
constexpr double kTrackTop = 14, kTrack = 6, kPlayedTop = 46, kSolvedTop = 64, kLane = 14;
constexpr int kBigStep = 10;

/// 1, 2, 4, 5 or 10 times a power of ten, so that two labels are 40 pixels apart at least.
int labelStride(int steps, double width) {
    const double least = steps * 40.0 / std::max(width, 40.0);
    for (int power = 1;; power *= 10)
        for (const int factor : {1, 2, 4, 5})
            if (factor * power >= least) return factor * power;
}

void paintLane(QPainter& painter, const QRectF& box, const QColor& fill, const QColor& pen,
               const QString& text) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 2, 2);
    painter.setFont(interfaceFont(10));
    if (QFontMetricsF(painter.font()).horizontalAdvance(text) + 8 > box.width()) return;
    painter.setPen(pen);
    painter.drawText(box, Qt::AlignCenter, text);
}

QColor colorOf(PlayedBy by, const Tokens& t) {
    const QColor& over = by == PlayedBy::Person   ? t.data[0]
                         : by == PlayedBy::Policy ? t.warning
                                                  : t.data[2];
    return mixed(t.canvas, over, t.isDark ? 0.42 : 0.3);
}

}  // namespace

TimelineRuler::TimelineRuler(PlanSession* session, EpisodePlayer* player, QWidget* parent)
    : PaintedWidget(parent), m_session(session), m_player(player) {
    setObjectName(QStringLiteral("timelineRuler"));
    setAccessibleName(tr("Steps of the episode"));
    setToolTip(
        tr("Drag to scrub, with Shift to set the loop's range. Space plays, arrows go one "
           "step, with Shift ten."));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumWidth(120);
    for (const auto signal :
         {&PlanSession::worldChanged, &PlanSession::solutionChanged, &PlanSession::stateChanged})
        connect(session, signal, this, qOverload<>(&QWidget::update));
    connect(player, &EpisodePlayer::changed, this, qOverload<>(&QWidget::update));
}

double TimelineRuler::positionOf(int step) const {
    const int steps = m_session->isOpen() ? std::max(1, m_session->world().maxSteps()) : 1;
    return kRulerLeft + (width() - kRulerLeft - kRulerRight) * step / steps;
}

std::size_t TimelineRuler::momentAt(double x) const {
    const int steps = std::max(1, m_session->world().maxSteps());
    const double step =
        (x - kRulerLeft) / std::max(1.0, width() - kRulerLeft - kRulerRight) * steps;
    const auto last = static_cast<int>(m_session->walk().size()) - 1;
    const int first = m_session->walk().front().state.step;
    return static_cast<std::size_t>(
        std::clamp(static_cast<int>(std::lround(step)) - first, 0, last));
}

void TimelineRuler::paintSteps(QPainter& painter, const Tokens& t) const {
    const int steps = m_session->world().maxSteps();
    const QRectF track(positionOf(0), kTrackTop, positionOf(steps) - positionOf(0), kTrack);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.border);
    painter.drawRoundedRect(track, 3, 3);
    const auto& walk = m_session->walk();
    const double from = positionOf(walk.front().state.step);
    painter.setBrush(mixed(t.canvas, t.accent, 0.35));
    painter.drawRoundedRect(QRectF(QPointF(from, kTrackTop),
                                   QPointF(positionOf(walk.back().state.step), kTrackTop + kTrack)),
                            3, 3);
    painter.setBrush(mixed(t.canvas, t.accent, 0.75));
    painter.drawRoundedRect(
        QRectF(QPointF(from, kTrackTop),
               QPointF(positionOf(m_session->state().step), kTrackTop + kTrack)),
        3, 3);
    painter.setFont(numberFont(10));
    const int stride = labelStride(steps, track.width());
    for (int step = 0; step <= steps; ++step) {
        const bool isLabelled = step % stride == 0 || step == steps;
        if (step == steps && step % stride != 0 &&
            positionOf(step) - positionOf(step / stride * stride) < 30)
            continue;
        if (!isLabelled) continue;
        const double x = positionOf(step);
        painter.setPen(QPen(t.chartAxis, 1));
        painter.drawLine(QPointF(x, kTrackTop + kTrack + 2), QPointF(x, kTrackTop + kTrack + 5));
        painter.setPen(t.text3);
        painter.drawText(QRectF(x - 24, kTrackTop + kTrack + 5, 48, 16), Qt::AlignCenter,
                         QString::number(step));
    }
}

void TimelineRuler::paintRange(QPainter& painter, const Tokens& t) const {
    if (!m_player->range()) return;
    const int first = m_session->walk().front().state.step;
    const double from = positionOf(first + static_cast<int>(m_player->range()->first));
    const double to = positionOf(first + static_cast<int>(m_player->range()->second));
    QColor tint = t.brass;
    tint.setAlphaF(m_player->loops() ? 0.25F : 0.12F);
    painter.fillRect(QRectF(from, kTrackTop - 6, to - from, kTrack + 12), tint);
    painter.setPen(QPen(t.brass, 2));
    for (const auto& [x, arm] : {std::pair(from, 4.0), std::pair(to, -4.0)})
        painter.drawPolyline(QPolygonF{QPointF(x + arm, kTrackTop - 6), QPointF(x, kTrackTop - 6),
                                       QPointF(x, kTrackTop + kTrack + 6),
                                       QPointF(x + arm, kTrackTop + kTrack + 6)});
}

void TimelineRuler::paintPlayed(QPainter& painter, const Tokens& t) const {
    const auto& walk = m_session->walk();
    const auto lane = [&](int from, int to) {
        return QRectF(positionOf(from) + 0.5, kPlayedTop, positionOf(to) - positionOf(from) - 1,
                      kLane);
    };
    static const char* const kNames[] = {QT_TR_NOOP("human keys"), QT_TR_NOOP("policy"),
                                         QT_TR_NOOP("keys and policy")};
    for (std::size_t i = 1; i < walk.size();) {
        std::size_t end = i;
        while (end + 1 < walk.size() && walk[end + 1].by == walk[i].by) ++end;
        paintLane(painter, lane(walk[i].state.step - 1, walk[end].state.step),
                  colorOf(walk[i].by, t), t.text, tr(kNames[static_cast<std::size_t>(walk[i].by)]));
        i = end + 1;
    }
    if (const int last = walk.back().state.step; last < m_session->world().maxSteps())
        paintLane(painter, lane(last, m_session->world().maxSteps()),
                  mixed(t.canvas, t.border, 0.6), t.text2, tr("not played yet"));
}

void TimelineRuler::paintSolved(QPainter& painter, const Tokens& t) const {
    const int steps = m_session->world().maxSteps();
    const QRectF box(positionOf(0) + 0.5, kSolvedTop, positionOf(steps) - positionOf(0) - 1, kLane);
    if (m_session->solution())
        return paintLane(painter, box, mixed(t.canvas, t.ok, t.isDark ? 0.3 : 0.22), t.text,
                         tr("solved exactly, every step"));
    if (!m_session->isStale())
        return paintLane(painter, box, mixed(t.canvas, t.border, 0.6), t.text2, tr("not solved"));
    paintLane(painter, box, t.warningBack, t.warning,
              tr("stale: solved before the world was edited"));
    painter.setPen(QPen(t.warning, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, 2, 2);
}

void TimelineRuler::paintPlayhead(QPainter& painter, const Tokens& t) const {
    const double x = positionOf(m_session->state().step);
    painter.setPen(QPen(t.accent, 2));
    painter.drawLine(QPointF(x, 12), QPointF(x, kPlayedTop + kLane + 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.accent);
    painter.drawPolygon(QPolygonF{QPointF(x - 5, 4), QPointF(x + 5, 4), QPointF(x + 5, 10),
                                  QPointF(x, 15), QPointF(x - 5, 10)});
    // The line would run through the step's label.
    const QString text = QString::number(m_session->state().step);
    painter.setFont(numberFont(10, QFont::DemiBold));
    const double wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 6;
    const QRectF label(x - wide / 2, kTrackTop + kTrack + 5, wide, 16);
    painter.setBrush(t.canvas);
    painter.drawRect(label);
    painter.setPen(t.accent);
    painter.drawText(label, Qt::AlignCenter, text);
}

void TimelineRuler::paintEvent(QPaintEvent*) {
    if (!m_session->isOpen()) return;
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSteps(painter, t);
    paintRange(painter, t);
    paintPlayed(painter, t);
    paintSolved(painter, t);
    paintPlayhead(painter, t);
    if (!hasFocus()) return;
    painter.setPen(QPen(t.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect().adjusted(2, 1, -2, -1), 4, 4);
}

void TimelineRuler::mousePressEvent(QMouseEvent* event) {
    if (!m_session->isOpen() || event->button() != Qt::LeftButton) return;
    const std::size_t moment = momentAt(event->position().x());
    if (event->modifiers() & Qt::ShiftModifier) {
        m_rangeFrom = moment;
        return m_player->setRange(std::nullopt);
    }
    m_isScrubbing = true;
    m_player->pause();
    m_session->showMoment(moment);
}

void TimelineRuler::mouseMoveEvent(QMouseEvent* event) {
    if (!m_session->isOpen()) return;
    const std::size_t moment = momentAt(event->position().x());
    if (m_isScrubbing) m_session->showMoment(moment);
    if (m_rangeFrom && moment != *m_rangeFrom)
        m_player->setRange(std::minmax(*m_rangeFrom, moment));
}

void TimelineRuler::mouseReleaseEvent(QMouseEvent*) {
    if (m_rangeFrom && m_player->range()) m_player->setLoops(true);
    m_isScrubbing = false;
    m_rangeFrom.reset();
}

void TimelineRuler::keyPressEvent(QKeyEvent* event) {
    if (!m_session->isOpen()) return QWidget::keyPressEvent(event);
    const int stride = event->modifiers() & Qt::ShiftModifier ? kBigStep : 1;
    switch (event->key()) {
        case Qt::Key_Space:
            return m_player->toggle();
        case Qt::Key_Left:
            return m_player->goBy(-stride);
        case Qt::Key_Right:
            return m_player->goBy(stride);
        case Qt::Key_Home:
            return m_player->goBy(-m_session->world().maxSteps() - 1);
        case Qt::Key_End:
            return m_player->goBy(m_session->world().maxSteps() + 1);
        default:
            if (event->key() >= Qt::Key_1 && event->key() <= Qt::Key_5)
                return m_player->setSpeed(event->key() - Qt::Key_0);
            QWidget::keyPressEvent(event);
    }
}

}  // namespace orrery
