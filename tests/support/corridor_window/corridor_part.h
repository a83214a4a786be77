#pragma once

#include <QString>
#include <vector>

#include "core/run/run_spec.h"
#include "tests/support/corridor/corridor_environment.h"
#include "widgets/common/command_table.h"
#include "widgets/part/window_part.h"

namespace orrery::test {

class CorridorWalk;

/// A perspective that is no part of the program: a corridor that a person walks by hand, and the
/// form of its rules. It is added by the lists alone, as widgets/README.md says, and shows that
/// they are enough.
class CorridorPart : public WindowPart {
    Q_OBJECT

public:
    explicit CorridorPart(Workbench& bench);

    void addViews() override;
    std::vector<PerspectiveSpec> perspectives() override;
    void bindCommands() override;
    void refreshCommands() override;
    void saveSession(QJsonObject& session) const override;
    void restoreSession(const QJsonObject& session, bool hasOtherWorld) override;
    std::optional<StatusText> status() const override;

    int cell() const { return m_cell; }
    int length() const;
    /// To the left or to the right, as far as there are cells.
    void walk(int cells);

Q_SIGNALS:
    void changed();

private:
    QWidget* makeForm(QWidget* parent);
    void goTo(int cell);

    RunSpec m_spec;  ///< of kind "corridor"; only its rules are used
    int m_cell = 0;
};

/// The program's commands and those of the corridor.
std::vector<CommandSpec> commandsWithCorridor();

}  // namespace orrery::test
