#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/selection.h"
#include "widgets/frame/view_spec.h"
#include "widgets/learned/learned_errors.h"

class QAbstractItemModel;
class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableView;

namespace orrery {

class CalibrationPlot;
class Chart;
class ErrorBars;
class ErrorMap;
class ErrorTable;
class LearnedDesk;
class MessageStrip;
class PlanSession;

/// Exact against learned: a checkpoint of a training beside the exact solution of its world. How
/// far each number is off: over training, by state, by step, by visits, by cell, and the worst
/// hundred states. A state that is picked anywhere is told by stateChosen().
class LearnedView : public QWidget, public KeepsState {
    Q_OBJECT

public:
    LearnedView(LearnedDesk* desk, PlanSession* session, QWidget* parent = nullptr);

    /// Shows a training, and its newest checkpoint whenever there is one.
    void showTraining(const QString& runId);
    QString runId() const;
    /// All states with their errors, for F8.
    QAbstractItemModel* tableModel();
    const std::shared_ptr<const LearnedPairs>& pairs() const { return m_pairs; }

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    /// An index in ExactError::byState of the desk's errors.
    void stateChosen(std::int64_t state);
    void trainRequested();
    void figureRequested(QWidget* picture);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeEmptyPage();
    QWidget* makeFullPage();
    QWidget* makeBar(QWidget* page);
    QWidget* makeSummary(QWidget* page);
    QWidget* makeMapCard(QWidget* inner);
    QWidget* makeWorstCard(QWidget* inner);
    void connectParts();
    void layOut();
    void fillRuns();
    void fillTraining();
    void fillQuantities();
    void evaluate(std::int64_t mostStates = -1);
    void showErrors();
    void showQuantity();
    void showMap();
    void showChart();
    void showWorking();
    void followState();
    void hoverState(std::int64_t state);
    std::optional<StateItem> itemOf(std::int64_t state) const;

    LearnedDesk* m_desk;
    PlanSession* m_session;
    std::shared_ptr<const LearnedErrors> m_errors;
    std::shared_ptr<const LearnedPairs> m_pairs;
    std::vector<LearnedQuantity> m_quantities;
    LearnedQuantity m_wanted;     ///< the quantity that was picked last
    bool m_isSameWorld = false;   ///< the session shows the world of the errors
    bool m_isStale = false;       ///< something newer is to be evaluated when it is shown
    bool m_followsNewest = true;  ///< the newest checkpoint is picked
    int m_numColumns = 0;         ///< of the cards

    QStackedWidget* m_pages;
    QWidget *m_empty = nullptr, *m_full = nullptr;
    QComboBox *m_runs = nullptr, *m_checkpoints = nullptr, *m_worlds = nullptr,
              *m_quantity = nullptr, *m_agent = nullptr;
    QPushButton *m_again = nullptr, *m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel *m_phase = nullptr, *m_mean = nullptr, *m_worst = nullptr, *m_unvisited = nullptr,
           *m_states = nullptr, *m_calibrationUnit = nullptr;
    MessageStrip* m_strip = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<QWidget*> m_cards;
    CalibrationPlot* m_calibration = nullptr;
    ErrorMap* m_map = nullptr;
    QSpinBox *m_from = nullptr, *m_to = nullptr;
    ErrorBars *m_levels = nullptr, *m_visits = nullptr;
    Chart* m_chart = nullptr;
    ErrorTable *m_worstModel, *m_allModel;
    QTableView* m_worstTable = nullptr;
};

}  // namespace orrery
