#pragma once

#include <QDialog>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "core/train/memory_part.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/train_rate.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace orrery {

class ForkRow;
class ManyRunsRow;
class SpecForm;
class TrainOutlook;

/// The parameters of a training as a form, what the run is called and begins with, how long it
/// takes and what it comes to hold. Stays as it was left when it is opened again.
class TrainForm : public QDialog {
    Q_OBJECT

public:
    explicit TrainForm(QWidget* parent = nullptr);

    /// The form's parameters, with the name that was typed; the worlds are those that setSpec()
    /// gave.
    const RunSpec& spec() const { return m_spec; }
    /// The same with a name in any case: one run for every seed and value that is asked for.
    std::vector<RunSpec> namedRuns() const;
    /// The form is for one run again, as most are.
    void forgetMany();
    int numRuns() const;
    void setSpec(const RunSpec& spec);
    bool isValid() const;
    /// All of its rows are made.
    bool isComplete() const;

    /// Where it is trained: the world's title, for the heading.
    void setWorld(const QString& title);
    /// The worlds that a kind gets which is chosen in place of one without any.
    void setWorlds(std::vector<WorldRef> worlds) { m_places = std::move(worlds); }
    /// The run becomes another one's child: the fields are those of the parent where it begins, at
    /// first with the newest checkpoint.
    void fork(ForkParent parent);
    /// The run is one of its own.
    void forgetParent();
    /// The parent's checkpoints, the newest first, have become others.
    void setCheckpoints(std::vector<std::int64_t> steps);
    const ForkParent& parentRun() const;
    /// The field's editor gets the focus, wherever it stands; without a name the first one does.
    void showField(const QString& field);
    /// Why it cannot be started now; empty if it can.
    void setBlocked(const QString& why);
    /// The answers to memoryWanted() and rateWanted(): see TrainOutlook.
    void setMemory(const RunSpec& spec, const std::vector<MemoryPart>& parts, std::int64_t limit,
                   int numAtOnce = 1);
    void setRate(const QString& kind, const std::optional<MeasuredRate>& rate);

Q_SIGNALS:
    void startRequested();
    void methodTaken();
    /// What would a training with this spec come to hold?
    void memoryWanted(const RunSpec& spec);
    /// How fast was a training of this kind?
    void rateWanted(const QString& kind);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makePage();
    QWidget* makeButtons();
    QWidget* makeNameRow();
    QWidget* makeMethodRow();
    Job freshJob(const RunKind& kind) const;
    void refreshHeading();
    void refreshName();
    void fitHeight();
    void takeSwitch(int index);
    void takeMethod(int index);
    void makeSwitch(const FormSwitch& known);
    void showValues();
    void refreshAll();

    RunSpec m_spec;
    const RunKind* m_kind = nullptr;  ///< whose fields these are
    SpecForm* m_fields = nullptr;
    ForkRow* m_fork = nullptr;
    TrainOutlook* m_outlook = nullptr;
    std::vector<WorldRef> m_places;
    QString m_blocked;
    QLabel* m_heading;
    QLineEdit* m_name = nullptr;
    QString m_world;
    ManyRunsRow* m_many = nullptr;
    QLabel* m_why;
    QComboBox* m_switch = nullptr;  ///< null: the kind has none
    QComboBox* m_method = nullptr;
    QPushButton* m_start;
};

}  // namespace orrery
