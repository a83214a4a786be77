#pragma once

#include <QWidget>
#include <optional>

#include "core/base/progress.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"
#include "core/solve/spec.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace orrery {

class SpecForm;

/// The parameters of a solve as a form, and the progress of a live one. Those that can be explored
/// have sliders; whoever explores them follows settled().
class SolvePanel : public QWidget {
    Q_OBJECT

public:
    explicit SolvePanel(QWidget* parent = nullptr);

    /// The form's parameters; the world is not its business.
    const RunSpec& spec() const { return m_spec; }
    const SolveSpec& solveSpec() const;
    void setSpec(const RunSpec& spec);
    /// True if no field is wrong.
    bool isValid() const;
    /// What is wrong with the first wrong field; empty: none is.
    QString problem() const;

    /// True if solving with the form's parameters gives other values than those of a solve.
    bool asksOther(const SolveSpec& solved) const;

    void setCanSolve(bool can);
    /// Shows a run's progress; null or an ended run hides it.
    void showRun(const RunSnapshot* snapshot);

    /// What the sliders' buttons reset to; null: the defaults.
    void setExploredRun(const SolveSpec* run);
    /// Takes the values of the parameters that can be explored.
    void setExplored(const SolveSpec& wanted);
    /// How exploring goes; without a text nothing.
    void showExploring(const QString& text, bool isProblem = false);
    /// Shows the progress of a long one; null hides it.
    void showExploringProgress(const Progress* progress);

    /// The editor of a field: "field_beta_h". Null if the form does not have it.
    QWidget* editor(const QString& field) const;
    /// Brings a field into view and gives it the focus.
    void showField(const QString& field);

Q_SIGNALS:
    void specChanged();
    /// After it: what was entered is meant.
    void settled();
    /// A slider is about to be moved.
    void grabbed();
    void solveRequested();
    void pauseRequested();
    void resumeRequested();
    void cancelRequested();

private:
    void refresh();
    void refreshSliders();
    void resetField(const QString& field);
    void makeProgress();
    void showProgress(const Progress& progress, bool isPaused, double seconds);
    SolveSpec& solve();

    RunSpec m_spec;
    std::optional<SolveSpec> m_run;  ///< that is explored
    SpecForm* m_fields;
    QLabel* m_exploring;
    QPushButton* m_solve;
    bool m_canSolve = false;
    bool m_isLive = false;
    bool m_isPaused = false;
    QWidget* m_progress = nullptr;
    QLabel* m_phase = nullptr;
    QLabel* m_remaining = nullptr;
    QLabel* m_rate = nullptr;
    QProgressBar* m_bar = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_cancel = nullptr;
};

}  // namespace orrery
