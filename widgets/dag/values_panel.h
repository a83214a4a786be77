#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace orrery {

class PlanSession;
class ValueBars;

/// Everything that the solution says about the current state: V_r and U_r, the robot's policy and
/// Q_r, and for each human X_h and V_h^e of each goal; of the current goal also phase 1's V and the
/// human's policy. Before a solve it says how to get there.
class ValuesPanel : public QWidget {
    Q_OBJECT

public:
    explicit ValuesPanel(PlanSession* session, QWidget* parent = nullptr);

    /// The two numbers at the top, as shown: "v_rValue" and "u_rValue".
    QWidget* header() const { return m_header; }

Q_SIGNALS:
    void solveRequested();

private:
    struct HumanPart {
        QLabel* x_h = nullptr;
        ValueBars* goals = nullptr;
        QLabel* policyTitle = nullptr;
        QLabel* policyRemark = nullptr;
        ValueBars* policy = nullptr;
        QLabel* phase1 = nullptr;
    };
    void makeHeader();
    QWidget* makeCard(const QString& symbol, const QString& name, QLabel*& value);
    void rebuildHumans();
    void refresh();
    void refreshRobot();
    void refreshHuman(std::size_t human);

    PlanSession* m_session;
    QWidget* m_header = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_subtitle = nullptr;
    QLabel* m_v_r = nullptr;
    QLabel* m_u_r = nullptr;
    QWidget* m_cards = nullptr;
    QWidget* m_empty = nullptr;
    QVBoxLayout* m_valuesLayout = nullptr;
    QLabel* m_policyRemark = nullptr;
    ValueBars* m_policy = nullptr;
    QWidget* m_humansPart = nullptr;
    std::vector<HumanPart> m_humans;
};

}  // namespace orrery
