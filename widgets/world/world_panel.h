#pragma once

#include <QFrame>

class QComboBox;
class QLabel;
class QPushButton;

namespace orrery {

class LegendStrip;
class PlanSession;
class WorldView;

/// The world with its view bar (heat, arrows, goals, ghosts) above and the legend below.
class WorldPanel : public QFrame {
    Q_OBJECT

public:
    explicit WorldPanel(PlanSession* session, QWidget* parent = nullptr);

    WorldView* view() const { return m_view; }

private:
    QWidget* makeBar();
    QPushButton* makeToggle(const QString& name, const QString& text, const QString& tip,
                            void (WorldView::*apply)(bool));
    void fillHeatChoices();
    void showHeatChoice();
    void takeHeatChoice(int index);
    void refreshChip();

    PlanSession* m_session;
    WorldView* m_view;
    LegendStrip* m_legend;
    QComboBox* m_heat = nullptr;
    QLabel* m_chip = nullptr;
};

}  // namespace orrery
