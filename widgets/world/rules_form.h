#pragma once

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "core/world/grid_spec.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;

namespace orrery {

class WorldEditor;

/// A rule as its form names it: "Bush entry" for "enter_bush_success_prob"; other keys as they are.
QString ruleLabel(const std::string& key);

/// What the edited world is called and its rules: steps, probabilities, action sets, pushing. A
/// field is taken when it is left or Enter is pressed, as one undoable change; what the file's
/// reader would refuse is marked at its field and told below.
class RulesForm : public QWidget {
    Q_OBJECT

public:
    RulesForm(WorldEditor* editor, QWidget* parent);

    /// Puts the keyboard into the name, as for renaming.
    void focusName();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// One key of the world's file as a control.
    struct Field {
        const char* key;  ///< as validate() names it
        QWidget* control;
        /// Shows what the spec has; false: the world's family has no such key.
        std::function<bool(const WorldSpec&)> show;
    };

    void addTexts();
    void addDescription();
    void addActionSets();
    void addRow(const char* key, const QString& label, QWidget* control);
    void refreshAgents();
    void takeText(std::size_t rule, const QString& text);
    void takeActions(int agent, int choice);
    void takeDescription();
    void refresh();
    void markProblems();
    void tell(QWidget* control, const QString& problem);

    WorldEditor* m_editor;
    QFormLayout* m_form;
    std::vector<Field> m_fields;
    QPlainTextEdit* m_description = nullptr;
    QComboBox* m_actions = nullptr;
    QWidget* m_ofAgents;  ///< an action set for each agent
    std::vector<QComboBox*> m_agentActions;
    QLabel* m_problem;
    int m_typing = 0;  ///< numbers what is typed without leaving a field
};

}  // namespace orrery
