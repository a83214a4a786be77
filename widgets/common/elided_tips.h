#pragma once

#include <QObject>

namespace orrery {

/// Tells the whole text of a cell or a combo box that is too narrow for it, in a tip: of a cell
/// that has none of its own, above the tip of a box. Installed on the application, it serves all
/// lists, tables and boxes.
class ElidedTips : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace orrery
