#include "widgets/common/elided_tips.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>

namespace orrery {

bool ElidedTips::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip) return false;
    auto* view = qobject_cast<QAbstractItemView*>(watched->parent());
    if (view == nullptr || view->viewport() != watched) return false;
    auto* help = static_cast<QHelpEvent*>(event);
    const QModelIndex index = view->indexAt(help->pos());
    if (!index.isValid() || index.data(Qt::ToolTipRole).isValid()) return false;
    const QRect cell = view->visualRect(index);
    if (view->sizeHintForIndex(index).width() <= cell.width()) return false;
    QToolTip::showText(help->globalPos(), index.data(Qt::DisplayRole).toString(), view, cell);
    return true;
}

}  // namespace orrery
