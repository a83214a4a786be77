#pragma once

#include <QDialog>
#include <QHash>
#include <QStringList>
#include <QTimer>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/run/run_fields.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "core/train/memory_part.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/train_rate.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace orrery {

class ManyRunsRow;
class PresetBox;

/// The parameters of a training as a form made from the table of fields: a few that matter first,
/// all others under "More options". Fields that differ from their default are bold; a wrong one
/// says why beside it. Stays as it was left when it is opened again.
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
    bool isValid() const { return m_problems.isEmpty() && m_numWrong == 0; }

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
    const ForkParent& parentRun() const { return m_parentRun; }
    /// The field's editor gets the focus, wherever it stands; without a name the first one does.
    void showField(const QString& field);
    /// Why it cannot be started now; empty if it can.
    void setBlocked(const QString& why);
    /// The answer to memoryWanted(); too old ones are left.
    /// @param limit  bytes that they may take; 0: not known
    /// @param numAtOnce  of the runs that the form starts
    void setMemory(const RunSpec& spec, const std::vector<MemoryPart>& parts, std::int64_t limit,
                   int numAtOnce = 1);
    /// The answer to rateWanted(); nothing if there was no such run.
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
    /// An option that the filter box finds.
    struct OptionRow {
        QString words, field;
        QList<QWidget*> parts;
    };
    /// What is wrong with a field, and where that is said.
    struct Hint {
        QGridLayout* grid = nullptr;
        int row = 0;
        QLabel* label = nullptr;  ///< null until something was wrong
    };
    void addField(QGridLayout* grid, const RunField& field, int& row);
    void setHint(const QString& name, const QString& text);
    QWidget* makeEditor(const RunField& field, QWidget* parent);
    void makePage();
    QWidget* makeButtons();
    QWidget* makeNameRow();
    QWidget* makePresetRow();
    QWidget* makeSwitchRow(const FormSwitch& known);
    QWidget* makeMethodRow();
    Job freshJob(const RunKind& kind) const;
    void refreshHeading();
    void makeExpert();
    void showExpert(bool shows);
    void filterOptions();
    void refreshTime();
    void askForMemory();
    void refreshName();
    void fitHeight();
    void takeText(const RunField& field, const QString& text);
    void takeSwitch(int index);
    void takeMethod(int index);
    void refreshEditors();
    void refreshAll();
    QStringList refreshProblems();
    void refreshField(const RunField& field);
    void refreshNeed(const RunField& field);
    QWidget* makeForkRow();
    void listCheckpoints(std::optional<std::int64_t> chosen);
    void takeBeginning();
    std::optional<std::int64_t> chosenStep() const;
    RunSpec forkedSpec() const;
    QString structuralChange() const;
    void refreshParent();
    QString stagesText() const;

    RunSpec m_spec;
    const RunKind* m_kind = nullptr;  ///< whose fields these are
    std::vector<WorldRef> m_places;
    ForkParent m_parentRun;
    RunSpec m_forked;  ///< of the parent run where this one begins
    QString m_blocked;
    QHash<QString, QWidget*> m_editors;
    QHash<QString, Hint> m_hints;
    QHash<QString, QString> m_problems;  ///< with what was typed
    QHash<QString, QString> m_shown;     ///< all that are wrong, with the reason beside them
    int m_numWrong = 0;                  ///< fields that only together are wrong
    QLabel* m_heading;
    QLabel* m_parent;
    QWidget* m_forkRow = nullptr;
    QComboBox* m_from = nullptr;  ///< its data: a checkpoint's step; without one: the start
    QCheckBox* m_recorded = nullptr;
    QLabel *m_stages = nullptr, *m_time = nullptr;
    QLineEdit *m_name = nullptr, *m_filter = nullptr;
    QLabel* m_noOption = nullptr;
    std::vector<OptionRow> m_options;  ///< under More options
    QString m_world, m_kindOfRate;
    std::optional<MeasuredRate> m_rate;
    ManyRunsRow* m_many = nullptr;
    QLabel* m_keeping = nullptr;  ///< when checkpoints are made
    QLabel* m_memory = nullptr;   ///< what it comes to hold
    QTimer m_memoryPause;         ///< until it is asked for anew
    Job m_memoryOf;               ///< that was asked for last
    int m_memoryRuns = 0;         ///< and for so many runs
    QString m_tooMuch;            ///< why there is not enough memory; empty: there is
    QLabel* m_why;
    PresetBox* m_preset = nullptr;
    QComboBox* m_switch = nullptr;  ///< null: the kind has none
    QComboBox* m_method = nullptr;
    QScrollArea* m_area;
    QWidget* m_page = nullptr;
    QVBoxLayout* m_column = nullptr;
    QPushButton* m_more = nullptr;
    QWidget* m_expert = nullptr;
    QPushButton* m_start;
};

}  // namespace orrery
