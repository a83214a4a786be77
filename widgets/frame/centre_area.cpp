#include "widgets/frame/centre_area.h"

#include <QApplication>
#include <QEvent>
#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

#include "widgets/common/style.h"
#include "widgets/frame/drop_hint.h"
#include "widgets/frame/view_group.h"
#include "widgets/frame/view_scope.h"
#include "widgets/frame/view_slot.h"

namespace orrery {

CentreArea::CentreArea(Views views, QWidget* parent)
    : QWidget(parent),
      m_views(std::move(views)),
      m_layout(new QVBoxLayout(this)),
      m_hint(new DropHint(this)) {
    setObjectName(QStringLiteral("centreArea"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    setRoot(makeSplitter(Qt::Horizontal, this));
    makeGroup(false, m_root);
    setCurrentGroup(groups().first());
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { focusChanged(now); });
}

ViewGroup* CentreArea::makeGroup(bool isBare, QWidget* parent) {
    auto* group = new ViewGroup(isBare, m_views.scope, parent);
    group->installEventFilter(this);
    connect(group, &ViewGroup::placed, this,
            [this] { QApplication::postEvent(this, new QEvent(QEvent::LayoutRequest)); });
    connect(group, &ViewGroup::freezeRequested, this, &CentreArea::freezeRequested);
    connect(group, &QTabWidget::tabCloseRequested, this,
            [this, group](int index) { Q_EMIT closeRequested(group->idAt(index)); });
    connect(group, &QTabWidget::currentChanged, this, [this, group] {
        if (group == m_current) Q_EMIT currentViewChanged(currentView());
    });
    connect(group, &QTabWidget::tabBarClicked, this, [this, group] { setCurrentGroup(group); });
    connect(group, &ViewGroup::carried, this,
            [this, group](int, const QPoint& global) { showDrop(group, global); });
    connect(group, &ViewGroup::dropped, this,
            [this, group](int index, const QPoint& global) { drop(group, index, global); });
    connect(group, &ViewGroup::putBack, m_hint, &QWidget::hide);
    group->tabBar()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(group->tabBar(), &QWidget::customContextMenuRequested, this,
            [this, group](const QPoint& at) { showTabMenu(group, at); });
    return group;
}

void CentreArea::showTabMenu(ViewGroup* group, const QPoint& at) {
    const int index = group->tabBar()->tabAt(at);
    if (index < 0) return;
    setCurrentGroup(group);
    group->setCurrentIndex(index);
    const QString id = currentView();
    QMenu menu;
    menu.setObjectName(QStringLiteral("tabMenu"));
    if (const ViewScope* scope = m_views.scope(id)) {
        const bool isFrozen = scope->isFrozen();
        menu.addAction(tr("Duplicate view"), this, [this, id] { Q_EMIT duplicateRequested(id); });
        menu.addAction(isFrozen ? tr("Follow the selection again") : tr("Freeze view"), this,
                       [this, id, isFrozen] { Q_EMIT freezeRequested(id, !isFrozen); });
        menu.addSeparator();
    }
    menu.addAction(tr("Split right"), this, [this] { split(Qt::Horizontal); });
    menu.addAction(tr("Split down"), this, [this] { split(Qt::Vertical); });
    menu.addAction(tr("Move to next group"), this, [this] { moveToNextGroup(); });
    menu.addSeparator();
    menu.addAction(tr("Close"), this, [this, id] { Q_EMIT closeRequested(id); });
    menu.exec(group->tabBar()->mapToGlobal(at));
}

QList<ViewGroup*> CentreArea::groups() const {
    QList<ViewGroup*> all;
    QList<QWidget*> open{m_root};
    while (!open.isEmpty()) {
        QWidget* part = open.takeFirst();
        if (auto* group = qobject_cast<ViewGroup*>(part)) {
            all << group;
        } else if (const auto* splitter = qobject_cast<QSplitter*>(part)) {
            for (int i = splitter->count() - 1; i >= 0; --i) open.prepend(splitter->widget(i));
        }
    }
    return all;
}

ViewGroup* CentreArea::groupOf(const QString& id) const {
    for (ViewGroup* group : groups())
        if (group->indexOfView(id) >= 0) return group;
    return nullptr;
}

void CentreArea::setRoot(QSplitter* root) {
    m_root = root;
    m_layout->addWidget(root);
    m_current = nullptr;
    setCurrentGroup(groups().value(0));
}

void CentreArea::setCurrentGroup(ViewGroup* group) {
    if (group == m_current || !group) return;
    m_current = group;
    for (ViewGroup* each : groups()) each->setCurrent(each == group);
    Q_EMIT currentViewChanged(currentView());
}

void CentreArea::focusChanged(const QWidget* now) {
    if (!now || !isAncestorOf(now)) return;
    for (ViewGroup* group : groups()) {
        const ViewSlot* slot = group->slotAt(group->currentIndex());
        const QWidget* view = slot ? slot->view() : nullptr;
        const bool isInView = view && (view == now || view->isAncestorOf(now));
        if (isInView || group->isAncestorOf(now)) return setCurrentGroup(group);
    }
}

bool CentreArea::event(QEvent* event) {
    const bool isDone = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) cutHoles();
    return isDone;
}

bool CentreArea::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Move)
        for (ViewSlot* slot : watched->findChildren<ViewSlot*>())
            if (slot->isVisible()) slot->settle();
    return QWidget::eventFilter(watched, event);
}

