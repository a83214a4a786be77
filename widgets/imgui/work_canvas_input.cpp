#include <QHelpEvent>
#include <QKeyEvent>
#include <QMetaObject>
#include <QToolTip>
#include <iterator>
#include <optional>
#include <set>

#include "widgets/common/selection.h"
#include "widgets/imgui/gui_wheel.h"
#include "widgets/imgui/work_canvas.h"
#include "widgets/imgui/work_scene.h"

// Pointer and keys of a WorkCanvas.

namespace orrery {

using namespace gui;  // NOLINT(google-build-using-namespace)

namespace {

constexpr double kDragPixels = 4, kKeyPan = 0.15, kKeyZoom = 1.4;

}  // namespace

void WorkCanvas::handlePointer() {
    const ImGuiIO& io = ImGui::GetIO();
    const QPointF pointer(static_cast<double>(io.MousePos.x), static_cast<double>(io.MousePos.y));
    const bool isInside = QRectF(rect()).contains(pointer);
    if (isInside) followWheel(m_scene, pointer);
    const bool isDown = io.MouseDown[0];
    if (isDown && !m_wasPressed) {
        m_pressedAt = pointer;
        m_isDragging = false;
        m_isInOverview = pointer.y() < WorkScene::kOverview;
    }
    if (isDown && m_isInOverview) {
        const double half = (m_scene.endNs() - m_scene.beginNs()) / 2;
        const double middle = m_scene.overviewNs(pointer.x());
        m_scene.show(middle - half, middle + half);
    } else if (isDown && m_wasPressed) {
        m_isDragging = m_isDragging || (pointer - m_pressedAt).manhattanLength() > kDragPixels;
        if (m_isDragging) m_scene.panBy(static_cast<double>(-io.MouseDelta.x));
    }
    if (!isDown && m_wasPressed && !m_isDragging && !m_isInOverview)
        if (const auto picked = m_scene.intervalAt(m_pressedAt)) {
            const int level =
                m_scene.timeline()->intervals[static_cast<std::size_t>(*picked)].level;
            // Not while painting: views all over the window follow.
            if (level >= 0)
                QMetaObject::invokeMethod(
                    this, [this, level] { Q_EMIT levelPicked(level); }, Qt::QueuedConnection);
        }
    m_wasPressed = isDown;
    hover(isInside && !isDown ? m_scene.intervalAt(pointer) : std::nullopt);
}

void WorkCanvas::hover(std::optional<int> interval) {
    if (interval == m_hovered) return;
    m_hovered = interval;
    const int level =
        interval ? m_scene.timeline()->intervals[static_cast<std::size_t>(*interval)].level : -1;
    QMetaObject::invokeMethod(
        this, [this, level] { hoverLevel(level); }, Qt::QueuedConnection);
}

void WorkCanvas::hoverLevel(int level) {
    if (level >= 0)
        m_selection->setHover(LevelItem{level});
    else
        m_selection->setHover(std::nullopt);
}

bool WorkCanvas::takesKey(int key) const {
    static const std::set<int> kKeys{Qt::Key_Left,  Qt::Key_Right, Qt::Key_Up,
                                     Qt::Key_Down,  Qt::Key_Plus,  Qt::Key_Minus,
                                     Qt::Key_Equal, Qt::Key_F,     Qt::Key_0};
    return kKeys.contains(key);
}

void WorkCanvas::keyPressEvent(QKeyEvent* event) {
    if (!takesKey(event->key()) || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return ImGuiHost::keyPressEvent(event);
    const double pan = kKeyPan * m_scene.plot().width();
    switch (event->key()) {
        case Qt::Key_Left:
            m_scene.panBy(-pan);
            break;
        case Qt::Key_Right:
            m_scene.panBy(pan);
            break;
        case Qt::Key_Up:
            pickNextLevel(-1);
            break;
        case Qt::Key_Down:
            pickNextLevel(1);
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomBy(kKeyZoom);
            break;
        case Qt::Key_Minus:
            zoomBy(1 / kKeyZoom);
            break;
        default:
            m_scene.fit();
    }
    requestFrame();
}

void WorkCanvas::pickNextLevel(int direction) {
    if (m_scene.isEmpty()) return;
    std::set<int> levels;
    for (const WorkInterval& interval : m_scene.timeline()->intervals)
        if (interval.level >= 0) levels.insert(interval.level);
    if (levels.empty()) return;
    const int now = currentLevel();
    if (direction > 0) {
        const auto next = levels.upper_bound(now);
        if (next != levels.end()) Q_EMIT levelPicked(*next);
    } else {
        const auto here = levels.lower_bound(now);
        if (here != levels.begin()) Q_EMIT levelPicked(*std::prev(here));
    }
}

bool WorkCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto interval = m_scene.intervalAt(help->pos());
        if (interval)
            QToolTip::showText(help->globalPos(), tipOf(*interval), this);
        else
            QToolTip::hideText();
        return true;
    }
    return ImGuiHost::event(event);
}

}  // namespace orrery
