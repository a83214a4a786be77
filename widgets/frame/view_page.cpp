#include "widgets/frame/view_page.h"

#include <utility>

namespace orrery {

ViewPage::ViewPage(std::function<QWidget*(QWidget* parent)> make, QWidget* parent)
    : QScrollArea(parent), m_make(std::move(make)) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);  // the view has the keyboard
    viewport()->setAutoFillBackground(false);
}

QWidget* ViewPage::content() {
    if (m_make) {
        QWidget* view = std::exchange(m_make, nullptr)(viewport());
        setWidget(view);
        view->setAutoFillBackground(false);  // each view fills its own, by the style
        setFocusProxy(view);
        view->show();
    }
    return widget();
}

void ViewPage::showEvent(QShowEvent* event) {
    content();
    QScrollArea::showEvent(event);
}

}  // namespace orrery
