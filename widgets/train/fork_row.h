#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/run_spec.h"
#include "widgets/train/stored_training.h"

class QCheckBox;
class QComboBox;
class QLabel;

namespace orrery {

/// What a training begins with that is another one's child: a checkpoint of that or its start, with
/// what was changed while it trained or without. Hidden while there is no parent.
class ForkRow : public QWidget {
    Q_OBJECT

public:
    /// @param spec  of the form; its owner, who outlives the row, keeps it
    ForkRow(RunSpec& spec, QWidget* parent);

    /// Begins at first with the newest checkpoint. @return the parent's spec there
    const RunSpec& setParentRun(ForkParent parent);
    const ForkParent& parentRun() const { return m_parentRun; }
    /// The run is one of its own.
    void forgetParent();
    /// The parent's checkpoints, the newest first, have become others.
    void setCheckpoints(std::vector<std::int64_t> steps);
    /// Says with what the run begins, and puts it into the spec.
    void refresh();

Q_SIGNALS:
    /// Another beginning: fields of the spec that were still the parent's are its values there.
    void changed();

private:
    QWidget* makeChoice();
    void listCheckpoints(std::optional<std::int64_t> chosen);
    void takeBeginning();
    std::optional<std::int64_t> chosenStep() const;
    RunSpec forkedSpec() const;
    QString structuralChange() const;

    RunSpec& m_spec;
    ForkParent m_parentRun;
    RunSpec m_forked;  ///< of the parent run where this one begins
    QLabel* m_remark;
    QComboBox* m_from = nullptr;  ///< its data: a checkpoint's step; without one: the start
    QCheckBox* m_recorded = nullptr;
};

}  // namespace orrery
