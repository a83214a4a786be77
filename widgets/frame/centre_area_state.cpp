#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/frame/centre_area.h"
#include "widgets/frame/view_group.h"
#include "widgets/frame/view_slot.h"

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

/// What is open where, without the pixels.
QJsonObject shapeOf(QJsonObject state) {
    state.remove(QLatin1String("sizes"));
    QJsonArray parts;
    for (const QJsonValue part : state.value(QLatin1String("parts")).toArray())
        parts.append(shapeOf(part.toObject()));
    if (!parts.isEmpty()) state.insert(QStringLiteral("parts"), parts);
    return state;
}

/// Gives a part that has the state's shape its sizes.
void resizeAs(const QJsonObject& state, QWidget* part) {
    auto* splitter = qobject_cast<QSplitter*>(part);
    const QJsonArray parts = state.value(QLatin1String("parts")).toArray();
    if (!splitter || parts.isEmpty()) return;
    if (splitter->count() == 1) return resizeAs(state, splitter->widget(0));
    QList<int> sizes;
    for (const QJsonValue size : state.value(QLatin1String("sizes")).toArray())
        sizes << std::max(1, size.toInt());
    splitter->setSizes(sizes);
    for (int i = 0; i < splitter->count(); ++i) resizeAs(parts[i].toObject(), splitter->widget(i));
}

}  // namespace

QJsonObject CentreArea::stateOf(const QWidget* part) const {
    if (const auto* group = qobject_cast<const ViewGroup*>(part)) {
        return {{QStringLiteral("tabs"), QJsonArray::fromStringList(group->ids())},
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

QSplitter* CentreArea::build(const QJsonObject& state, QWidget* parent, QStringList& placed) {
    const bool isColumn =
        state.value(QLatin1String("split")).toString() == QLatin1String("vertical");
    QSplitter* splitter = makeSplitter(isColumn ? Qt::Vertical : Qt::Horizontal, parent);
    const QJsonArray parts = state.value(QLatin1String("parts")).toArray();
    const QJsonArray saved = state.value(QLatin1String("sizes")).toArray();
    if (parts.isEmpty()) buildGroup(state, splitter, placed);
    QList<int> sizes;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QJsonObject part = parts[i].toObject();
        if (!hasViews(part)) continue;
        if (part.value(QLatin1String("parts")).toArray().isEmpty())
            buildGroup(part, splitter, placed);
        else
            build(part, splitter, placed);
        sizes << std::max(1, saved.size() > i ? saved[i].toInt() : 1);
    }
    if (!sizes.isEmpty()) splitter->setSizes(sizes);
    return splitter;
}

void CentreArea::buildGroup(const QJsonObject& state, QSplitter* parent, QStringList& placed) {
    ViewGroup* group = makeGroup(state.value(QLatin1String("bare")).toBool(), parent);
    for (const QJsonValue tab : state.value(QLatin1String("tabs")).toArray()) {
        const QString id = tab.toString();
        if (!placed.contains(id) && open(id, group)) placed << id;
    }
    const int current = group->indexOfView(state.value(QLatin1String("current")).toString());
    group->setCurrentIndex(std::max(0, current));
}

void CentreArea::restoreState(const QJsonObject& state) {
    if (shapeOf(state) == shapeOf(saveState())) {  // as where a panel is opened or closed
        resizeAs(state, m_root);
        return Q_EMIT currentViewChanged(currentView());
    }
    QHash<QString, QWidget*> former;  // they stay as they are until they have their new places
    for (const ViewGroup* group : groups())
        for (int i = 0; i < group->count(); ++i)
            former.insert(group->idAt(i), group->slotAt(i)->release());
    m_root->hide();
    m_root->deleteLater();
    m_layout->removeWidget(m_root);
    QStringList placed;
    setRoot(build(hasViews(state) ? state : QJsonObject(), this, placed));
    m_root->show();
    for (auto view = former.cbegin(); view != former.cend(); ++view)
        if (!placed.contains(view.key())) putAway(view.value());
    const QList<ViewGroup*> made = groups();
    for (ViewGroup* group : made) {
        removeIfEmpty(group);  // a file may name views that are gone
        group->settle();
    }
    Q_EMIT currentViewChanged(currentView());
}

}  // namespace orrery
