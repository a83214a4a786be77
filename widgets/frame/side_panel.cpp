#include "widgets/frame/side_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/scope_chip.h"
#include "widgets/frame/view_scope.h"
#include "widgets/frame/view_spec.h"

namespace orrery {

namespace {

constexpr int kChipRoom = 150;  ///< pixels

/// The close button draws its icon again when the theme changes.
class CloseButton : public QToolButton {
public:
    explicit CloseButton(QWidget* parent) : QToolButton(parent) { refresh(); }

protected:
    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::PaletteChange) refresh();
        QToolButton::changeEvent(event);
    }

private:
    void refresh() { setIcon(themedIcon(QStringLiteral("window-close"), currentTokens())); }
};

}  // namespace

SidePanel::SidePanel(const ViewSpec& spec, QWidget* parent)
    : QDockWidget(spec.title, parent), m_make(spec.make) {
    setObjectName(QStringLiteral("panel_") + spec.id);
    setToolTip(QString());
    setAccessibleName(spec.title);
    setTitleBarWidget(makeTitle(spec));
    setAllowedAreas(spec.place == ViewPlace::Bottom
                        ? Qt::DockWidgetAreas(Qt::BottomDockWidgetArea)
                        : Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
}

QWidget* SidePanel::makeTitle(const ViewSpec& spec) {
    auto* bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("panelTitle_") + spec.id);
    bar->setProperty("look", QStringLiteral("panelTitle"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 4, 8, 4);
    row->setSpacing(4);
    QLabel* title = makeLabel(spec.title, "section", bar);
    title->setToolTip(spec.tip);
    row->addWidget(title);
    row->addStretch(1);
    m_chip = new ScopeChip(bar);
    m_chip->setRoom(kChipRoom);
    connect(m_chip, &ScopeChip::freezeRequested, this, &SidePanel::freezeRequested);
    row->addWidget(m_chip);
    bar->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(bar, &QWidget::customContextMenuRequested, this,
            [this, bar](const QPoint& at) { showTitleMenu(bar->mapToGlobal(at)); });
    auto* close = new CloseButton(bar);
    close->setObjectName(QStringLiteral("panelClose_") + spec.id);
    close->setProperty("look", QStringLiteral("plain"));
    close->setIconSize(QSize(12, 12));
    close->setFixedSize(24, 24);
    close->setToolTip(tr("Close %1; View > Panels brings it back").arg(spec.title));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &SidePanel::closeRequested);
    row->addWidget(close);
    return bar;
}

void SidePanel::setScope(ViewScope* scope) {
    m_chip->setScope(scope, windowTitle());
}

void SidePanel::showTitleMenu(const QPoint& global) {
    QMenu menu;
    menu.setObjectName(QStringLiteral("panelMenu"));
    if (const ViewScope* scope = m_chip->scope()) {
        const bool isFrozen = scope->isFrozen();
        menu.addAction(tr("Duplicate view"), this, &SidePanel::duplicateRequested);
        menu.addAction(isFrozen ? tr("Follow the selection again") : tr("Freeze view"), this,
                       [this, isFrozen] { Q_EMIT freezeRequested(!isFrozen); });
        menu.addSeparator();
    }
    menu.addAction(tr("Close"), this, &SidePanel::closeRequested);
    menu.exec(global);
}

QWidget* SidePanel::content() {
    if (!m_isMade) {
        m_isMade = true;
        setWidget(m_make(this));
        widget()->setAttribute(Qt::WA_StyledBackground);  // the panel's, not the window's
    }
    return widget();
}

void SidePanel::showEvent(QShowEvent* event) {
    content();
    QDockWidget::showEvent(event);
}

}  // namespace orrery
