#include "widgets/dag/solve_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/jobs/solve_job.h"
#include "core/run/run_fields.h"
#include "core/spec/field_effect.h"
#include "widgets/bridge/field_text.h"
#include "widgets/bridge/preset_box.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/scroll_areas.h"
#include "widgets/part/run_progress.h"

namespace orrery {

namespace {

/// Fields that a form of parameters does not show: the window knows the world, rules come from
/// files.
bool isInForm(const RunField& field) {
    static const std::vector<std::string> kElsewhere = {"world", "world_text", "lenient"};
    return field.type != FieldType::Rules &&
           std::ranges::find(kElsewhere, field.name) == kElsewhere.end();
}

/// A symbol for the fields that have one, else the label.
QString nameHtml(const RunField& field) {
    return field.isSymbol ? symbolHtml(QString::fromStdString(field.name))
                          : QString::fromStdString(field.label);
}

QString tipOf(const RunField& field) {
    return QStringLiteral("%1 (%2). %3")
        .arg(QString::fromStdString(field.label), QString::fromStdString(field.range),
             QString::fromStdString(field.meaning));
}

}  // namespace

SolvePanel::SolvePanel(QWidget* parent)
    : QWidget(parent), m_solve(new QPushButton(tr("Solve"), this)) {
    m_spec.job = SolveJob{};
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 0, 16 - kScrollBarWidth, 12);
    layout->setSpacing(8);
    auto* area = m_area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* form = new QWidget(area);
    auto* grid = new QGridLayout(form);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(0, 1);
    grid->setColumnMinimumWidth(1, 92);
    int row = 0;
    addPreset(grid, row);
    for (const RunField& field : solveFields())
        if (isInForm(field) && !field.isExpert) addField(grid, field, row);
    auto* more = new QPushButton(tr("More options"), form);
    more->setObjectName(QStringLiteral("moreOptions"));
    more->setCheckable(true);
    grid->addWidget(more, row++, 0, 1, 2);
    for (const RunField& field : solveFields())
        if (isInForm(field) && field.isExpert) addField(grid, field, row);
    grid->setRowStretch(row, 1);
    connect(more, &QPushButton::toggled, this, &SolvePanel::showExpert);
    area->setWidget(form);
    keepRightEdge(area);
    layout->addWidget(area, 1);
    makeProgress();
    auto* below = new QVBoxLayout;
    below->setContentsMargins(0, 0, kScrollBarWidth, 0);
    below->addWidget(m_progress);
    below->addWidget(m_solve);
    layout->addLayout(below);
    m_solve->setObjectName(QStringLiteral("solveButton"));
    m_solve->setToolTip(tr("Explores all states and solves both phases (F5)"));
    connect(m_solve, &QPushButton::clicked, this, &SolvePanel::solveRequested);
    showExpert(false);
    refreshAll();
}

void SolvePanel::addPreset(QGridLayout* grid, int& row) {
    m_preset = new PresetBox(grid->parentWidget());
    m_preset->setObjectName(QStringLiteral("solvePreset"));
    QLabel* label = makeLabel(tr("Preset"), "name", grid->parentWidget());
    label->setBuddy(m_preset);
    grid->addWidget(label, row, 0);
    grid->addWidget(m_preset, row++, 1);
    connect(m_preset, &PresetBox::chosen, this, [this](const SpecPreset* preset) {
        RunSpec spec = m_spec;
        applyPreset(spec, *preset);
        setSpec(spec);
    });
}

void SolvePanel::setSpec(const RunSpec& spec) {
    m_spec = spec;
    m_problems.clear();
    for (const RunField& field : solveFields()) {
        QWidget* editor = m_editors.value(QString::fromStdString(field.name));
        const QSignalBlocker blocker(editor);
        if (auto* line = qobject_cast<QLineEdit*>(editor))
            line->setText(shownText(field, m_spec));
        else if (auto* box = qobject_cast<QComboBox*>(editor))
            box->setCurrentText(shownText(field, m_spec));
        else if (auto* check = qobject_cast<QCheckBox*>(editor))
            check->setChecked(std::get<bool>(field.get(m_spec)));
    }
    refreshAll();
}

QString SolvePanel::problem() const {
    for (const RunField& field : solveFields())
        if (const auto wrong = m_problems.constFind(QString::fromStdString(field.name));
            wrong != m_problems.cend())
            return *wrong;
    return {};
}

