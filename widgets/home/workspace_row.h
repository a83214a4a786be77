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

    bool operator==(const WorkspaceRow&) const = default;
};

/// A run that was interrupted, as Home offers to resume it.
struct InterruptedRow {
    QString id;
    QString title;
    QString why;     ///< how far it came
    QString button;  ///< what a press does
    QString when;

    bool operator==(const InterruptedRow&) const = default;
};

/// A tour as Home offers it.
struct TourRow {
    QString id;
    QString title;
    int minutes = 0;
};

}  // namespace orrery
