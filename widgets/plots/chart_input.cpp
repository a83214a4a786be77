// The chart's mouse, keys and other events.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QStyleHints>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_picture.h"
#include "widgets/plots/chart_readout.h"
#include "widgets/plots/chart_scene.h"

namespace orrery {

namespace {

constexpr double kTitleHeight = 32;
constexpr double kGrab = 4;           // pixels from a cursor or an event
constexpr double kWheelFactor = 0.8;  // a notch

}  // namespace

bool Chart::event(QEvent* event) {
    // Keys of the chart go before the window's shortcuts.
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return PaintedWidget::event(event);
}

void Chart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
    if (!m_scene || &m_scene->tokens() == &currentTokens()) return;
    m_scene->setTokens(currentTokens());
    requestFrame();
}

void Chart::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (&m_scene->tokens() != &currentTokens()) {
        m_scene->setTokens(currentTokens());
        m_isFrameDue = true;
    }
    placeParts();
    startFrame();
}

void Chart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeParts();
    startFrame();
}

void Chart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    requestFrame();
}

void Chart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    requestFrame();
}

bool Chart::isOwnKey(const QKeyEvent& key) const {
    const bool isPlain = (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    switch (key.key()) {
        case Qt::Key_F:
        case Qt::Key_A:
        case Qt::Key_B:
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_Escape:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_F8:
            return isPlain;
        case Qt::Key_C:
        case Qt::Key_Equal:
        case Qt::Key_Plus:
        case Qt::Key_Minus:
            return (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) ==
                   Qt::ControlModifier;
        default:
            return false;
    }
}

void Chart::keyPressEvent(QKeyEvent* event) {
    if (!isOwnKey(*event)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const QRectF& plot = m_scene->geometry().plot();
    const int columns = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    switch (event->key()) {
        case Qt::Key_F:
            fit();
            break;
        case Qt::Key_A:
        case Qt::Key_B:
            if (Chart* pointed = pointedSibling()) {
                pointed->setFocus(Qt::OtherFocusReason);  // Esc shall take its cursors away
                pointed->setCursorHere(event->key() == Qt::Key_A);
            } else {
                setCursorHere(event->key() == Qt::Key_A);
            }
            break;
        case Qt::Key_Left:
            moveCrosshair(-columns);
            break;
        case Qt::Key_Right:
            moveCrosshair(columns);
            break;
        case Qt::Key_Home:
            moveCrosshair(-static_cast<int>(plot.width()) - 1);
            break;
        case Qt::Key_End:
            moveCrosshair(static_cast<int>(plot.width()) + 1);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_scene->overlay().crosshair)
                pinAt({m_scene->geometry().pixelX(*m_scene->overlay().crosshair), m_pointer.y()});
            break;
        case Qt::Key_Escape:
            if (!escape()) QWidget::keyPressEvent(event);
            break;
        case Qt::Key_F8:
            setTableShown(!m_view.isTable);
            break;
        case Qt::Key_C:
            if (const QString text = readingTsv(); !text.isEmpty())
                QApplication::clipboard()->setText(text);
            break;
        case Qt::Key_Minus:
            zoom(2);
            break;
        default:
            zoom(0.5);
            break;
    }
}

/// The chart beside this one that the pointer is over; null if it is over this one or none.
Chart* Chart::pointedSibling() const {
    if (m_isPointerInside || parentWidget() == nullptr) return nullptr;
    for (Chart* other : parentWidget()->findChildren<Chart*>(Qt::FindDirectChildrenOnly))
        if (other->m_isPointerInside && other->isVisible()) return other;
    return nullptr;
}

bool Chart::escape() {
    if (m_drag == Drag::Band) {
        m_drag = Drag::None;
        m_scene->overlay().band.reset();
        drawOverlayTimed();
        return true;
    }
    if (isPinned()) {
        unpin();
        return true;
    }
    if (m_scene->overlay().crosshair) {
        clearHover();
        return true;
    }
    if (!m_view.cursorA && !m_view.cursorB) return false;
    setCursors({}, {});
    return true;
}

void Chart::hover(const QPointF& at) {
    m_pointer = at;
    if (isPinned()) {
        const auto within = QGuiApplication::styleHints()->mouseDoubleClickDistance();
        if ((at - m_dragFrom).manhattanLength() > within) readout().takeClicks();
        return;
    }
    const QRectF& plot = m_scene->geometry().plot();
    if (!plot.adjusted(-1, -1, 1, 1).contains(at) || m_content.numPoints() == 0) {
        clearHover();
        return;
    }
    m_isPointerInside = true;
    const double x = readChart(*m_scene, m_content, at).x;
    m_scene->overlay().crosshair = x;
    drawOverlayTimed();
    Q_EMIT crosshairMoved(x);
}

void Chart::clearHover() {
    m_isPointerInside = false;
    if (isPinned() || !m_scene->overlay().crosshair) return;
    m_scene->overlay().crosshair.reset();
    drawOverlayTimed();
    Q_EMIT crosshairMoved(std::nullopt);
}

void Chart::moveCrosshair(int columns) {
    if (m_content.numPoints() == 0) return;
    if (isPinned()) unpin();
    const QRectF& plot = m_scene->geometry().plot();
    const auto& cross = m_scene->overlay().crosshair;
    const double from = cross ? m_scene->geometry().pixelX(*cross) : plot.center().x();
    double at = from;
    double x = cross.value_or(0);
    // On to the next point, also where points lie more than a column apart.
    for (int tries = 0; tries < 4000; ++tries) {
        at += columns;
        const QPointF place(std::clamp(at, plot.left(), plot.right()), plot.center().y());
        const double next = readChart(*m_scene, m_content, place).x;
        const bool isOn = !cross || (columns > 0 ? next > x : next < x);
        if (isOn) x = next;
        if (isOn || at < plot.left() || at > plot.right()) break;
    }
    m_pointer = {m_scene->geometry().pixelX(x), plot.center().y()};
    m_isPointerInside = true;
    m_scene->overlay().crosshair = x;
    drawOverlayTimed();
    Q_EMIT crosshairMoved(x);
}

void Chart::pinAt(const QPointF& at) {
    const ChartReading reading = readChart(*m_scene, m_content, at);
    if (reading.lines.empty()) return;
    readout().setPinned(true);
    m_scene->overlay().crosshair = reading.x;
    m_pointer = at;
    drawOverlayTimed();
    Q_EMIT crosshairMoved(reading.x);
    Q_EMIT momentPicked(reading.x);
    const auto nearest = std::ranges::find_if(
        reading.lines, [](const ChartReading::Line& line) { return line.series >= 0; });
    if (nearest != reading.lines.end()) Q_EMIT seriesPicked(nearest->series);
}

void Chart::unpin() {
    if (m_readout) {
        // A hidden table would hand the keyboard on to the next chart.
        if (m_readout->isAncestorOf(focusWidget())) setFocus(Qt::OtherFocusReason);
        m_readout->setPinned(false);
    }
    if (!underMouse()) {
        clearHover();
        return;
    }
    drawOverlayTimed();
}

const QString* Chart::legendKeyAt(const QPointF& at) const {
    for (const auto& [rect, entry] : m_scene->legend())
        if (entry.color >= 0 && rect.contains(at)) return &entry.key;
    return nullptr;
}

void Chart::startDrag(const QPointF& at, bool isBand) {
    const QRectF& plot = m_scene->geometry().plot();
    m_dragFrom = at;
    m_dragX = m_scene->view().x;
    m_dragY = m_scene->view().y;
    if (at.y() < kTitleHeight) {
        m_drag = Drag::Pressed;
        return;
    }
    const auto isNear = [&](const std::optional<double>& cursor) {
        return cursor && std::abs(m_scene->geometry().pixelX(*cursor) - at.x()) <= kGrab;
    };
    if (isNear(m_view.cursorA))
        m_drag = Drag::CursorA;
    else if (isNear(m_view.cursorB))
        m_drag = Drag::CursorB;
    else if (isBand && plot.contains(at))
        m_drag = Drag::Band;
    else
        m_drag = Drag::Pressed;
}

void Chart::dragTo(const QPointF& at, const QPoint& global) {
    const QPointF way = at - m_dragFrom;
    if (m_drag == Drag::Pressed) {
        if (way.manhattanLength() < QApplication::startDragDistance()) return;
        // A drag that is mostly along one axis keeps to it: y goes on following the data.
        m_drag = m_dragFrom.y() < kTitleHeight               ? Drag::Title
                 : std::abs(way.x()) > 2 * std::abs(way.y()) ? Drag::PanX
                 : std::abs(way.y()) > 2 * std::abs(way.x()) ? Drag::PanY
                                                             : Drag::Pan;
        if (m_drag != Drag::Title) setCursor(Qt::ClosedHandCursor);
    }
    switch (m_drag) {
        case Drag::Title:
            Q_EMIT titleDragged(global);
            break;
        case Drag::Band:
            m_scene->overlay().band = QRectF(m_dragFrom, at).normalized();
            drawOverlayTimed();
            break;
        case Drag::CursorA:
            setCursors(readChart(*m_scene, m_content, at).x, m_view.cursorB);
            break;
        case Drag::CursorB:
            setCursors(m_view.cursorA, readChart(*m_scene, m_content, at).x);
            break;
        default:
            panFrom(at);
            break;
    }
}

void Chart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        startDrag(event->position(), event->modifiers() & Qt::ShiftModifier);
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag != Drag::None) {
        dragTo(event->position(), event->globalPosition().toPoint());
        return;
    }
    const bool isTitle = event->position().y() < kTitleHeight;
    setCursor(isTitle
                  ? (legendKeyAt(event->position()) ? Qt::PointingHandCursor : Qt::OpenHandCursor)
                  : Qt::ArrowCursor);
    hover(event->position());
}

