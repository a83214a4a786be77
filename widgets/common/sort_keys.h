#pragma once

#include <QObject>

namespace orrery {

/// Sorts a table that its headings sort by keys, too: "<" and ">" by the column before and after,
/// "=" the other way round. Installed on the application, it serves all tables.
class SortKeys : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace orrery
