#include "widgets/common/row_ground.h"

#include <QPainter>
#include <QStyleOptionViewItem>

#include "widgets/common/tokens.h"

namespace orrery {

bool paintRowGround(QPainter* painter, const QStyleOptionViewItem& option) {
    const Tokens& t = currentTokens();
    const bool isCurrent = (option.state & QStyle::State_Selected) != 0;
    if (isCurrent)
        painter->fillRect(QRectF(option.rect), t.currentRow);
    else if ((option.state & QStyle::State_MouseOver) != 0)
        painter->fillRect(QRectF(option.rect), mixed(t.panel, t.raised, 0.6));
    return isCurrent;
}

}  // namespace orrery
