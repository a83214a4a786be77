#pragma once

#include <QWidget>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace orrery {

class PlanSession;
class RowList;

/// The agents of the world and the goals of its humans. A pick makes one current.
class AgentsPanel : public QWidget {
    Q_OBJECT

public:
    explicit AgentsPanel(PlanSession* session, QWidget* parent = nullptr);

    /// Puts a part below the goals; the panel owns it and scrolls over all.
    void addBelow(QWidget* part);
    /// Puts that part above the agents, where no list that grows moves it, or below again.
    void setPartFirst(bool isFirst);

private:
    void refresh();
    void pickAgent(int row);
    void pickGoal(int row);

    PlanSession* m_session;
    QLabel* m_title;
    QLabel* m_sentence;
    QScrollArea* m_area;
    QVBoxLayout* m_column;
    QWidget *m_part = nullptr, *m_partLine = nullptr;
    RowList* m_agents;
    QLabel* m_numGoals = nullptr;
    RowList* m_goals;
    QLabel* m_warnings;
};

}  // namespace orrery
