#include <QBuffer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "core/solve/solution.h"
#include "widgets/bridge/change_text.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/dag/card_pictures.h"
#include "widgets/dag/state_canvas.h"

namespace orrery {

namespace {

QString tipPicture(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return QStringLiteral("<img src=\"data:image/png;base64,%1\" width=\"%2\" height=\"%3\">")
        .arg(QString::fromLatin1(bytes.toBase64()))
        .arg(image.width() / image.devicePixelRatio())
        .arg(image.height() / image.devicePixelRatio());
}

}  // namespace

QString StateCanvas::tipOf(State state) const {
    const StateGraph& graph = m_solution->graph();
    QString text = QStringLiteral("<b>%1</b><br>").arg(stateText(state.step, state.config));
    if (!m_solution->spec().phase1Only)
        text += QStringLiteral("V<sub>r</sub> %1<br>").arg(valueText(m_solution->v_r(state)));
    if (const auto now = current(); now && now->step + 1 == state.step)
        text += changeText(graph.world(), m_session->letters(), graph.configuration(now->config),
                           graph.configuration(state.config))
                    .toHtmlEscaped() +
                QStringLiteral("<br>");
    const double aspect = static_cast<double>(graph.world().height()) / graph.world().width();
    const QSize size(220, std::clamp(static_cast<int>(220 * aspect), 60, 220));
    return text + tipPicture(m_pictures->drawn(state.config, size));
}

void StateCanvas::setHoverState(std::optional<State> state) {
    std::optional<SelectionItem> item;
    if (state) item = itemOf(*state);
    m_session->selection().setHover(std::move(item));
}

QString StateCanvas::tipAt(const QPoint& point) const {
    const auto node = nodeAt(point);
    return node ? tipOf(m_graph.nodes()[static_cast<std::size_t>(*node)].state) : QString();
}

void StateCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_dragFrom = event->position();
    m_wasDragged = false;
}

void StateCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragFrom) {
        const QPointF moved = event->position() - *m_dragFrom;
        if (m_wasDragged || moved.manhattanLength() > 4) {
            m_wasDragged = true;
            m_centre -= moved / m_zoom;
            m_isTouched = true;
            m_dragFrom = event->position();
            update();
        }
        return;
    }
    const auto node = nodeAt(event->position());
    setHoverState(node ? std::optional(m_graph.nodes()[static_cast<std::size_t>(*node)].state)
                       : std::nullopt);
}

void StateCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_dragFrom) return;
    m_dragFrom.reset();
    const auto node = nodeAt(event->position());
    if (m_wasDragged || !node) return;
    const State state = m_graph.nodes()[static_cast<std::size_t>(*node)].state;
    if (state == current()) return;
    m_isPicking = true;
    makeCurrent(state);
    m_isPicking = false;
}

void StateCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (event->button() != Qt::LeftButton || !node) return;
    const State state = m_graph.nodes()[static_cast<std::size_t>(*node)].state;
    const State root = m_graph.nodes().front().state;
    toggle(state, state.step >= root.step);
}

void StateCanvas::leaveEvent(QEvent* event) {
    setHoverState(std::nullopt);
    QWidget::leaveEvent(event);
}

void StateCanvas::wheelEvent(QWheelEvent* event) {
    zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position());
    event->accept();
}

void StateCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_graph.nodes().empty()) return QWidget::keyPressEvent(event);
    const QPointF middle(width() / 2.0, height() / 2.0);
    const auto isShift = (event->modifiers() & Qt::ShiftModifier) != 0;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            highlightSideways(event->key() == Qt::Key_Right);
            if (m_highlighted) reveal(*m_graph.find(*m_highlighted));
            return;
        case Qt::Key_Up:
        case Qt::Key_Down:
            return highlightInColumn(event->key() == Qt::Key_Down ? 1 : -1);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return follow();
        case Qt::Key_E:
            if (m_highlighted) {
                const State root = m_graph.nodes().front().state;
                toggle(*m_highlighted, (m_highlighted->step >= root.step) != isShift);
            }
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomBy(1.25, middle);
        case Qt::Key_Minus:
            return zoomBy(0.8, middle);
        case Qt::Key_0:
            return zoomToFit();
        case Qt::Key_C:
            return restart();
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace orrery