bool SolvePanel::asksOther(const SolveSpec& solved) const {
    SolveSpec asked = m_spec.job.as<SolveJob>().solve;
    asked.threads = solved.threads;
    asked.memoryBudget = solved.memoryBudget;
    asked.seed = solved.seed;
    return isValid() && asked != solved;
}

void SolvePanel::setCanSolve(bool can) {
    m_canSolve = can;
    m_solve->setEnabled(m_canSolve && !m_isLive && isValid());
}

void SolvePanel::showRun(const RunSnapshot* snapshot) {
    m_isLive = snapshot && isLive(snapshot->state);
    m_progress->setVisible(m_isLive);
    setCanSolve(m_canSolve);
    if (!m_isLive) return;
    m_isPaused = snapshot->state == RunState::Paused;
    const Progress& progress = snapshot->progress;
    m_phase->setText(m_isPaused ? tr("Paused") : phaseText(progress));
    m_remaining->setText(progress.secondsLeft >= 0
                             ? tr("%1 left").arg(durationText(progress.secondsLeft))
                             : durationText(snapshot->seconds));
    m_rate->setText(progressText(progress));
    m_bar->setRange(0, progress.total > 0 ? 1000 : 0);
    if (progress.total > 0)
        m_bar->setValue(static_cast<int>(1000.0 * static_cast<double>(progress.done) /
                                         static_cast<double>(progress.total)));
    m_pause->setText(m_isPaused ? tr("Resume") : tr("Pause"));
}

void SolvePanel::addField(QGridLayout* grid, const RunField& field, int& row) {
    const QString name = QString::fromStdString(field.name);
    QWidget* editor = makeEditor(field);
    editor->setObjectName(QStringLiteral("field_") + name);
    editor->setAccessibleName(QString::fromStdString(field.label));
    const QString tip = tipOf(field);
    editor->setToolTip(tip);
    m_editors.insert(name, editor);
    QLabel* label = makeLabel(nameHtml(field), "name", editor->parentWidget());
    label->setToolTip(tip);
    label->setBuddy(editor);
    m_names.insert(name, label);
    QLabel* hint = makeLabel({}, "problem", editor->parentWidget());
    hint->setWordWrap(true);
    hint->hide();
    m_hints.insert(name, hint);
    if (field.type == FieldType::Flag) {
        label->hide();
        grid->addWidget(editor, row, 0, 1, 2);
    } else {
        grid->addWidget(label, row, 0);
        grid->addWidget(editor, row, 1);
    }
    grid->addWidget(hint, row + 1, 0, 1, 2);
    row += 2;
    if (field.isExpert) m_expert << label << editor;
}

QWidget* SolvePanel::makeEditor(const RunField& field) {
    if (field.type == FieldType::Flag) {
        auto* check = new QCheckBox(QString::fromStdString(field.label), this);
        check->setChecked(std::get<bool>(field.get(m_spec)));
        connect(check, &QCheckBox::toggled, this, [this, &field](bool on) {
            field.set(m_spec, on);
            refreshAll();
        });
        return check;
    }
    if (field.type == FieldType::Choice) {
        auto* box = new QComboBox(this);
        for (const std::string& choice : field.choices)
            box->addItem(QString::fromStdString(choice));
        box->setCurrentText(shownText(field, m_spec));
        connect(box, &QComboBox::currentTextChanged, this,
                [this, &field](const QString& text) { takeText(field, text); });
        return box;
    }
    auto* line = new QLineEdit(shownText(field, m_spec), this);
    line->setAlignment(Qt::AlignRight);
    line->setPlaceholderText(field.isOptional ? tr("none") : QString());
    line->setFont(QFont());
    connect(line, &QLineEdit::textEdited, this,
            [this, &field](const QString& text) { takeText(field, text); });
    return line;
}

