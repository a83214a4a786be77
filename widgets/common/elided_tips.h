#pragma once

#include <QObject>

namespace orrery {

/// Tells the whole text of a cell that is too narrow for it, in a tip, where the cell has none of
/// its own. Installed on the application, it serves all lists and tables.
class ElidedTips : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace orrery
