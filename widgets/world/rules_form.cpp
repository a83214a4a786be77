#include "widgets/world/rules_form.h"

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "core/files/world_keys.h"
#include "core/world/world_family.h"
#include "widgets/common/parts.h"
#include "widgets/common/scroll_areas.h"
#include "widgets/common/text_edit.h"
#include "widgets/world/spec_scene.h"
#include "widgets/world/world_editor.h"

namespace orrery {

namespace {

constexpr int kLeastField = 60;  ///< pixels

/// What the worlds of all families have.
std::vector<WorldRule> sharedRules() {
    return {{.key = "metadata.name",
             .label = QT_TRANSLATE_NOOP("orrery::RulesForm", "Name"),
             .text = [](const WorldSpec& spec) { return spec->metadata.name; },
             .take =
                 [](WorldSpec& spec, const std::string& text) {
                     spec->metadata.name = text;
                     return true;
                 }},
            {.key = "max_steps",
             .label = QT_TRANSLATE_NOOP("orrery::RulesForm", "Steps"),
             .text = [](const WorldSpec& spec) { return std::to_string(spec->maxSteps); },
             .take =
                 [](WorldSpec& spec, const std::string& text) {
                     const auto steps = typedWhole(text);
                     if (steps) spec->maxSteps = *steps;
                     return steps.has_value();
                 }}};
}

QString textOf(const WorldSpec& spec, const WorldRule& rule) {
    return QString::fromStdString(rule.text(spec));
}

/// False: it is no such value.
bool takeInto(WorldSpec& spec, const WorldRule& rule, const QString& text) {
    return rule.take(spec, text.trimmed().toStdString());
}

/// True while what is typed means what the spec has: "0." on the way to "0.5".
bool isTypedAs(const QLineEdit& edit, const WorldRule& rule, const WorldSpec& spec) {
    const QString text = textOf(spec, rule);
    WorldSpec typed = spec;
    return edit.text() == text ||
           (edit.hasFocus() && takeInto(typed, rule, edit.text()) && textOf(typed, rule) == text);
}

QString tipOf(const char* key) {
    const WorldFileKey* known = worldFileKey(key);
    if (!known) return {};
    const QString range = QString::fromStdString(known->rangeText());
    return QString::fromUtf8(known->meaning) +
           (range.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(range));
}

}  // namespace

QString ruleLabel(const std::string& key) {
    std::vector<WorldRule> rules = sharedRules();
    for (const WorldFamily* family : worldFamilies())
        if (family->editing != nullptr)
            for (const WorldRule& rule : family->editing->rules()) rules.push_back(rule);
    const auto rule = std::ranges::find(rules, key, &WorldRule::key);
    return rule == rules.end() ? QString::fromStdString(key) : RulesForm::tr(rule->label);
}

RulesForm::RulesForm(WorldEditor* editor, QWidget* parent)
    : QWidget(parent),
      m_editor(editor),
      m_form(new QFormLayout),
      m_ofAgents(new QWidget(this)),
      m_problem(makeLabel({}, "problem", this)) {
    setObjectName(QStringLiteral("rulesForm"));
    setAccessibleName(tr("Name and rules of the world"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    addHeading(column, tr("Name and rules"));
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setSpacing(6);
    m_form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    column->addLayout(m_form);
    addTexts();
    addDescription();
    addChoices();
    column->addWidget(m_ofAgents);
    m_problem->setObjectName(QStringLiteral("rulesProblem"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);
    connect(editor, &WorldEditor::specChanged, this, &RulesForm::refresh);
    refresh();
}

void RulesForm::addRow(const char* key, const QString& label, QWidget* control) {
    control->setObjectName(QStringLiteral("rule_") + QLatin1String(key));
    control->setAccessibleName(label);
    control->setToolTip(tipOf(key));
    control->setMinimumWidth(kLeastField);
    m_form->addRow(makeLabel(label, "label", this), control);
}

void RulesForm::addTexts() {
    for (const WorldRule& rule : sharedRules()) m_rules.push_back({rule});
    for (const WorldFamily* family : worldFamilies())
        if (family->editing != nullptr)
            for (const WorldRule& rule : family->editing->rules())
                m_rules.push_back({rule, family});
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        const WorldRule& rule = m_rules[i].rule;
        auto* edit = new QLineEdit(this);
        addRow(rule.key, tr(rule.label), edit);
        connect(edit, &QLineEdit::textEdited, this, [this, i](const QString& typed) {
            // What is no number yet may become one.
            if (WorldSpec spec = m_editor->spec();
                m_rules[i].isOf(spec) && takeInto(spec, m_rules[i].rule, typed))
                takeText(i, typed);
        });
        connect(edit, &QLineEdit::editingFinished, this, [this, edit, i] {
            takeText(i, edit->text());
            ++m_typing;
        });
        m_fields.push_back({rule.key, edit, [this, edit, i](const WorldSpec& spec) {
                                const TextRule& shown = m_rules[i];
                                if (!shown.isOf(spec)) return false;
                                if (isTypedAs(*edit, shown.rule, spec)) return true;
                                edit->setText(textOf(spec, shown.rule));
                                edit->setCursorPosition(0);  // long ones are read from there
                                return true;
                            }});
    }
}

void RulesForm::addDescription() {
    m_description = new TextEdit(this);
    m_description->setTabChangesFocus(true);
    m_description->setFixedHeight(74);
    connect(m_description, &QPlainTextEdit::textChanged, this, &RulesForm::takeDescription);
    m_description->installEventFilter(this);
    addRow("metadata.description", tr("Description"), m_description);
    m_fields.push_back({"metadata.description", m_description, [this](const WorldSpec& spec) {
                            const QString text = QString::fromStdString(spec->metadata.description);
                            if (m_description->toPlainText().trimmed() != text.trimmed())
                                m_description->setPlainText(text);
                            return true;
                        }});
}

/// A list to choose from. The panel is narrow: it is as wide as there is room, whatever is in it.
QComboBox* RulesForm::addChoice(const WorldRuleChoice& choice, int agent, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(4);
    box->setMinimumWidth(kLeastField);
    box->addItem(tr(choice.none));
    for (const std::string& name : choice.choices) box->addItem(QString::fromStdString(name));
    connect(box, &QComboBox::activated, this,
            [this, choice, agent](int row) { takeChoice(choice, agent, row); });
    return box;
}

void RulesForm::addChoices() {
    for (const WorldFamily* family : worldFamilies()) {
        if (family->editing == nullptr) continue;
        for (const WorldRuleChoice& choice : family->editing->choices()) {
            if (choice.ofAgents) continue;
            QComboBox* box = addChoice(choice, 0, this);
            addRow(choice.key, tr(choice.label), box);
            m_fields.push_back(
                {choice.key, box, [box, family, chosen = choice.chosen](const WorldSpec& spec) {
                     if (family != &spec.family()) return false;
                     box->setCurrentIndex(1 + chosen(spec, 0));
                     return true;
                 }});
        }
    }
}

void RulesForm::makeAgentRows(const std::vector<WorldRuleChoice>& choices, std::size_t numAgents) {
    delete m_ofAgents->layout();
    qDeleteAll(m_ofAgents->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    m_agentBoxes.clear();
    auto* form = new QFormLayout(m_ofAgents);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(6);
    for (const WorldRuleChoice& choice : choices)
        for (std::size_t agent = 0; agent < numAgents; ++agent) {
            QComboBox* box = addChoice(choice, static_cast<int>(agent), m_ofAgents);
            box->setObjectName(
                QStringLiteral("rule_%1_%2").arg(QLatin1String(choice.key)).arg(agent));
            box->setToolTip(tipOf(choice.key));
            form->addRow(makeLabel({}, "label", m_ofAgents), box);
            m_agentBoxes.push_back(box);
        }
}

/// One row an agent; made anew where their number or the family are others.
void RulesForm::refreshAgents() {
    const WorldSpec& spec = m_editor->spec();
    std::vector<WorldRuleChoice> choices = editingOf(spec).choices();
    std::erase_if(choices, [](const WorldRuleChoice& choice) { return !choice.ofAgents; });
    m_ofAgents->setVisible(!choices.empty());
    if (choices.empty()) return;
    const std::vector<QString> letters = specLetters(spec);
    if (m_agentsFamily != &spec.family() || m_agentBoxes.size() != choices.size() * letters.size())
        makeAgentRows(choices, letters.size());
    m_agentsFamily = &spec.family();
    auto* form = static_cast<QFormLayout*>(m_ofAgents->layout());
    for (std::size_t i = 0; i < m_agentBoxes.size(); ++i) {
        const WorldRuleChoice& choice = choices[i / letters.size()];
        const std::size_t agent = i % letters.size();
        QComboBox* box = m_agentBoxes[i];
        const QString label = tr("%1 of %2").arg(tr(choice.label), letters[agent]);
        static_cast<QLabel*>(form->labelForField(box))->setText(label);
        box->setAccessibleName(label);
        box->setCurrentIndex(1 + choice.chosen(spec, static_cast<int>(agent)));
    }
}

void RulesForm::focusName() {
    auto* name = static_cast<QLineEdit*>(m_fields.front().control);
    name->setFocus(Qt::ShortcutFocusReason);
    name->selectAll();
    scrollIntoView(this);
}

void RulesForm::takeText(std::size_t rule, const QString& text) {
    const WorldRule& taken = m_rules[rule].rule;
    if (!m_editor->isOpen() || !m_rules[rule].isOf(m_editor->spec()) ||
        textOf(m_editor->spec(), taken) == text)
        return;
    WorldSpec spec = m_editor->spec();
    m_problem->hide();
    if (!takeInto(spec, taken, text))
        return tell(m_fields[rule].control, tr("%1: write a number").arg(tr(taken.label)) +
                                                QStringLiteral(". ") + tipOf(taken.key));
    m_editor->change(tr("%1 %2").arg(tr(taken.label), text.trimmed()), std::move(spec), m_typing);
    refresh();
}

void RulesForm::takeDescription() {
    if (!m_editor->isOpen()) return;
    WorldSpec spec = m_editor->spec();
    spec->metadata.description = m_description->toPlainText().trimmed().toStdString();
    m_editor->change(tr("Description"), std::move(spec), m_typing);
}

void RulesForm::takeChoice(const WorldRuleChoice& choice, int agent, int row) {
    WorldSpec spec = m_editor->spec();
    choice.choose(spec, agent, row - 1);
    QString text = tr(choice.label);
    if (choice.ofAgents)
        text = tr("%1 of %2").arg(text, specLetters(spec)[static_cast<std::size_t>(agent)]);
    m_editor->change(text, std::move(spec));
}

void RulesForm::refresh() {
    setEnabled(m_editor->isOpen());
    if (!m_editor->isOpen()) return;
    for (const Field& field : m_fields) {
        const QSignalBlocker quiet(field.control);
        m_form->setRowVisible(field.control, field.show(m_editor->spec()));
    }
    refreshAgents();
    markProblems();
}

void RulesForm::tell(QWidget* control, const QString& problem) {
    control->setProperty("invalid", true);
    restyle(control);
    if (m_problem->isHidden()) m_problem->setText(problem);
    m_problem->show();
}

void RulesForm::markProblems() {
    m_problem->hide();
    const std::vector<SpecProblem> problems = validate(m_editor->spec());
    for (const Field& field : m_fields) {
        if (field.control->property("invalid").toBool()) {
            field.control->setProperty("invalid", false);
            restyle(field.control);
        }
        if (!m_form->isRowVisible(field.control)) continue;
        const auto found = std::ranges::find_if(problems, [&](const SpecProblem& problem) {
            return !problem.isWarning && problem.field == field.key;
        });
        if (found == problems.end()) continue;
        tell(field.control, QStringLiteral("%1 %2").arg(field.control->accessibleName(),
                                                        QString::fromStdString(found->text)));
    }
}

/// What is typed after the description was left is a step of undo of its own.
bool RulesForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_description && event->type() == QEvent::FocusOut) ++m_typing;
    return QWidget::eventFilter(watched, event);
}

}  // namespace orrery