/// Reads what was typed; a wrong text keeps the field's former value and says why.
void SolvePanel::takeText(const RunField& field, const QString& text) {
    const QString name = QString::fromStdString(field.name);
    m_problems.remove(name);
    if (const QString problem = takeFieldText(field, text, m_spec); !problem.isEmpty())
        m_problems.insert(name, problem);
    // Setting gamma unsets rho: the other editors may show something else now.
    for (const RunField& other : solveFields()) {
        auto* line = qobject_cast<QLineEdit*>(m_editors.value(QString::fromStdString(other.name)));
        if (line && other.name != field.name &&
            !m_problems.contains(QString::fromStdString(other.name)))
            line->setText(shownText(other, m_spec));
    }
    refreshAll();
}

void SolvePanel::refreshField(const RunField& field) {
    const QString name = QString::fromStdString(field.name);
    QWidget* editor = m_editors.value(name);
    if (!editor) return;
    const bool isChanged = fieldText(field.get(m_spec)) != fieldText(fieldDefault(field));
    const bool isWrong = m_problems.contains(name);
    if (editor->property("changed").toBool() != isChanged ||
        editor->property("invalid").toBool() != isWrong) {
        editor->setProperty("changed", isChanged);
        editor->setProperty("invalid", isWrong);
        restyle(editor);
    }
    m_hints.value(name)->setText(m_problems.value(name));
    m_hints.value(name)->setVisible(isWrong);
    if (field.needs.empty()) return;
    const QString why = noEffectText(unmetNeed(field, solveFields(), m_spec));
    editor->setEnabled(why.isEmpty() || isWrong);
    editor->setToolTip(why.isEmpty() ? tipOf(field) : why + u'\n' + tipOf(field));
}

void SolvePanel::refreshAll() {
    m_preset->follow(m_spec);
    for (const RunField& field : solveFields()) refreshField(field);
    // What only several fields together can be wrong about.
    for (const SpecProblem& problem : validate(m_spec)) {
        const QString name = QString::fromStdString(problem.field);
        if (problem.isWarning || !m_hints.contains(name) || m_problems.contains(name)) continue;
        m_hints.value(name)->setText(QString::fromStdString(problem.text));
        m_hints.value(name)->show();
    }
    setCanSolve(m_canSolve);
    Q_EMIT specChanged();
}

void SolvePanel::showExpert(bool shows) {
    for (QWidget* widget : m_expert) {
        const bool isFlagLabel = qobject_cast<QLabel*>(widget) && widget->isHidden() && !shows;
        const auto* label = qobject_cast<QLabel*>(widget);
        const bool isCovered = label && qobject_cast<QCheckBox*>(label->buddy());
        if (!isFlagLabel) widget->setVisible(shows && !isCovered);
    }
}

void SolvePanel::showField(const QString& field) {
    QWidget* editor = m_editors.value(field);
    if (!editor) return;
    if (m_expert.contains(editor)) showExpert(true);
    editor->setFocus(Qt::ShortcutFocusReason);
    m_area->ensureWidgetVisible(editor);
}

void SolvePanel::makeProgress() {
    m_progress = new QWidget(this);
    m_progress->setObjectName(QStringLiteral("solveProgress"));
    auto* layout = new QVBoxLayout(m_progress);
    layout->setContentsMargins(0, 4, 4, 4);
    layout->setSpacing(6);
    auto* top = new QHBoxLayout;
    m_phase = makeLabel({}, "name", m_progress);
    m_remaining = makeLabel({}, "hint", m_progress);
    top->addWidget(m_phase);
    top->addStretch(1);
    top->addWidget(m_remaining);
    layout->addLayout(top);
    m_bar = new QProgressBar(m_progress);
    m_bar->setTextVisible(false);
    layout->addWidget(m_bar);
    m_rate = makeLabel({}, "hint", m_progress);
    m_rate->setWordWrap(true);
    layout->addWidget(m_rate);
    auto* buttons = new QHBoxLayout;
    m_pause = new QPushButton(tr("Pause"), m_progress);
    m_pause->setObjectName(QStringLiteral("pauseButton"));
    m_cancel = new QPushButton(tr("Cancel"), m_progress);
    m_cancel->setObjectName(QStringLiteral("cancelButton"));
    buttons->addWidget(m_pause);
    buttons->addWidget(m_cancel);
    layout->addLayout(buttons);
    m_progress->hide();
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_isPaused)
            Q_EMIT resumeRequested();
        else
            Q_EMIT pauseRequested();
    });
    connect(m_cancel, &QPushButton::clicked, this, &SolvePanel::cancelRequested);
}

}  // namespace orrery
