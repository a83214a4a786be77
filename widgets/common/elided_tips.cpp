#include "widgets/common/elided_tips.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QToolTip>

namespace orrery {

namespace {

bool isCut(const QComboBox& box) {
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.editable = box.isEditable();
    const QRect room = box.style()->subControlRect(QStyle::CC_ComboBox, &option,
                                                   QStyle::SC_ComboBoxEditField, &box);
    return box.fontMetrics().horizontalAdvance(box.currentText()) > room.width();
}

}  // namespace

bool ElidedTips::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip) return false;
    if (auto* box = qobject_cast<QComboBox*>(watched)) {
        if (!isCut(*box)) return false;
        QStringList tip{box->currentText()};
        if (!box->toolTip().isEmpty()) tip << box->toolTip();
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip.join(u'\n'), box);
        return true;
    }
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
