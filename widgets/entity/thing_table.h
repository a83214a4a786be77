#pragma once

#include "widgets/plots/cell_table.h"

namespace orrery {

class EntitySession;

/// All things of the frame by their indices: type, features, what acts, what is hidden, and how
/// much the picked one looks at each. A row that is picked is picked everywhere.
class ThingTable : public CellTable {
    Q_OBJECT

public:
    ThingTable(EntitySession* session, QWidget* parent);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void refresh();
    void showPicked();

    EntitySession* m_session;
    bool m_isFilling = false;
};

}  // namespace orrery
