#pragma once

#include "widgets/plots/cell_table.h"

namespace orrery {

class EntitySession;

/// All things of the episode by their indices: type, features, what acts, what is hidden.
class ThingTable : public CellTable {
    Q_OBJECT

public:
    ThingTable(EntitySession* session, QWidget* parent);

private:
    void refresh();

    EntitySession* m_session;
};

}  // namespace orrery
