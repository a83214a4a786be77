#include "widgets/dag/level_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/run/snapshot.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"

namespace orrery {

namespace {

constexpr double kLeft = 90, kRight = 16, kTop = 10, kFoot = 20;

}  // namespace

LevelStrip::LevelStrip(PlanSession* session, QWidget* parent)
    : QWidget(parent), m_session(session) {
    setObjectName(QStringLiteral("levelStrip"));
    setAccessibleName(tr("Levels"));
    setFixedHeight(84);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(session, &PlanSession::solutionChanged, this, &LevelStrip::showSolution);
    connect(session, &PlanSession::stateChanged, this, qOverload<>(&QWidget::update));
    connect(&session->selection(), &Selection::hoverChanged, this, qOverload<>(&QWidget::update));
}

void LevelStrip::showProgress(const SolveSnapshot& snapshot) {
    m_sizes = snapshot.levelStates;
    m_isDone.assign(m_sizes.size(), false);
    for (const SolveStatistics::Level& level : snapshot.levels)
        if (level.step >= 0 && level.step < std::ssize(m_isDone))
            m_isDone[static_cast<std::size_t>(level.step)] = true;
    update();
}

void LevelStrip::showSolution() {
    m_sizes.clear();
    if (const auto solution = m_session->solution()) {
        const StateGraph& graph = solution->graph();
        for (int step = 0; step < graph.numLevels(); ++step)
            m_sizes.push_back(graph.levelSize(step));
    }
    m_isDone.assign(m_sizes.size(), true);
    update();
}

QRectF LevelStrip::columnRect(int step) const {
    if (step < 0 || step >= std::ssize(m_sizes)) return {};
    const double pitch = (width() - kLeft - kRight) / static_cast<double>(m_sizes.size());
    return QRectF(kLeft + step * pitch, kTop, pitch, height() - kTop - kFoot);
}

int LevelStrip::stepAt(const QPointF& point) const {
    for (int step = 0; step < std::ssize(m_sizes); ++step) {
        const QRectF column = columnRect(step);
        if (point.x() >= column.left() && point.x() < column.right()) return step;
    }
    return -1;
}

void LevelStrip::paintEvent(QPaintEvent*) {
    const Tokens& t = currentTokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(interfaceFont(12, QFont::DemiBold));
    painter.setPen(t.text);
    painter.drawText(QRectF(16, kTop, kLeft - 20, 16), Qt::AlignLeft, tr("Levels"));
    painter.setFont(interfaceFont(11));
    if (m_sizes.empty()) {
        painter.setPen(t.text3);
        painter.drawText(QRectF(kLeft, 0, width() - kLeft - kRight, height()), Qt::AlignVCenter,
                         tr("Solve the world (F5) to see how many states each step has."));
        return;
    }
    const std::int64_t most = std::max<std::int64_t>(1, *std::ranges::max_element(m_sizes));
    const int now = m_session->isOpen() ? m_session->state().step : -1;
    const auto& hover = m_session->selection().hover();
    const auto* hovered = hover ? std::get_if<LevelItem>(&*hover) : nullptr;
    const int shown = hovered ? hovered->step : now;
    painter.setPen(t.text2);
    if (shown >= 0 && shown < std::ssize(m_sizes)) {
        painter.drawText(QRectF(16, kTop + 18, kLeft - 20, 16), Qt::AlignLeft,
                         tr("t %1").arg(shown));
        painter.setFont(numberFont(11));
        painter.drawText(QRectF(16, kTop + 34, kLeft - 18, 16), Qt::AlignLeft,
                         countText(m_sizes[static_cast<std::size_t>(shown)]));
    }
    painter.setFont(numberFont(10));
    const double pitch = columnRect(0).width();
    const int stride = std::max(1, static_cast<int>(std::ceil(24 / pitch)));
    const double gap = std::min(2.0, pitch / 6);
    for (int step = 0; step < std::ssize(m_sizes); ++step) {
        const QRectF column = columnRect(step);
        const auto at = static_cast<std::size_t>(step);
        const double share = static_cast<double>(m_sizes[at]) / static_cast<double>(most);
        const QRectF bar(column.left() + gap / 2,
                         column.bottom() - std::max(2.0, share * (column.height() - 4)),
                         pitch - gap, std::max(2.0, share * (column.height() - 4)));
        painter.fillRect(bar, m_isDone[at] ? t.data[0] : t.border);
        if (step == now) {
            painter.setPen(QPen(t.accent, 3));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(column.adjusted(-0.5, -4, 0.5, 2), 3, 3);
        } else if (hovered && step == hovered->step) {
            painter.setPen(QPen(t.hover, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(column.adjusted(0, -3, 0, 2), 3, 3);
        }
        if (step % stride == 0) {
            painter.setPen(step == now ? t.text : t.text3);
            painter.drawText(QRectF(column.center().x() - 20, column.bottom() + 4, 40, 14),
                             Qt::AlignCenter, QString::number(step));
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void LevelStrip::mousePressEvent(QMouseEvent* event) {
    const int step = stepAt(event->position());
    if (step >= 0) m_session->showLevel(step);
}

void LevelStrip::mouseMoveEvent(QMouseEvent* event) {
    const int step = stepAt(event->position());
    m_session->selection().setHover(step >= 0 ? std::optional<SelectionItem>(LevelItem{step})
                                              : std::nullopt);
    setToolTip(step >= 0 ? tr("Step %1: %2 states; click for the first of them")
                               .arg(step)
                               .arg(countText(m_sizes[static_cast<std::size_t>(step)]))
                         : QString());
}

void LevelStrip::leaveEvent(QEvent* event) {
    m_session->selection().setHover(std::nullopt);
    QWidget::leaveEvent(event);
}

void LevelStrip::keyPressEvent(QKeyEvent* event) {
    if (!m_session->isOpen()) return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Left)
        m_session->showLevel(m_session->state().step - 1);
    else if (event->key() == Qt::Key_Right)
        m_session->showLevel(m_session->state().step + 1);
    else
        QWidget::keyPressEvent(event);
}

}  // namespace orrery