void Chart::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    if (drag == Drag::Title) {
        Q_EMIT titleDropped(event->globalPosition().toPoint());
    } else if (drag == Drag::Band) {
        const QRectF band = QRectF(m_dragFrom, event->position()).normalized();
        m_scene->overlay().band.reset();
        zoomInto(band);
        drawOverlayTimed();
    } else if (drag == Drag::Pressed) {
        if (const QString* key = legendKeyAt(event->position())) {
            toggleShown(QString(*key));
        } else if (m_scene->geometry().plot().contains(event->position())) {
            pinAt(event->position());
        }
    }
}

void Chart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (event->position().y() < kTitleHeight) {
        if (!legendKeyAt(event->position())) Q_EMIT titleDoubleClicked();
    } else if (!m_view.isTable) {
        unpin();
        fit();
    }
}

void Chart::wheelEvent(QWheelEvent* event) {
    const QRectF& plot = m_scene->geometry().plot();
    const QPointF at = event->position();
    // Without Ctrl it scrolls the page that the chart stands on.
    if (!(event->modifiers() & Qt::ControlModifier) || m_view.isTable || at.y() < kTitleHeight ||
        m_content.numPoints() == 0) {
        event->ignore();
        return;
    }
    event->accept();
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0) return;
    const bool isY = at.x() < plot.left();
    const double centre =
        isY ? (plot.bottom() - at.y()) / plot.height() : (at.x() - plot.left()) / plot.width();
    zoomAxis(!isY, std::pow(kWheelFactor, notches), std::clamp(centre, 0.0, 1.0));
}

