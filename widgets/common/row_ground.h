#pragma once

class QPainter;
class QStyleOptionViewItem;

namespace orrery {

/// Fills what lies under a cell of a table's row: the colour of the current row, or a lighter one
/// under the pointer. For delegates that draw a row in the program's look.
/// @return whether it is the current row
bool paintRowGround(QPainter* painter, const QStyleOptionViewItem& option);

}  // namespace orrery
