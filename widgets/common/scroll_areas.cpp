#include "widgets/common/scroll_areas.h"

#include <QEvent>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>

namespace orrery {

namespace {

class RightEdge : public QObject {
public:
    explicit RightEdge(QScrollArea* area) : QObject(area), m_area(area) {
        area->verticalScrollBar()->installEventFilter(this);
        refresh(false);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Show) refresh(true);
        if (event->type() == QEvent::Hide) refresh(false);
        return QObject::eventFilter(watched, event);
    }

private:
    void refresh(bool hasBar) {
        if (QWidget* content = m_area->widget())
            content->setContentsMargins(0, 0, hasBar ? 0 : kScrollBarWidth, 0);
    }

    QScrollArea* m_area;
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