void Chart::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    clearHover();
}

void Chart::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    fillMenu(menu);
    menu.exec(event->globalPos());
}

QString Chart::tipAt(const QPoint& at) const {
    const QRectF& plot = m_scene->geometry().plot();
    if (at.y() < kTitleHeight && !m_scene->legendRest().isEmpty() &&
        at.x() >= m_scene->legendRestX() - 4)
        return m_scene->legendRest().join(QLatin1Char('\n'));
    QStringList lines;
    for (const ChartEvent& event : m_content.events) {
        const bool isNear = std::abs(m_scene->geometry().pixelX(event.x) - at.x()) <= kGrab + 2;
        if (isNear && !m_view.hiddenEvents.contains(nameOf(event.kind)))
            lines << QStringLiteral("%1 %2 · %3 · %4")
                         .arg(m_content.xName, countText(static_cast<std::int64_t>(event.x)),
                              nameOf(event.kind), event.text);
    }
    for (const ChartStage& stage : m_content.stages) {
        const double x = m_scene->geometry().valueX(at.x());
        if (plot.contains(at) && lines.isEmpty() && x >= stage.from && x < stage.to &&
            !m_isPointerInside)
            lines << stage.name;
    }
    if (lines.isEmpty() || (at.y() > plot.top() + 12 && plot.contains(at))) return {};
    return lines.join(QLatin1Char('\n'));
}

}  // namespace orrery
