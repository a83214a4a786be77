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
#include <array>
#include <type_traits>
#include <variant>

#include "core/files/world_keys.h"
#include "widgets/common/parts.h"
#include "widgets/common/scroll_areas.h"
#include "widgets/common/text_edit.h"
#include "widgets/world/spec_edit.h"
#include "widgets/world/spec_scene.h"
#include "widgets/world/world_editor.h"

namespace orrery {

namespace {

constexpr int kLeastField = 60;  ///< pixels

struct StepsOfAny {};  ///< both families have them
using Member = std::variant<std::string WorldMetadata::*, std::string GridWorldSpec::*,
                            double GridWorldSpec::*, int BushWorldSpec::*, StepsOfAny>;

/// A key that is written in one line.
struct TextRule {
    const char* key;
    const char* label;
    Member member;
};

const std::array kTextRules{
    TextRule{"metadata.name", QT_TRANSLATE_NOOP("orrery::RulesForm", "Name"), &WorldMetadata::name},
    TextRule{"max_steps", QT_TRANSLATE_NOOP("orrery::RulesForm", "Steps"), StepsOfAny{}},
    TextRule{"B", QT_TRANSLATE_NOOP("orrery::RulesForm", "Capacity"), &BushWorldSpec::capacity},
    TextRule{"fill_density", QT_TRANSLATE_NOOP("orrery::RulesForm", "Density below"),
             &BushWorldSpec::fillDensity},
    TextRule{"stumble_probability", QT_TRANSLATE_NOOP("orrery::RulesForm", "Stumbling"),
             &GridWorldSpec::stumbleProbability},
    TextRule{"magic_entry_probability", QT_TRANSLATE_NOOP("orrery::RulesForm", "Magic entry"),
             &GridWorldSpec::magicEntryProbability},
    TextRule{"solidify_probability", QT_TRANSLATE_NOOP("orrery::RulesForm", "Solidifying"),
             &GridWorldSpec::solidifyProbability},
    TextRule{"enter_bush_success_prob", QT_TRANSLATE_NOOP("orrery::RulesForm", "Bush entry"),
             &GridWorldSpec::enterBushSuccessProbability},
    TextRule{"duration_per_nonzero_action",
             QT_TRANSLATE_NOOP("orrery::RulesForm", "Time an action"),
             &GridWorldSpec::durationPerNonzeroAction},
    TextRule{"can_push_rocks", QT_TRANSLATE_NOOP("orrery::RulesForm", "Push rocks"),
             &GridWorldSpec::canPushRocks},
};

constexpr std::array kActionSets{ActionSet::Small, ActionSet::Object, ActionSet::All,
                                 ActionSet::Mine, ActionSet::Minimal};

template <typename Spec>
auto& metadataIn(Spec& spec) {
    return std::visit(
        [](auto& s) -> auto& { return s.metadata; }, spec);
}

int* placeOf(WorldSpec& spec, StepsOfAny /*member*/) {
    return std::visit([](auto& s) { return &s.maxSteps; }, spec);
}

/// Where the member is in a spec; null: the family has none.
template <typename Owner, typename Value>
Value* placeOf(WorldSpec& spec, Value Owner::*member) {
    if constexpr (std::is_same_v<Owner, WorldMetadata>) {
        return &(metadataIn(spec).*member);
    } else {
        auto* own = std::get_if<Owner>(&spec);
        return own ? &(own->*member) : nullptr;
    }
}

QString textOf(const std::string& value) {
    return QString::fromStdString(value);
}
QString textOf(double value) {
    return QString::number(value, 'g', 15);
}
QString textOf(int value) {
    return QString::number(value);
}

bool take(std::string& place, const QString& text) {
    place = text.trimmed().toStdString();
    return true;
}
bool take(double& place, const QString& text) {
    bool isNumber = false;
    const double value = text.trimmed().toDouble(&isNumber);
    if (isNumber) place = value;
    return isNumber;
}
bool take(int& place, const QString& text) {
    bool isNumber = false;
    const int value = text.trimmed().toInt(&isNumber);
    if (isNumber) place = value;
    return isNumber;
}

/// What a spec has under a rule; nothing: its family has no such key.
std::optional<QString> textOf(WorldSpec spec, const TextRule& rule) {
    return std::visit(
        [&spec](auto member) -> std::optional<QString> {
            const auto* place = placeOf(spec, member);
            return place ? std::optional(textOf(*place)) : std::nullopt;
        },
        rule.member);
}

/// False: the text is no number.
bool takeInto(WorldSpec& spec, const TextRule& rule, const QString& text) {
    return std::visit(
        [&](auto member) {
            auto* place = placeOf(spec, member);
            return place && take(*place, text);
        },
        rule.member);
}

/// True while what is typed means what the spec has: "0." on the way to "0.5".
bool isTypedAs(const QLineEdit& edit, const TextRule& rule, const WorldSpec& spec) {
    const auto text = textOf(spec, rule);
    WorldSpec typed = spec;
    return edit.text() == text ||
           (edit.hasFocus() && takeInto(typed, rule, edit.text()) && textOf(typed, rule) == text);
}

/// The panel is narrow: a list is as wide as there is room, whatever stands in it.
void fillActionSets(QComboBox* box, const QString& none) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(4);
    box->setMinimumWidth(kLeastField);
    box->addItem(none);
    for (const ActionSet set : kActionSets) box->addItem(QLatin1String(actionSetName(set)));
}

int choiceOf(const std::optional<ActionSet>& set) {
    if (!set) return 0;
    return 1 + static_cast<int>(std::ranges::find(kActionSets, *set) - kActionSets.begin());
}

std::optional<ActionSet> setOfChoice(int choice) {
    if (choice <= 0) return std::nullopt;
    return kActionSets[static_cast<std::size_t>(choice - 1)];
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
    const auto rule = std::ranges::find(kTextRules, key, &TextRule::key);
    if (rule == kTextRules.end()) return QString::fromStdString(key);
    return RulesForm::tr(rule->label);
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
    addActionSets();
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
    for (std::size_t i = 0; i < kTextRules.size(); ++i) {
        const TextRule& rule = kTextRules[i];
        auto* edit = new QLineEdit(this);
        addRow(rule.key, tr(rule.label), edit);
        connect(edit, &QLineEdit::textEdited, this, [this, i](const QString& text) {
            // What is no number yet may become one.
            if (WorldSpec spec; takeInto(spec = m_editor->spec(), kTextRules[i], text))
                takeText(i, text);
        });
        connect(edit, &QLineEdit::editingFinished, this, [this, edit, i] {
            takeText(i, edit->text());
            ++m_typing;
        });
        m_fields.push_back({rule.key, edit, [edit, &rule](const WorldSpec& spec) {
                                const auto text = textOf(spec, rule);
                                if (text && !isTypedAs(*edit, rule, spec)) edit->setText(*text);
                                return text.has_value();
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
                            const QString text =
                                QString::fromStdString(metadataIn(spec).description);
                            if (m_description->toPlainText().trimmed() != text.trimmed())
                                m_description->setPlainText(text);
                            return true;
                        }});
}

void RulesForm::addActionSets() {
    m_actions = new QComboBox(this);
    fillActionSets(m_actions, tr("by the map"));
    addRow("action_class", tr("Actions"), m_actions);
    connect(m_actions, &QComboBox::activated, this,
            [this](int choice) { takeActions(-1, choice); });
    m_fields.push_back({"action_class", m_actions, [this](const WorldSpec& spec) {
                            const auto* grid = std::get_if<GridWorldSpec>(&spec);
                            if (grid) m_actions->setCurrentIndex(choiceOf(grid->actionSet));
                            return grid != nullptr;
                        }});
}

/// One row an agent; made anew where their number or letters are others.
void RulesForm::refreshAgents() {
    const auto* grid = std::get_if<GridWorldSpec>(&m_editor->spec());
    m_ofAgents->setVisible(grid != nullptr);
    if (!grid) return;
    const std::vector<QString> letters = specLetters(m_editor->spec());
    if (m_agentActions.size() != letters.size()) {
        delete m_ofAgents->layout();
        qDeleteAll(m_ofAgents->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
        m_agentActions.clear();
        auto* form = new QFormLayout(m_ofAgents);
        form->setContentsMargins(0, 0, 0, 0);
        form->setSpacing(6);
        for (std::size_t agent = 0; agent < letters.size(); ++agent) {
            auto* box = new QComboBox(m_ofAgents);
            box->setObjectName(QStringLiteral("rule_action_sets_%1").arg(agent));
            box->setToolTip(tipOf("action_sets"));
            fillActionSets(box, tr("as all"));
            form->addRow(makeLabel({}, "label", m_ofAgents), box);
            connect(box, &QComboBox::activated, this,
                    [this, agent](int choice) { takeActions(static_cast<int>(agent), choice); });
            m_agentActions.push_back(box);
        }
    }
    for (std::size_t agent = 0; agent < letters.size(); ++agent) {
        QComboBox* box = m_agentActions[agent];
        const QString label = tr("Actions of %1").arg(letters[agent]);
        auto* form = static_cast<QFormLayout*>(m_ofAgents->layout());
        static_cast<QLabel*>(form->labelForField(box))->setText(label);
        box->setAccessibleName(label);
        box->setCurrentIndex(choiceOf(
            agent < grid->agentActionSets.size() ? grid->agentActionSets[agent] : std::nullopt));
    }
}

void RulesForm::focusName() {
    auto* name = static_cast<QLineEdit*>(m_fields.front().control);
    name->setFocus(Qt::ShortcutFocusReason);
    name->selectAll();
    scrollIntoView(this);
}

void RulesForm::takeText(std::size_t rule, const QString& text) {
    const TextRule& taken = kTextRules[rule];
    if (!m_editor->isOpen() || textOf(m_editor->spec(), taken) == text) return;
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
    metadataIn(spec).description = m_description->toPlainText().trimmed().toStdString();
    m_editor->change(tr("Description"), std::move(spec), m_typing);
}

void RulesForm::takeActions(int agent, int choice) {
    WorldSpec spec = m_editor->spec();
    auto* grid = std::get_if<GridWorldSpec>(&spec);
    if (!grid) return;
    if (agent < 0) {
        grid->actionSet = setOfChoice(choice);
        return m_editor->change(tr("Actions"), std::move(spec));
    }
    const auto at = static_cast<std::size_t>(agent);
    if (grid->agentActionSets.size() <= at) grid->agentActionSets.resize(at + 1);
    grid->agentActionSets[at] = setOfChoice(choice);
    const QString letter = specLetters(spec)[at];
    m_editor->change(tr("Actions of %1").arg(letter), std::move(spec));
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
