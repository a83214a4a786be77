#pragma once

#include <QWidget>
#include <vector>

#include "core/world/world.h"

class QButtonGroup;
class QGridLayout;
class QLabel;
class QPushButton;

namespace orrery {

class PlanSession;

/// One row of buttons an agent: the joint action of this step. The chosen one of each agent is
/// down. While Alt is held over a button the world shows what would follow its action.
class JointActionPanel : public QWidget {
    Q_OBJECT

public:
    explicit JointActionPanel(PlanSession* session, QWidget* parent = nullptr);

    /// The button of an agent's action; its object name is "action_AGENT_ACTION".
    QPushButton* button(int agent, int action) const;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void setHovered(const QPushButton* button);
    void showTrial(bool shows);
    void rebuild();
    void refresh();
    void addAgent(QGridLayout* grid, int agent, int& row);

    PlanSession* m_session;
    QWidget* m_grid = nullptr;
    std::vector<AgentInfo> m_agents;  ///< whose buttons are there
    std::vector<QString> m_letters;
    int m_columns = 4;
    QPushButton* m_step;
    QPushButton* m_follow;
    std::vector<std::vector<QPushButton*>> m_buttons;  ///< [agent][action]
    const QPushButton* m_hovered = nullptr;            ///< listens to the application meanwhile
};

}  // namespace orrery
