#include "widgets/common/right_edge.h"

#include <QEvent>
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

}  // namespace orrery
