// Moving views between the groups of the centre.
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/frame/centre_area.h"
#include "widgets/frame/drop_hint.h"
#include "widgets/frame/view_group.h"

namespace orrery {

namespace {

/// The side of a rectangle that a point is near: within a quarter of its width or height.
std::optional<Qt::Edge> nearSide(const QRect& rect, const QPoint& at) {
    const double x = static_cast<double>(at.x() - rect.left()) / rect.width();
    const double y = static_cast<double>(at.y() - rect.top()) / rect.height();
    const std::pair<double, Qt::Edge> sides[] = {
        {x, Qt::LeftEdge}, {1 - x, Qt::RightEdge}, {y, Qt::TopEdge}, {1 - y, Qt::BottomEdge}};
    const auto& nearest = *std::ranges::min_element(sides);
    if (nearest.first > 0.25) return std::nullopt;
    return nearest.second;
}

QRect halfAt(const QRect& rect, Qt::Edge side) {
    QRect half = rect;
    if (side == Qt::LeftEdge) half.setRight(rect.center().x());
    if (side == Qt::RightEdge) half.setLeft(rect.center().x() + 1);
    if (side == Qt::TopEdge) half.setBottom(rect.center().y());
    if (side == Qt::BottomEdge) half.setTop(rect.center().y() + 1);
    return half;
}

}  // namespace

CentreArea::DropPlace CentreArea::dropPlace(const ViewGroup* from, const QPoint& global) const {
    for (ViewGroup* group : groups()) {
        const QPoint at = group->mapFromGlobal(global);
        if (group->isBare() || !group->rect().contains(at)) continue;
        const QPoint origin = group->mapTo(this, QPoint(0, 0));
        const QTabBar* bar = group->tabBar();
        DropPlace place;
        place.group = group;
        if (at.y() < bar->geometry().bottom()) {
            place.index = bar->tabAt(bar->mapFrom(group, at));
            const int before = place.index < 0 ? bar->tabRect(bar->count() - 1).right() + 1
                                               : bar->tabRect(place.index).left();
            place.hint =
                QRect(origin.x() + bar->x() + before - 2, origin.y() + bar->y(), 4, bar->height());
            return place;
        }
        const bool isAlone = group == from && group->count() < 2;
        const QRect body = group->rect().adjusted(0, bar->height(), 0, 0);
        if (!isAlone) place.side = nearSide(body, at);
        place.hint = (place.side ? halfAt(body, *place.side) : body).translated(origin);
        return place;
    }
    return {};
}

void CentreArea::showDrop(const ViewGroup* from, const QPoint& global) {
    const DropPlace place = dropPlace(from, global);
    m_hint->setVisible(place.group != nullptr);
    if (!place.group) return;
    m_hint->setGeometry(place.hint);
    m_hint->raise();
}

void CentreArea::drop(ViewGroup* from, int index, const QPoint& global) {
    m_hint->hide();
    const DropPlace place = dropPlace(from, global);
    if (!place.group || (place.group == from && !place.side && place.index < 0)) return;
    if (place.side)
        moveBeside(place.group, *place.side, from, index);
    else
        moveInto(place.group, place.index, from, index);
    Q_EMIT carriedAway();
}

void CentreArea::moveInto(ViewGroup* to, int index, ViewGroup* from, int fromIndex) {
    const QString id = from->idAt(fromIndex);
    from->takeView(fromIndex);
    open(id, to, index);
    to->setCurrentIndex(to->indexOfView(id));
    removeIfEmpty(from);
    setCurrentGroup(to);
}

ViewGroup* CentreArea::makeBeside(ViewGroup* group, Qt::Edge side) {
    const Qt::Orientation orientation =
        side == Qt::LeftEdge || side == Qt::RightEdge ? Qt::Horizontal : Qt::Vertical;
    auto* parent = qobject_cast<QSplitter*>(group->parentWidget());
    const QSize size = group->size();
    if (parent->count() == 1) {
        parent->setOrientation(orientation);
    } else if (parent->orientation() != orientation) {
        QSplitter* splitter = makeSplitter(orientation, this);  // not yet in the parent
        const QList<int> sizes = parent->sizes();
        parent->replaceWidget(parent->indexOf(group), splitter);
        parent->setSizes(sizes);
        splitter->addWidget(group);
        group->show();
        parent = splitter;
    }
    ViewGroup* beside = makeGroup(false, this);
    QList<int> sizes = parent->sizes();
    const int at = parent->indexOf(group);
    const int before = side == Qt::LeftEdge || side == Qt::TopEdge ? 0 : 1;
    parent->insertWidget(at + before, beside);
    const int half = (orientation == Qt::Horizontal ? size.width() : size.height()) / 2;
    sizes[at] = half;
    sizes.insert(at + before, half);
    parent->setSizes(sizes);
    return beside;
}

void CentreArea::moveBeside(ViewGroup* group, Qt::Edge side, ViewGroup* from, int fromIndex) {
    const QString id = from->idAt(fromIndex);
    ViewGroup* beside = makeBeside(group, side);
    from->takeView(fromIndex);
    open(id, beside);
    removeIfEmpty(from);
    setCurrentGroup(beside);
}

}  // namespace orrery
