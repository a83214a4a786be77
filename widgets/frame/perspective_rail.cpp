#include "widgets/frame/perspective_rail.h"

#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/view_spec.h"

namespace orrery {

PerspectiveRail::PerspectiveRail(QWidget* parent)
    : QFrame(parent), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("perspectiveRail"));
    setProperty("look", QStringLiteral("panel"));
    setFixedWidth(60);
    setAccessibleName(tr("Perspectives"));
    m_layout->setContentsMargins(4, 8, 4, 8);
    m_layout->setSpacing(4);
    m_layout->addStretch(1);
}

void PerspectiveRail::add(const PerspectiveSpec& spec) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("rail_") + spec.id);
    button->setProperty("look", QStringLiteral("rail"));
    button->setText(spec.name);
    button->setCheckable(true);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize(QSize(20, 20));
    button->setFixedSize(52, 52);
    connect(button, &QToolButton::clicked, this, [this, id = spec.id] { Q_EMIT picked(id); });
    m_layout->insertWidget(static_cast<int>(m_entries.size()), button);
    m_entries.push_back({spec.id, spec.icon, button});
    refreshIcons();
}

void PerspectiveRail::setTip(const QString& id, const QString& tip) {
    for (const Entry& entry : m_entries)
        if (entry.id == id) entry.button->setToolTip(tip);
}

void PerspectiveRail::setCurrent(const QString& id) {
    for (const Entry& entry : m_entries) entry.button->setChecked(entry.id == id);
}

void PerspectiveRail::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcons();
    QFrame::changeEvent(event);
}

void PerspectiveRail::refreshIcons() {
    for (const Entry& entry : m_entries)
        entry.button->setIcon(themedIcon(entry.icon, currentTokens()));
}

}  // namespace orrery
