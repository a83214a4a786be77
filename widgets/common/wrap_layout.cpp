#include "widgets/common/wrap_layout.h"

#include <algorithm>

namespace orrery {

WrapLayout::WrapLayout(QWidget* parent) : QLayout(parent) {}

WrapLayout::~WrapLayout() {
    for (const QLayoutItem* item : m_items) delete item;
}

void WrapLayout::addItem(QLayoutItem* item) {
    m_items.push_back(item);
}

QLayoutItem* WrapLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* WrapLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item) m_items.erase(m_items.begin() + index);
    return item;
}

int WrapLayout::heightForWidth(int width) const {
    return place(QRect(0, 0, width, 0), false);
}

QSize WrapLayout::sizeHint() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize hint = item->sizeHint();
        size.rwidth() += hint.width() + (size.width() > 0 ? spacing() : 0);
        size.setHeight(std::max(size.height(), hint.height()));
    }
    const QMargins margins = contentsMargins();
    return size.grownBy(margins);
}

QSize WrapLayout::minimumSize() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    place(rect, true);
}

int WrapLayout::place(const QRect& rect, bool moves) const {
    const QRect room = rect.marginsRemoved(contentsMargins());
    int top = room.top();
    std::vector<QLayoutItem*> row;
    int taken = 0, height = 0;
    const auto end = [&] {
        if (row.empty()) return;
        const auto numWide =
            static_cast<int>(std::ranges::count_if(row, [](const QLayoutItem* item) {
                return item->expandingDirections().testFlag(Qt::Horizontal);
            }));
        int left = room.left(), spare = std::max(0, room.width() - taken), wide = numWide;
        for (QLayoutItem* item : row) {
            int width = std::min(item->sizeHint().width(), room.width());
            if (item->expandingDirections().testFlag(Qt::Horizontal)) {
                const int share = std::min(spare / wide--, item->maximumSize().width() - width);
                width += std::max(0, share);
                spare -= std::max(0, share);
            }
            if (moves) {
                const int tall = std::min(height, item->sizeHint().height());
                item->setGeometry(QRect(left, top + (height - tall) / 2, width, tall));
            }
            left += width + spacing();
        }
        top += height;
        row.clear();
        taken = height = 0;
    };
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize hint = item->sizeHint();
        const int width = std::min(hint.width(), room.width());
        if (!row.empty() && taken + spacing() + width > room.width()) {
            end();
            top += spacing();
        }
        taken += width + (row.empty() ? 0 : spacing());
        height = std::max(height, hint.height());
        row.push_back(item);
    }
    end();
    return top - rect.top() + contentsMargins().bottom();
}

}  // namespace orrery
