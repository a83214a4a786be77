#include "widgets/frame/view_group.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "widgets/common/icons.h"
#include "widgets/common/parts.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/frame/focus_order.h"
#include "widgets/frame/scope_chip.h"
#include "widgets/frame/view_scope.h"
#include "widgets/frame/view_slot.h"
#include "widgets/frame/view_tab_bar.h"

namespace orrery {

namespace {

constexpr int kMostChip = 320, kLeastChip = 32, kGap = 4;  ///< pixels

/// A tab bar takes "&" for the mark of a key.
QString tabTextOf(QString title) {
    return title.replace(u'&', QStringLiteral("&&"));
}

}  // namespace

/// An empty corner as wide as the chip that lies over it.
class ChipSpace : public QWidget {
public:
    using QWidget::QWidget;
    void setSpace(int width) {
        if (std::exchange(m_space, width) != width) updateGeometry();
    }
    QSize sizeHint() const override { return {m_space, 1}; }

private:
    int m_space = 0;
};

ViewGroup::ViewGroup(bool isBare, std::function<ViewScope*(const QString& id)> scopeOf,
                     QWidget* parent)
    : QTabWidget(parent),
      m_isBare(isBare),
      m_scopeOf(std::move(scopeOf)),
      m_corner(new ChipSpace(this)),
      m_chip(new ScopeChip(this)) {
    setObjectName(QStringLiteral("viewGroup"));
    auto* tabs = new ViewTabBar(this);
    setTabBar(tabs);
    connect(tabs, &ViewTabBar::carried, this, &ViewGroup::carried);
    connect(tabs, &ViewTabBar::dropped, this, &ViewGroup::dropped);
    connect(tabs, &ViewTabBar::putBack, this, &ViewGroup::putBack);
    setDocumentMode(true);
    setMovable(true);
    setTabsClosable(!isBare);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideMiddle);
    tabBar()->setExpanding(false);
    tabBar()->setVisible(!isBare);
    tabBar()->setFocusPolicy(Qt::TabFocus);
    tabBar()->setAccessibleName(tr("Views"));
    tabBar()->setIconSize(QSize(12, 12));
    setCornerWidget(m_corner, Qt::TopRightCorner);
    connect(this, &QTabWidget::currentChanged, this, &ViewGroup::refreshScopes);
    connect(this, &QTabWidget::currentChanged, this, &ViewGroup::handOverKeyboard);
    connect(m_chip, &ScopeChip::freezeRequested, this,
            [this](bool isFrozen) { Q_EMIT freezeRequested(idAt(currentIndex()), isFrozen); });
}

void ViewGroup::addView(QWidget* view, const QString& id, const QString& title, const QString& tip,
                        int at) {
    auto* slot = new ViewSlot(view, id);
    connect(slot, &ViewSlot::placed, this, &ViewGroup::placed);
    connect(slot, &ViewSlot::keyboardLost, this, [this] { m_hasKeyboard = true; });
    const int index = insertTab(at, slot, tabTextOf(title));
    if (isVisible()) slot->settle();
    setTabToolTip(index, tip);
    if (ViewScope* scope = m_scopeOf(id))
        connect(scope, &ViewScope::changed, this, &ViewGroup::refreshScopes, Qt::UniqueConnection);
    refreshScopes();
}

QWidget* ViewGroup::takeView(int index) {
    ViewSlot* slot = slotAt(index);
    QWidget* view = slot->release();
    removeTab(index);
    delete slot;
    Q_EMIT placed();
    return view;
}

void ViewGroup::settle() {
    for (int i = 0; i < count(); ++i) slotAt(i)->settle();
}

/// As Qt does it for pages that hold their widgets: to where it was in the view before.
void ViewGroup::handOverKeyboard() {
    const ViewSlot* slot = slotAt(currentIndex());
    if (!std::exchange(m_hasKeyboard, false) || !slot) return;
    QWidget* before = slot->view()->focusWidget();
    if (QWidget* target = before ? before : tabStops(*slot->view()).value(0)) target->setFocus();
}

void ViewGroup::setTitle(const QString& id, const QString& title) {
    setTabText(indexOfView(id), tabTextOf(title));
    placeChip();
}

void ViewGroup::tabInserted(int index) {
    QTabWidget::tabInserted(index);
    refreshScopes();
}

void ViewGroup::tabRemoved(int index) {
    QTabWidget::tabRemoved(index);
    refreshScopes();
}

void ViewGroup::changeEvent(QEvent* event) {
    QTabWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refreshScopes();
}

void ViewGroup::resizeEvent(QResizeEvent* event) {
    QTabWidget::resizeEvent(event);
    placeChip();
}

void ViewGroup::paintEvent(QPaintEvent* /*event*/) {
    if (count() > 0) return;
    QPainter painter(this);
    painter.setFont(interfaceFont(12));
    painter.setPen(currentTokens().text2);
    paintEmptyText(painter, rect(),
                   tr("No view is open here. Ctrl+K finds each by its name; Window > Reset layout "
                      "opens those that were here at first."));
}

/// Frozen views wear a mark in their tabs; the chip tells of the current one.
void ViewGroup::refreshScopes() {
    bool hasFrozen = false;
    for (int i = 0; i < count(); ++i) {
        const ViewScope* scope = m_scopeOf(idAt(i));
        const bool isFrozen = scope && scope->isFrozen();
        hasFrozen = hasFrozen || isFrozen;
        if (isFrozen || !tabIcon(i).isNull())
            setTabIcon(i,
                       isFrozen ? themedIcon(QStringLiteral("freeze"), currentTokens()) : QIcon());
    }
    tabBar()->setVisible(!m_isBare || count() > 1 || hasFrozen);
    const int now = currentIndex();
    const bool hasChip = now >= 0 && !tabBar()->isHidden();
    m_chip->setScope(hasChip ? m_scopeOf(idAt(now)) : nullptr, tabText(now));
    placeChip();
}

void ViewGroup::placeChip() {
    const int left = width() - tabBar()->sizeHint().width() - 2 * kGap;
    m_chip->setRoom(std::clamp(left, kLeastChip, kMostChip));
    const QSize size = m_chip->isHidden() ? QSize(0, 0) : m_chip->sizeHint();
    m_corner->setSpace(size.isEmpty() ? 0 : size.width() + 2 * kGap);
    m_chip->setGeometry(QRect(
        QPoint(width() - size.width() - kGap, (tabBar()->sizeHint().height() - size.height()) / 2),
        size));
    m_chip->raise();
}

ViewSlot* ViewGroup::slotAt(int index) const {
    return qobject_cast<ViewSlot*>(widget(index));
}

QString ViewGroup::idAt(int index) const {
    const ViewSlot* slot = slotAt(index);
    return slot ? slot->id() : QString();
}

QStringList ViewGroup::ids() const {
    QStringList ids;
    for (int i = 0; i < count(); ++i) ids << idAt(i);
    return ids;
}

int ViewGroup::indexOfView(const QString& id) const {
    return static_cast<int>(ids().indexOf(id));
}

void ViewGroup::setCurrent(bool isCurrent) {
    if (property("current").toBool() == isCurrent) return;
    setProperty("current", isCurrent);
    tabBar()->setProperty("current", isCurrent);
    restyle(tabBar());
}

}  // namespace orrery
