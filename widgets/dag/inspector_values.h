#pragma once

#include <QWidget>
#include <vector>

#include "widgets/dag/value_table.h"

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace orrery {

class InspectorState;
class ValueMatrix;

/// The numbers of the inspected state: Q_r over joint robot actions (a matrix for two robots),
/// pi_r, for each human V_h^e and phase 1's V of each goal with X_h, and pi_h of one goal.
class InspectorValues : public QWidget {
    Q_OBJECT

public:
    InspectorValues(InspectorState* state, QWidget* parent);

    /// Shows the policy of a goal, and selects it.
    void chooseGoal(int human, int goal);

    /// Joint robot actions beyond the likeliest are listed too, not summed up.
    bool showsAllActions() const;
    void setShowsAllActions(bool showsAll);

private:
    struct HumanPart {
        ValueTable* goals = nullptr;    ///< "goalBars_H"
        QLabel* phase1Title = nullptr;  ///< while numbers are compared
        ValueTable* phase1 = nullptr;   ///< "phase1Bars_H"
        ValueTable* ability = nullptr;  ///< "x_hValue_H"
    };
    void makeRobotPart();
    void makeHumanPolicy();
    void makeHumans();
    void refresh();
    void refreshQ();
    void refreshMatrix(const std::vector<double>& q, const std::vector<double>* pinned);
    void refreshPolicy();
    void refreshHuman(int human);
    void refreshHumanPolicy();
    void fillGoalChoice();
    void markQuestion();
    bool hasMatrix() const;

    InspectorState* m_state;
    QVBoxLayout* m_layout;
    QWidget *m_robotPart = nullptr, *m_humansPart = nullptr, *m_humanPolicyPart = nullptr;
    QLabel *m_qTitle = nullptr, *m_qRemark = nullptr, *m_policyRemark = nullptr;
    QWidget* m_qHead = nullptr;
    ValueMatrix* m_matrix = nullptr;
    ValueTable *m_q = nullptr, *m_policy = nullptr, *m_humanPolicy = nullptr;
    QComboBox *m_humanChoice = nullptr, *m_goalChoice = nullptr;
    QLabel* m_humanPolicyRemark = nullptr;
    QPushButton* m_allActions = nullptr;
    std::vector<HumanPart> m_humans;
    std::vector<std::pair<QString, std::size_t>> m_madeFor;  ///< letter and number of goals
    int m_human = 0, m_goal = 0;
};

}  // namespace orrery
