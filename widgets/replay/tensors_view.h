#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "widgets/frame/view_spec.h"
#include "widgets/replay/encoded_text.h"

class QAbstractItemModel;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace orrery {

class ActivationPanel;
class PlaneGrid;
class PlanSession;
class ReadyTable;
class ReplayFeed;

/// What a learner is given of a state: its planes as heat maps, its compact cells bit by bit, the
/// numbers of agents, of interactive things and of the world, and what the layers of its networks
/// make of it. Of the session's state, or of a state of the replay buffer.
class TensorsView : public QWidget, public KeepsState {
    Q_OBJECT

public:
    /// @param feed  the training whose networks are looked into; null: none
    explicit TensorsView(PlanSession* session, ReplayFeed* feed = nullptr,
                         QWidget* parent = nullptr);

    /// The state of the replay buffer that was picked there; null: none.
    void setReplayState(std::shared_ptr<const ShownState> state);
    const std::shared_ptr<const ShownState>& shown() const { return m_shown; }
    PlaneGrid* planes() { return m_planes; }
    ActivationPanel* activations() { return m_activations; }
    /// Whether somebody looks into networks, which needs a training.
    bool wantsTraining() const;
    /// The planes as a table, or the layers.
    QAbstractItemModel* tableModel();

    QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

Q_SIGNALS:
    void trainingWanted();  ///< wantsTraining() became true

protected:
    void showEvent(QShowEvent* event) override;

private:
    void nameParts();
    void layOut();
    QTableView* addTable(ReadyTable* model, const char* name, const QString& title);
    PlaneLayout layoutChosen() const;
    void encodeSelected();
    void refresh();
    void refreshCell();

    PlanSession* m_session;
    QComboBox *m_source, *m_layout;
    QLabel *m_title, *m_readout, *m_empty;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    PlaneGrid* m_planes;
    ActivationPanel* m_activations;
    ReadyTable *m_planeTable, *m_cells, *m_agents, *m_interactive, *m_globals;
    std::shared_ptr<const ShownState> m_selected, m_replay, m_shown;
    bool m_isStale = true;  ///< the state changed while nothing was seen
    QString m_problem;      ///< why the selected state cannot be encoded
};

}  // namespace orrery
