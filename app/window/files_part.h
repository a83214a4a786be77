#pragma once

#include "core/run/run_spec.h"
#include "widgets/part/window_part.h"

class QMenu;

namespace orrery {

class AddressPart;
class ComparePart;
class HistoryPart;
class PlanPart;
class TrainFormPart;
class TrainPart;
class WorldPart;

/// Files that go out and come in: exports, curves of other programs, whatever is dropped on the
/// window or named by another start of the program.
class FilesPart : public WindowPart {
    Q_OBJECT

public:
    /// Who takes what comes in.
    struct Parts {
        WorldPart* world;
        PlanPart* plan;
        TrainPart* train;
        TrainFormPart* form;
        HistoryPart* history;
        ComparePart* compare;
        AddressPart* address;
    };
    FilesPart(Workbench& bench, Parts parts);

    void bindCommands() override;
    void refreshCommands() override;

    /// Shows a world file or example, the runs of a folder, or an address.
    void show(const QString& what);
    /// "Open recent" after the commands of a menu that open: worlds, then workspaces.
    void addRecentMenu(QMenu* menu);

private:
    void bindImports();
    void bindExports();
    void openSpec(const RunSpec& spec);
    void fillRecent(QMenu* menu);

    Parts m_parts;
};

}  // namespace orrery
