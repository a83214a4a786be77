#include "widgets/common/side_rail.h"

#include <QEvent>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/tokens.h"

namespace orrery {

SideRail::SideRail(QWidget* parent)
    : QFrame(parent), m_pages(new QStackedWidget), m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("sideRail"));
    setProperty("look", QStringLiteral("panel"));
    setFixedWidth(60);
    m_layout->setContentsMargins(4, 8, 4, 8);
    m_layout->setSpacing(4);
    m_layout->addStretch(1);
    m_pages->setObjectName(QStringLiteral("sidePages"));
}

void SideRail::addPage(QWidget* page, const QString& name, const QString& icon,
                       const QString& tip) {
    const int index = m_pages->addWidget(page);
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("rail_") + name);
    button->setProperty("look", QStringLiteral("rail"));
    button->setText(name);
    button->setToolTip(tip);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setIconSize(QSize(20, 20));
    button->setFixedSize(52, 52);
    connect(button, &QToolButton::clicked, this, [this, index] { showPage(index); });
    m_layout->insertWidget(index, button);
    m_buttons << button;
    m_icons << icon;
    refreshIcons();
    if (index == 0) button->setChecked(true);
}

void SideRail::showPage(int page) {
    m_pages->setCurrentIndex(page);
    m_buttons[page]->setChecked(true);
}

int SideRail::currentPage() const {
    return m_pages->currentIndex();
}

void SideRail::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refreshIcons();
    QFrame::changeEvent(event);
}

void SideRail::refreshIcons() {
    for (qsizetype i = 0; i < m_buttons.size(); ++i)
        m_buttons[i]->setIcon(themedIcon(m_icons[i], currentTokens()));
}

}  // namespace orrery
