#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "core/run/run_spec.h"
#include "widgets/explore/sweep_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;
class QTabWidget;

namespace orrery {

class OutcomeHeat;
class QueueBridge;

/// A sweep over one or two parameters: the form, its runs while they are carried out, and what came
/// out. It starts nothing itself.
class SweepPanel : public QWidget {
    Q_OBJECT

public:
    /// What all runs of a sweep share; nothing while no world is open.
    using Base = std::function<std::optional<RunSpec>()>;

    SweepPanel(QueueBridge* queue, Base base, QWidget* parent = nullptr);

    /// Seconds that a solve of this world took; 0: not known.
    void setSolveSeconds(double seconds);
    /// Reads the base again: another world may be open.
    void refresh();
    /// Puts the cursor into the first list of values.
    void focusForm();
    QAbstractItemModel* tableModel() { return &m_model; }
    OutcomeChart* outcomeChart() { return m_outcome; }
    OutcomeHeat* outcomeHeat() { return m_heat; }
    QStringList runIds() const { return m_model.runIds(); }

Q_SIGNALS:
    void startRequested(const std::vector<orrery::RunSpec>& specs, const QString& tag);
    void compareRequested(const QStringList& runIds);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Axis {
        QComboBox* field;
        QLineEdit* values;
    };

    Axis makeAxis(int number, QWidget* form, QWidget* label);
    QWidget* makeForm();
    QWidget* makeRuns();
    SweepReading reading() const;
    void start();
    void followQueue();

    QueueBridge* m_queue;
    Base m_base;
    std::vector<Axis> m_axes;
    SweepModel m_model;
    double m_solveSeconds = 0;
    QLabel* m_preview = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_start = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_count = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_cancelOne = nullptr;
    QPushButton* m_cancelAll = nullptr;
    QPushButton* m_compare = nullptr;
    OutcomeChart* m_outcome = nullptr;
    OutcomeHeat* m_heat = nullptr;
    QTabWidget* m_outcomes = nullptr;  ///< chart, heat table; where it is narrow the runs too
    QSplitter* m_split = nullptr;
    QWidget* m_runs = nullptr;
    bool m_isNarrow = false;
};

}  // namespace orrery
