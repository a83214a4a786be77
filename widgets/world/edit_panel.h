#pragma once

#include <QList>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;
class QToolButton;

namespace orrery {

class Palette;
class PlanSession;
class RowList;
class RulesForm;
class WorldEditor;

/// What belongs to editing beside the map: the palette, the world's name and rules, the goals with
/// their weights, saving, and the live list of what is wrong with the world and how many states it
/// has.
class EditPanel : public QWidget {
    Q_OBJECT

public:
    EditPanel(PlanSession* session, WorldEditor* editor, QWidget* parent = nullptr);

private:
    QWidget* makeMap();
    QWidget* makeGoals();
    void refreshMap();
    QWidget* makeSaving();
    void refreshMode();
    void refreshGoals();
    void refreshFindings();
    void refreshSaving();
    void takeWeight(const QTableWidgetItem* item);
    void removeCurrentGoal();
    void showGoal(int row);

    PlanSession* m_session;
    WorldEditor* m_editor;
    Palette* m_palette;
    QLabel* m_hint;
    QPushButton* m_edit;
    QWidget* m_editing;  ///< shown in edit mode only
    RulesForm* m_rules;
    QLabel* m_size = nullptr;
    QPushButton *m_leftRight = nullptr, *m_upDown = nullptr;
    QList<QToolButton*> m_lines;  ///< remove, insert for each MapSide
    QComboBox* m_owner = nullptr;
    QTableWidget* m_goals = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_save = nullptr;
    QLabel* m_saved = nullptr;
    RowList* m_findings;
};

}  // namespace orrery