/// All but the views: the handles between the groups take the mouse a little beside their line.
void CentreArea::cutHoles() {
    const auto placeOf = [this](const QWidget* part) {
        return QRect(part->mapTo(m_root, QPoint()), part->size());
    };
    QRegion rest(m_root->rect().adjusted(-1, 0, 0, 0));  // never empty, which would be no mask
    for (const ViewSlot* slot : m_root->findChildren<ViewSlot*>())
        if (slot->isVisible()) rest -= placeOf(slot);
    for (const auto* handle : m_root->findChildren<QSplitterHandle*>())
        if (handle->isVisible()) rest += placeOf(handle);
    if (rest != m_root->mask()) m_root->setMask(rest);
}

void CentreArea::show(const QString& id) {
    if (ViewGroup* group = groupOf(id)) {
        group->setCurrentIndex(group->indexOfView(id));
        setCurrentGroup(group);
        return;
    }
    if (!open(id, m_current)) return;
    m_current->setCurrentIndex(m_current->indexOfView(id));
    Q_EMIT currentViewChanged(id);
}

void CentreArea::showBeside(const QString& id, const QString& other) {
    ViewGroup* group = groupOf(other);
    if (!group || isOpen(id)) return show(id);
    ViewGroup* beside = makeBeside(group, Qt::RightEdge);
    open(id, beside);
    setCurrentGroup(beside);
    removeIfEmpty(beside);
}

bool CentreArea::open(const QString& id, ViewGroup* group, int at) {
    QWidget* view = m_views.widget(id);
    if (!view) return false;
    setPutBy(view, false);
    view->lower();
    group->addView(view, id, m_views.title(id), m_views.tip(id), at);
    return true;
}

void CentreArea::putAway(QWidget* view) {
    view->hide();
    setPutBy(view, true);
}

void CentreArea::close(const QString& id) {
    ViewGroup* group = groupOf(id);
    if (!group) return;
    putAway(group->takeView(group->indexOfView(id)));
    removeIfEmpty(group);
    Q_EMIT currentViewChanged(currentView());
}

void CentreArea::refreshTitle(const QString& id) {
    if (ViewGroup* group = groupOf(id)) group->setTitle(id, m_views.title(id));
}

bool CentreArea::split(Qt::Orientation orientation) {
    if (m_current->count() < 2) return false;
    moveBeside(m_current, orientation == Qt::Horizontal ? Qt::RightEdge : Qt::BottomEdge, m_current,
               m_current->currentIndex());
    return true;
}

bool CentreArea::moveToNextGroup() {
    const QList<ViewGroup*> all = groups();
    if (all.size() < 2 || m_current->count() == 0) return false;
    moveInto(all[(all.indexOf(m_current) + 1) % all.size()], -1, m_current,
             m_current->currentIndex());
    return true;
}

void CentreArea::removeIfEmpty(ViewGroup* group) {
    if (group->count() > 0 || groups().size() == 1) return;
    auto* splitter = qobject_cast<QSplitter*>(group->parentWidget());
    const bool wasCurrent = group == m_current;
    group->setParent(nullptr);
    group->deleteLater();
    while (splitter != m_root && splitter->count() < 2) {
        auto* above = qobject_cast<QSplitter*>(splitter->parentWidget());
        const QList<int> sizes = above->sizes();
        if (QWidget* last = splitter->widget(0)) {
            above->replaceWidget(above->indexOf(splitter), last);
            above->setSizes(sizes);
            last->show();
        }
        splitter->hide();
        splitter->setParent(nullptr);
        splitter->deleteLater();
        splitter = above;
    }
    if (wasCurrent) {
        m_current = nullptr;
        setCurrentGroup(groups().value(0));
    }
}

bool CentreArea::isOpen(const QString& id) const {
    return groupOf(id) != nullptr;
}

QStringList CentreArea::openViews() const {
    QStringList ids;
    for (const ViewGroup* group : groups()) ids << group->ids();
    return ids;
}

QString CentreArea::currentView() const {
    return m_current ? m_current->idAt(m_current->currentIndex()) : QString();
}

QSplitter* CentreArea::makeSplitter(Qt::Orientation orientation, QWidget* parent) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->installEventFilter(this);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

}  // namespace orrery
