#include "widgets/frame/late_page.h"

#include <QVBoxLayout>
#include <utility>

namespace orrery {

LatePage::LatePage(std::function<QWidget*(QWidget* parent)> make, QWidget* parent)
    : QWidget(parent), m_make(std::move(make)) {
    (new QVBoxLayout(this))->setContentsMargins(0, 0, 0, 0);
}

QWidget* LatePage::content() {
    if (m_content == nullptr && m_make) {
        m_content = std::exchange(m_make, nullptr)(this);
        layout()->addWidget(m_content);
        setFocusProxy(m_content);
        m_content->show();
    }
    return m_content;
}

void LatePage::showEvent(QShowEvent* event) {
    content();
    QWidget::showEvent(event);
}

}  // namespace orrery
