#pragma once

#include <QHash>
#include <QWidget>
#include <memory>
#include <string>

#include "core/run/run_fields.h"
#include "core/run/run_spec.h"
#include "core/run/snapshot.h"

class QFormLayout;
class QGridLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;

namespace orrery {

class PresetBox;

/// The parameters of a solve as a form made from the table of fields, and the progress of a live
/// one. Fields that differ from their default are bold; a wrong one says why beside it.
class SolvePanel : public QWidget {
    Q_OBJECT

public:
    explicit SolvePanel(QWidget* parent = nullptr);

    /// The form's parameters; the world is not its business.
    const RunSpec& spec() const { return m_spec; }
    void setSpec(const RunSpec& spec);
    /// True if no field is wrong.
    bool isValid() const { return m_problems.isEmpty(); }
    /// What is wrong with the first wrong field; empty: none is.
    QString problem() const;

    /// True if solving with the form's parameters gives other values than those of a solve.
    bool asksOther(const SolveSpec& solved) const;

    void setCanSolve(bool can);
    /// Shows a run's progress; null or an ended run hides it.
    void showRun(const RunSnapshot* snapshot);

    /// The editor of a field, for tests: "field_beta_h".
    QWidget* editor(const QString& field) const { return m_editors.value(field); }
    /// Brings a field into view and gives it the focus.
    void showField(const QString& field);

Q_SIGNALS:
    void specChanged();
    void solveRequested();
    void pauseRequested();
    void resumeRequested();
    void cancelRequested();

private:
    void addPreset(QGridLayout* grid, int& row);
    void addField(QGridLayout* grid, const RunField& field, int& row);
    QWidget* makeEditor(const RunField& field);
    void takeText(const RunField& field, const QString& text);
    void refreshField(const RunField& field);
    void refreshAll();
    void showExpert(bool shows);
    void makeProgress();

    RunSpec m_spec;
    PresetBox* m_preset = nullptr;
    QHash<QString, QWidget*> m_editors;
    QHash<QString, QLabel*> m_names;
    QHash<QString, QLabel*> m_hints;  ///< the line under a wrong field
    QHash<QString, QString> m_problems;
    QList<QWidget*> m_expert;
    QScrollArea* m_area = nullptr;
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
