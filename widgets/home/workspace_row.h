#pragma once

#include <QString>

namespace orrery {

/// A workspace that was opened before, as Home lists it.
struct WorkspaceRow {
    QString folder;   ///< its path: what opens it
    QString name;     ///< "maze-study"
    QString remark;   ///< "12 runs · 1.4 GB"
    QString when;     ///< "today 07:52"
    QString problem;  ///< why it cannot be opened, "the folder is gone"; empty: it can
};

/// A tour as Home offers it.
struct TourRow {
    QString id;
    QString title;
    int minutes = 0;
};

}  // namespace orrery
