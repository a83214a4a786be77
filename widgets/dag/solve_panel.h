#pragma once

#include <QWidget>

#include "core/run/run_spec.h"
#include "core/run/snapshot.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace orrery {

class SpecForm;

/// The parameters of a solve as a form, and the progress of a live one.
class SolvePanel : public QWidget {
    Q_OBJECT

public:
    explicit SolvePanel(QWidget* parent = nullptr);

    /// The form's parameters; the world is not its business.
    const RunSpec& spec() const { return m_spec; }
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

    /// The editor of a field: "field_beta_h". Null if the form does not have it.
    QWidget* editor(const QString& field) const;
    /// Brings a field into view and gives it the focus.
    void showField(const QString& field);

Q_SIGNALS:
    void specChanged();
    void solveRequested();
    void pauseRequested();
    void resumeRequested();
    void cancelRequested();

private:
    void refresh();
    void makeProgress();

    RunSpec m_spec;
    SpecForm* m_fields;
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
