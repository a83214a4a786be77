#pragma once

#include <QLayout>
#include <QList>
#include <utility>

namespace orrery {

/// Layouts that wait while many of their widgets are shown or hidden: each of these would lay out
/// all others. They do their work in the next turn.
class LayoutPause {
public:
    explicit LayoutPause(QList<QLayout*> layouts) : m_layouts(std::move(layouts)) {
        for (QLayout* layout : m_layouts) layout->setEnabled(false);
    }
    ~LayoutPause() {
        for (QLayout* layout : m_layouts) layout->setEnabled(true);
    }
    Q_DISABLE_COPY_MOVE(LayoutPause)

private:
    const QList<QLayout*> m_layouts;
};

}  // namespace orrery
