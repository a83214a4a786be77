#include "widgets/frame/view_page.h"

#include <QEvent>
#include <QLayout>
#include <algorithm>
#include <utility>

namespace orrery {

namespace {

/// Each layout tells the one around it what it needs only when it is at work: the innermost first.
void activateLayouts(QWidget* tree) {
    const QList<QWidget*> parts = tree->findChildren<QWidget*>();
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        if (QLayout* layout = (*part)->layout()) layout->activate();
    if (QLayout* layout = tree->layout()) layout->activate();
}

/// What a page scrolls: as large as the page, and no smaller than its view must be. A scroll area
/// that had the view itself would scroll to the height that the view would like at its width.
class Room : public QWidget {
public:
    explicit Room(QWidget* parent) : QWidget(parent) {}

    void setView(QWidget* view) {
        m_view = view;
        view->installEventFilter(this);
        updateGeometry();
    }

    /// Gives a view that folds its bars where it is narrow the occasion, before it is asked how
    /// narrow it can be.
    void squeeze(int width) {
        if (m_view == nullptr || !m_view->isVisible() || m_view->width() <= width) return;
        m_view->resize(width, m_view->height());
        activateLayouts(m_view);
        // What needs more all the same gets it at once: the area may change nothing then. Not the
        // whole width of the room, in which its bars would unfold and need even more.
        const int least = minimumSizeHint().width();
        if (least > width) m_view->resize(least, m_view->height());
        updateGeometry();
    }

    QSize minimumSizeHint() const override {
        if (m_view == nullptr) return {};
        const QSize least = m_view->minimumSizeHint().expandedTo(m_view->minimumSize());
        const QLayout* layout = m_view->layout();
        if (layout == nullptr || !layout->hasHeightForWidth()) return least;
        const int width = std::max(least.width(), parentWidget()->width());
        return {least.width(), layout->minimumHeightForWidth(width)};
    }

protected:
    void resizeEvent(QResizeEvent*) override {
        if (m_view) m_view->setGeometry(rect());
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest) updateGeometry();
        return QWidget::eventFilter(watched, event);
    }

private:
    QWidget* m_view = nullptr;
};

}  // namespace

ViewPage::ViewPage(std::function<QWidget*(QWidget* parent)> make, QWidget* parent)
    : QScrollArea(parent), m_make(std::move(make)) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);  // the view has the keyboard
    viewport()->setAutoFillBackground(false);
}

QWidget* ViewPage::content() {
    if (m_make) {
        auto* room = new Room(viewport());
        m_view = std::exchange(m_make, nullptr)(room);
        room->setView(m_view);
        setWidget(room);
        room->setAutoFillBackground(false);  // each view fills its own, by the style
        setFocusProxy(m_view);
        room->show();
        m_view->show();
    }
    return m_view;
}

void ViewPage::showEvent(QShowEvent* event) {
    content();
    QScrollArea::showEvent(event);
    squeeze();
}

void ViewPage::resizeEvent(QResizeEvent* event) {
    squeeze();
    QScrollArea::resizeEvent(event);
}

void ViewPage::squeeze() {
    if (auto* room = static_cast<Room*>(widget())) room->squeeze(viewport()->width());
}

}  // namespace orrery
