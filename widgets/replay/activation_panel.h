#pragma once

#include <QElapsedTimer>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/empo/learner_desk.h"
#include "core/replay/world_facts.h"
#include "widgets/replay/encoded_text.h"

class QAbstractItemModel;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace orrery {

class ActivationGrid;
class ReadyTable;
class PlanSession;
class ReplayFeed;

/// What the layers of a chosen network give for a state: of the live training, which is asked again
/// every second, or of a stored one's newest checkpoint. A table has no layers: its row is shown.
/// Nothing is computed here, nor while nobody looks. GUI thread only.
class ActivationPanel : public QWidget {
    Q_OBJECT

public:
    /// @param feed  null: there is never a training
    ActivationPanel(ReplayFeed* feed, PlanSession* session, QWidget* parent = nullptr);

    /// The state to look into; null: none. Its shape may be another than the training's: then it
    /// must be the session's state, which is encoded anew.
    void setState(std::shared_ptr<const ShownState> state, bool isOfSession);

    ActivationGrid* grid() { return m_grid; }
    /// The layers, or the row of a table, as a table.
    QAbstractItemModel* tableModel();
    /// What the learner says of the state: the value that the last layer leads to.
    const std::vector<float>& value() const { return m_value; }

Q_SIGNALS:
    void readoutChanged(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void nameParts();
    void layOut();
    void takeTraining();
    void fillHumans();
    void fillGoals();
    void fillColumns();
    /// Asks, if somebody looks and there is something to ask.
    void ask();
    void askAgain();
    std::vector<std::byte> statesToAsk(int layout) const;
    void addReplayStates(int layout, std::vector<std::byte>& states) const;
    void addSolvedStates(int layout, std::vector<std::byte>& states) const;
    int layoutOf(const World& world) const;  ///< -1: not of the training
    void take(const std::shared_ptr<const ValueAnswer>& answer);
    void showTable(const NetActivations& net);
    void say(const QString& text);

    ReplayFeed* m_feed;
    PlanSession* m_session;
    QComboBox *m_quantity, *m_human, *m_goal, *m_copy;
    QLabel *m_facts, *m_message;
    QStackedWidget* m_pages;
    ActivationGrid* m_grid;
    ReadyTable *m_layers, *m_row;
    QWidget *m_gridPage, *m_rowPage;
    QLabel* m_rowText;
    std::vector<WorldFacts> m_worlds;  ///< of the training
    std::vector<const World*> m_known;
    std::shared_ptr<const ShownState> m_state;
    bool m_isOfSession = true, m_isAwaiting = false;
    std::int64_t m_number = -1;  ///< of the newest question
    QElapsedTimer m_sinceAsked;
    std::vector<float> m_value;
};

}  // namespace orrery
