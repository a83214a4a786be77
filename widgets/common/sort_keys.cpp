#include "widgets/common/sort_keys.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <algorithm>

namespace orrery {

namespace {

/// Sorts by the next column in that direction that is shown and can be sorted by.
void sortByNext(QTableView& table, int direction) {
    QHeaderView& header = *table.horizontalHeader();
    const int sorted = header.sortIndicatorSection();
    int place = sorted < 0 || sorted >= header.count() ? (direction > 0 ? -1 : header.count())
                                                       : header.visualIndex(sorted);
    for (place += direction; place >= 0 && place < header.count(); place += direction) {
        const int column = header.logicalIndex(place);
        if (header.isSectionHidden(column)) continue;
        header.setSortIndicator(column, Qt::AscendingOrder);
        // A heading that sorts nothing gives the mark back.
        if (header.sortIndicatorSection() != column) continue;
        const int row = std::max(0, table.currentIndex().row());
        return table.scrollTo(table.model()->index(row, column, table.rootIndex()));
    }
}

}  // namespace

bool SortKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    auto* table = qobject_cast<QTableView*>(watched);
    if (table == nullptr || table->model() == nullptr) return false;
    QHeaderView* header = table->horizontalHeader();
    if (!header->isSortIndicatorShown() || !header->sectionsClickable()) return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Less:
            sortByNext(*table, -1);
            return true;
        case Qt::Key_Greater:
            sortByNext(*table, 1);
            return true;
        case Qt::Key_Equal:
            if (header->sortIndicatorSection() >= 0)
                header->setSortIndicator(header->sortIndicatorSection(),
                                         header->sortIndicatorOrder() == Qt::AscendingOrder
                                             ? Qt::DescendingOrder
                                             : Qt::AscendingOrder);
            return true;
        default:
            return false;
    }
}

}  // namespace orrery
