#include <QJsonArray>
#include <QJsonObject>
#include <QSet>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/common/style.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/view_group.h"

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

/// The views of a state, in the order of its groups.
QStringList viewsIn(const QJsonObject& state) {
    QStringList ids;
    for (const QJsonValue tab : state.value(QLatin1String("tabs")).toArray()) ids << tab.toString();
    for (const QJsonValue part : state.value(QLatin1String("parts")).toArray())
        ids << viewsIn(part.toObject());
    return ids;
}

/// The views of each of its groups.
QList<QStringList> groupsIn(const QJsonObject& state) {
    QList<QStringList> groups;
    const QJsonArray parts = state.value(QLatin1String("parts")).toArray();
    for (const QJsonValue part : parts) groups << groupsIn(part.toObject());
    if (parts.isEmpty() && hasViews(state)) groups << viewsIn(state);
    return groups;
}

/// How a state that holds only these views is divided; empty if it holds none of them.
QJsonObject shapeOf(const QJsonObject& state, const QSet<QString>& views) {
    QJsonArray shapes;
    for (const QJsonValue part : state.value(QLatin1String("parts")).toArray())
        if (const QJsonObject shape = shapeOf(part.toObject(), views); !shape.isEmpty())
            shapes.append(shape);
    if (shapes.size() == 1) return shapes[0].toObject();
    if (!shapes.isEmpty())
        return {{QStringLiteral("split"), state.value(QLatin1String("split"))},
                {QStringLiteral("parts"), shapes}};
    for (const QString& id : viewsIn(state))
        if (views.contains(id))
            return {{QStringLiteral("bare"), state.value(QLatin1String("bare")).toBool()}};
    return {};
}

QStringList idsOf(const ViewGroup& group) {
    QStringList ids;
    for (int i = 0; i < group.count(); ++i) ids << group.idAt(i);
    return ids;
}

}  // namespace

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
        QWidget* view = viewFor(group, id);
        const bool isFree =
            view &&
            (view->parentWidget() == m_stash || (m_former && m_former->isAncestorOf(view)) ||
             (view->parentWidget() == group->pages() && group->indexOf(view) < 0));
        if (isFree) group->addView(view, id, m_views.title(id), m_views.tip(id));
    }
    const int current = group->indexOfView(state.value(QLatin1String("current")).toString());
    group->setCurrentIndex(std::max(0, current));
}

/// Where groups need not be made, as after most steps of undo, only the views that differ move.
bool CentreArea::adapt(const QJsonObject& state) {
    if (!hasViews(state)) return false;
    const QStringList ids = viewsIn(state);
    const QSet<QString> wanted(ids.begin(), ids.end());
    if (wanted.size() != ids.size()) return false;
    // A group may be left over, as where a split is undone: the one that is moved soonest.
    ViewGroup* spare = nullptr;
    const QJsonObject now = saveState(), shape = shapeOf(state, wanted);
    bool isLike = shapeOf(now, wanted) == shape;
    QList<ViewGroup*> before = groups();
    std::ranges::sort(
        before, {}, [](const ViewGroup* group) { return group->findChildren<QWidget*>().size(); });
    for (qsizetype i = 0; i < before.size() && !isLike; ++i) {
        spare = before[i];
        QSet<QString> others = wanted;
        for (const QString& id : idsOf(*spare)) others.remove(id);
        isLike = shapeOf(now, others) == shape;
    }
    if (!isLike) return false;
    m_current = nullptr;
    for (const QString& id : openViews())
        if (!wanted.contains(id)) {
            ViewGroup* group = groupOf(id);
            stash(group, group->indexOfView(id));
            removeIfEmpty(group);
        }
    if (spare) {
        m_root->hide();  // else each view of that group would be shown before it goes
        dissolve(spare, groupsIn(state));
    }
    fit(m_root, state);
    m_root->show();
    const QList<ViewGroup*> all = groups();
    for (ViewGroup* group : all) removeIfEmpty(group);  // of views that are gone
    setCurrentGroup(groups().value(0));
    return true;
}

/// Moves the views of a group into those that take its place.
void CentreArea::dissolve(ViewGroup* group, const QList<QStringList>& wanted) {
    const KeptSizes kept;
    QList<ViewGroup*> others = groups();
    others.removeOne(group);
    for (const QString& id : idsOf(*group))
        for (qsizetype i = 0; i < std::min(others.size(), wanted.size()); ++i)
            if (wanted[i].contains(id))
                others[i]->addView(m_views.widget(id), id, m_views.title(id), m_views.tip(id));
    removeIfEmpty(group);
}

/// Gives a part that has the state's shape its views and sizes.
void CentreArea::fit(QWidget* part, const QJsonObject& state) {
    const QJsonArray parts = state.value(QLatin1String("parts")).toArray();
    if (parts.size() == 1) return fit(part, parts[0].toObject());
    if (auto* splitter = qobject_cast<QSplitter*>(part)) {
        if (splitter->count() == 1) return fit(splitter->widget(0), state);
        const QJsonArray saved = state.value(QLatin1String("sizes")).toArray();
        QList<int> sizes;
        for (int i = 0, at = 0; i < parts.size(); ++i) {
            if (!hasViews(parts[i].toObject())) continue;
            fit(splitter->widget(at++), parts[i].toObject());
            sizes << std::max(1, saved.size() > i ? saved[i].toInt() : 1);
        }
        return splitter->setSizes(sizes);
    }
    auto* group = qobject_cast<ViewGroup*>(part);
    int at = 0;
    for (const QString& id : viewsIn(state)) {
        const int now = group->indexOfView(id);
        if (now >= 0)
            group->tabBar()->moveTab(now, at++);
        else if (QWidget* view = viewFor(group, id))
            group->addView(view, id, m_views.title(id), m_views.tip(id), at++);
    }
    group->setCurrentIndex(
        std::max(0, group->indexOfView(state.value(QLatin1String("current")).toString())));
}

void CentreArea::restoreState(const QJsonObject& state) {
    if (adapt(state)) return Q_EMIT currentViewChanged(currentView());
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
