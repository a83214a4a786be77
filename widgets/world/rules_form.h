#pragma once

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

#include "core/world/world_editing.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;

namespace orrery {

class WorldEditor;
struct WorldFamily;

/// A rule as its form names it: "Bush entry" for "enter_bush_success_prob"; other keys as they are.
QString ruleLabel(const std::string& key);

/// What the edited world is called and its rules: steps and those of its family, such as
/// probabilities and action sets. A field is taken when it is left or Enter is pressed, as one
/// undoable change; what the file's reader would refuse is marked at its field and told below.
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

    /// A rule with the family that has it; null: all have.
    struct TextRule {
        WorldRule rule;
        const WorldFamily* family = nullptr;

        bool isOf(const WorldSpec& spec) const { return !family || family == &spec.family(); }
    };

    void addTexts();
    void addDescription();
    void addChoices();
    QComboBox* addChoice(const WorldRuleChoice& choice, int agent, QWidget* parent);
    void addRow(const char* key, const QString& label, QWidget* control);
    void refreshAgents();
    void makeAgentRows(const std::vector<WorldRuleChoice>& choices, std::size_t numAgents);
    void takeText(std::size_t rule, const QString& text);
    void takeChoice(const WorldRuleChoice& choice, int agent, int row);
    void takeDescription();
    void refresh();
    void markProblems();
    void tell(QWidget* control, const QString& problem);

    WorldEditor* m_editor;
    QFormLayout* m_form;
    std::vector<TextRule> m_rules;
    std::vector<Field> m_fields;  ///< those of the rules first
    QPlainTextEdit* m_description = nullptr;
    QWidget* m_ofAgents;  ///< what is chosen for each agent
    const WorldFamily* m_agentsFamily = nullptr;
    std::vector<QComboBox*> m_agentBoxes;  ///< choice by choice
    QLabel* m_problem;
    int m_typing = 0;  ///< numbers what is typed without leaving a field
};

}  // namespace orrery
