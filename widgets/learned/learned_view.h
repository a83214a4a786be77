#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/common/selection.h"
#include "widgets/frame/view_spec.h"
#include "widgets/learned/shown_errors.h"

class QAbstractItemModel;
class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableView;

namespace orrery {

class BackgroundWorker;
class CalibrationPlot;
class Chart;
class ErrorBars;
class ErrorMap;
class ErrorTable;
class LearnedDesk;
class MessageStrip;
class PlanSession;
class StatePicture;

/// Exact against learned: a checkpoint of a training beside the exact solution of its world. How
/// far each number is off: over training, by state, by step, by visits, by cell, and the worst
/// hundred states. A state that is picked anywhere is told by stateChosen(). What is drawn is
/// prepared on a thread of the view's own: until it is there the pictures of another checkpoint or
/// quantity stay, those of another training do not.
class LearnedView : public QWidget, public KeepsState {
    Q_OBJECT

public:
    LearnedView(LearnedDesk* desk, PlanSession* session, QWidget* parent = nullptr);
    ~LearnedView() override;

    /// Shows a training, and its newest checkpoint whenever there is one.
    void showTraining(const QString& runId);
    QString runId() const;
    /// All states with their errors, for F8.
    QAbstractItemModel* tableModel();
    /// Shows a comparison, as soon as its pictures are prepared.
    void showErrors(std::shared_ptr<const LearnedErrors> errors);
    /// What the pictures show; null before the first.
    std::shared_ptr<const LearnedPairs> pairs() const { return m_shown ? m_shown->pairs : nullptr; }

    /// The comparison that they are of; null before the first.
    std::shared_ptr<const LearnedErrors> errors() const {
        return m_shown ? m_shown->errors : nullptr;
    }

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    /// An index in ExactError::byState of the desk's errors.
    void stateChosen(std::int64_t state);
    void trainRequested();
    void planRequested();  ///< the current state shall be looked at in Plan
    void figureRequested(QWidget* picture);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeEmptyPage();
    QWidget* makeFullPage();
    QWidget* makePictures(QWidget* page);
    QWidget* makeBar(QWidget* page);
    QWidget* makeSummary(QWidget* page);
    QWidget* makeMapCard(QWidget* inner);
    QWidget* makeWorstCard(QWidget* inner);
    QWidget* makeChosen(QWidget* card);
    void connectParts();
    void layOut();
    void fillRuns();
    void fillTraining();
    void fillQuantities();
    void evaluate(std::int64_t mostStates = -1);
    /// What is drawn, and the map of one agent and some steps.
    struct Pictures {
        std::shared_ptr<const ShownErrors> shown = {};
        int agent = 0;
        ErrorField field = {};
    };
    void prepare();
    void take(const Pictures& pictures);
    void showQuantity();
    void showWorst();
    void showChosen(std::int64_t state);
    void choose(std::int64_t state);
    void showChart();
    void showWorking();
    void showBody();
    void followState();
    void hoverState(std::int64_t state);
    std::optional<StateItem> itemOf(std::int64_t state) const;

    LearnedDesk* m_desk;
    PlanSession* m_session;
    std::shared_ptr<const LearnedErrors> m_newest;  ///< that the choices are about
    std::shared_ptr<const ShownErrors> m_shown;     ///< in the pictures; may be older
    std::vector<ValueOf> m_quantities;
    ValueOf m_wanted{.kind = ValueKind::V_h_e};  ///< the quantity that was picked last
    bool m_isSameWorld = false;                  ///< the session shows the world of the errors
    bool m_isStale = false;       ///< something newer is to be evaluated when it is shown
    bool m_followsNewest = true;  ///< the newest checkpoint is picked
    int m_numColumns = 0;         ///< of the cards

    QStackedWidget* m_pages;
    QWidget *m_empty = nullptr, *m_full = nullptr;
    QStackedWidget* m_body =
        nullptr;  ///< pictures of the run that is picked, or why there are none
    QWidget* m_pictures = nullptr;
    QLabel* m_waiting = nullptr;
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
    QCheckBox* m_seenOnly = nullptr;
    QLabel* m_worstRemark = nullptr;
    QWidget* m_chosen = nullptr;  ///< the current state beside the table
    StatePicture* m_chosenPicture = nullptr;
    std::unique_ptr<BackgroundWorker> m_preparing;
};

}  // namespace orrery
