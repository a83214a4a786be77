#include "widgets/common/scroll_areas.h"

#include <QEvent>
#include <QLayout>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>

namespace orrery {

namespace {

class RightEdge : public QObject {
public:
    explicit RightEdge(QScrollArea* area) : QObject(area), m_area(area), m_content(area->widget()) {
        area->verticalScrollBar()->installEventFilter(this);
        m_content->installEventFilter(this);
        refresh(false);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const QEvent::Type type = event->type();
        if (watched == m_content) {
            if (type == QEvent::LayoutRequest || type == QEvent::Show) fit();
        } else if (type == QEvent::Show || type == QEvent::Hide) {
            refresh(type == QEvent::Show);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void refresh(bool hasBar) {
        if (m_content) m_content->setContentsMargins(0, 0, hasBar ? 0 : kScrollBarWidth, 0);
        m_hasBar = hasBar;
    }
    /// As wide as the content must be, which is cut else: no area of these scrolls sideways.
    void fit() {
        const int bar = m_hasBar ? kScrollBarWidth : 0;
        m_area->setMinimumWidth(m_content->minimumSizeHint().width() + bar);
    }

    // Parts of the area tell of their end when it is none any more, only a widget.
    QWidget* m_area;
    QPointer<QWidget> m_content;
    bool m_hasBar = false;
};

}  // namespace

void keepRightEdge(QScrollArea* area) {
    new RightEdge(area);
}

void scrollIntoView(QWidget* control) {
    constexpr int kRoom = 8;
    for (QWidget* at = control->parentWidget(); at; at = at->parentWidget()) {
        auto* area = qobject_cast<QScrollArea*>(at);
        if (!area || !area->widget() || !area->widget()->isAncestorOf(control)) continue;
        if (QLayout* layout = area->widget()->layout()) layout->activate();
        const QRect rect(control->mapTo(area->widget(), QPoint()), control->size());
        area->ensureVisible(rect.left(), rect.bottom(), 0, kRoom);
        area->ensureVisible(rect.left(), rect.top(), 0, kRoom);
    }
}

}  // namespace orrery
