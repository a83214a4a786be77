#include "widgets/frame/centre_area.h"

#include <QApplication>
#include <QJsonArray>
#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

#include "widgets/common/style.h"
#include "widgets/frame/drop_hint.h"
#include "widgets/frame/view_group.h"
#include "widgets/frame/view_scope.h"

namespace orrery {

namespace {

constexpr int kMaxDepth = 8;

bool hasViews(const QJsonObject& state, int depth = 0) {
    if (depth > kMaxDepth) return false;
    if (!state.value(QLatin1String("tabs")).toArray().isEmpty()) return true;
    for (const QJsonValue part : state.value(QLatin1String("parts")).toArray())
        if (hasViews(part.toObject(), depth + 1)) return true;
    return false;
}

}  // namespace

CentreArea::CentreArea(Views views, QWidget* parent)
    : QWidget(parent),
      m_views(std::move(views)),
      m_layout(new QVBoxLayout(this)),
      m_hint(new DropHint(this)),
      m_stash(new QWidget(this)) {
    setObjectName(QStringLiteral("centreArea"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_stash->hide();
    setStyledOnReturn(m_stash);
    setRoot(build({}, this));
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { focusChanged(now); });
}

ViewGroup* CentreArea::makeGroup(bool isBare, QWidget* parent) {
    auto* group = new ViewGroup(isBare, m_views.scope, parent);
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
    for (const QWidget* widget = now; widget && widget != this; widget = widget->parentWidget())
        if (auto* group = qobject_cast<const ViewGroup*>(widget))
            return setCurrentGroup(const_cast<ViewGroup*>(group));
}

void CentreArea::show(const QString& id) {
    if (ViewGroup* group = groupOf(id)) {
        group->setCurrentIndex(group->indexOfView(id));
        setCurrentGroup(group);
        return;
    }
    QWidget* view = m_views.widget(id);
    if (!view) return;
    m_current->addView(view, id, m_views.title(id), m_views.tip(id));
    m_current->setCurrentIndex(m_current->indexOfView(id));
    Q_EMIT currentViewChanged(id);
}

void CentreArea::stash(ViewGroup* group, int index) {
    QWidget* view = group->widget(index);
    group->removeTab(index);
    view->setParent(m_stash);
}

void CentreArea::close(const QString& id) {
    ViewGroup* group = groupOf(id);
    if (!group) return;
    stash(group, group->indexOfView(id));
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
    for (const ViewGroup* group : groups())
        for (int i = 0; i < group->count(); ++i) ids << group->idAt(i);
    return ids;
}

QString CentreArea::currentView() const {
    return m_current ? m_current->idAt(m_current->currentIndex()) : QString();
}

QJsonObject CentreArea::stateOf(const QWidget* part) const {
    if (const auto* group = qobject_cast<const ViewGroup*>(part)) {
        QJsonArray tabs;
        for (int i = 0; i < group->count(); ++i) tabs.append(group->idAt(i));
        return {{QStringLiteral("tabs"), tabs},
                {QStringLiteral("current"), group->idAt(group->currentIndex())},
                {QStringLiteral("bare"), group->isBare()}};
    }
    const auto* splitter = qobject_cast<const QSplitter*>(part);
    if (splitter->count() == 1) return stateOf(splitter->widget(0));
    QJsonArray sizes, parts;
    for (const int size : splitter->sizes()) sizes.append(size);
    for (int i = 0; i < splitter->count(); ++i) parts.append(stateOf(splitter->widget(i)));
    return {{QStringLiteral("split"), splitter->orientation() == Qt::Horizontal
                                          ? QStringLiteral("horizontal")
                                          : QStringLiteral("vertical")},
            {QStringLiteral("sizes"), sizes},
            {QStringLiteral("parts"), parts}};
}

QJsonObject CentreArea::saveState() const {
    return stateOf(m_root);
}

QSplitter* CentreArea::makeSplitter(Qt::Orientation orientation, QWidget* parent) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

/// Every part is made where it stays, since moving it there would resolve the style of all that it
/// holds once more. A splitter takes its children in by itself.
QSplitter* CentreArea::build(const QJsonObject& state, QWidget* parent) {
    const bool isColumn =
        state.value(QLatin1String("split")).toString() == QLatin1String("vertical");
    QSplitter* splitter = makeSplitter(isColumn ? Qt::Vertical : Qt::Horizontal, parent);
    const QJsonArray parts = state.value(QLatin1String("parts")).toArray();
    const QJsonArray saved = state.value(QLatin1String("sizes")).toArray();
    if (parts.isEmpty()) buildGroup(state, splitter);
    QList<int> sizes;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QJsonObject part = parts[i].toObject();
        if (!hasViews(part)) continue;
        if (part.value(QLatin1String("parts")).toArray().isEmpty())
            buildGroup(part, splitter);
        else
            build(part, splitter);
        sizes << std::max(1, saved.size() > i ? saved[i].toInt() : 1);
    }
    if (!sizes.isEmpty()) splitter->setSizes(sizes);
    return splitter;
}

void CentreArea::buildGroup(const QJsonObject& state, QSplitter* parent) {
    ViewGroup* group = makeGroup(state.value(QLatin1String("bare")).toBool(), parent);
    for (const QJsonValue tab : state.value(QLatin1String("tabs")).toArray()) {
        const QString id = tab.toString();
        m_asking = group->pages();
        QWidget* view = m_views.widget(id);
        m_asking = nullptr;
        const bool isFree =
            view &&
            (view->parentWidget() == m_stash || (m_former && m_former->isAncestorOf(view)) ||
             (view->parentWidget() == group->pages() && group->indexOf(view) < 0));
        if (isFree) group->addView(view, id, m_views.title(id), m_views.tip(id));
    }
    const int current = group->indexOfView(state.value(QLatin1String("current")).toString());
    group->setCurrentIndex(std::max(0, current));
}

void CentreArea::restoreState(const QJsonObject& state) {
    const KeptSizes kept;
    m_former = m_root;
    m_former->hide();  // else each view would be shown when the one before it is taken out
    const QList<ViewGroup*> formerGroups = groups();
    m_current = nullptr;
    m_layout->removeWidget(m_former);
    // Views go from their groups straight into the new ones.
    setRoot(build(hasViews(state) ? state : QJsonObject(), this));
    for (ViewGroup* group : formerGroups)
        while (group->count() > 0) stash(group, 0);
    std::exchange(m_former, nullptr)->deleteLater();
    m_root->show();
    // A file may name views that are gone: groups left empty close up.
    const QList<ViewGroup*> made = groups();
    for (ViewGroup* group : made) removeIfEmpty(group);
    Q_EMIT currentViewChanged(currentView());
}

}  // namespace orrery
