#include "widgets/train/train_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <utility>

#include "core/run/run_fields.h"
#include "core/spec/field_effect.h"
#include "core/train/checkpoint_clock.h"
#include "widgets/bridge/field_text.h"
#include "widgets/bridge/preset_box.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/train/many_runs_row.h"
#include "widgets/train/train_form_parts.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

constexpr int kBarMargin = 8;  ///< pixels before the scroll bar
constexpr int kMemoryPauseMs = 200;

QString tipOf(const RunField& field) {
    return QStringLiteral("%1: %2 (%3). %4")
        .arg(QString::fromStdString(field.name), QString::fromStdString(field.label),
             QString::fromStdString(field.range), QString::fromStdString(field.meaning));
}

}  // namespace

TrainForm::TrainForm(QWidget* parent)
    : QDialog(parent),
      m_heading(makeLabel({}, "title", this)),
      m_parent(makeLabel({}, "label", this)),
      m_why(makeLabel({}, "problem", this)),
      m_area(new QScrollArea(this)),
      m_start(new QPushButton(tr("Train"))) {
    setObjectName(QStringLiteral("trainForm"));
    setWindowTitle(tr("Train"));
    m_spec.job = trainingKinds().front()->fresh();
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    m_heading->setWordWrap(true);
    layout->addWidget(m_heading);
    m_parent->setObjectName(QStringLiteral("trainParent"));
    m_parent->setWordWrap(true);
    layout->addWidget(m_parent);
    layout->addWidget(makeForkRow());
    layout->addWidget(makeMethodRow());
    m_area->setObjectName(QStringLiteral("trainArea"));
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_area->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int last) {
        m_column->setContentsMargins(0, 0, last > 0 ? kBarMargin : 0, 0);
    });
    m_memoryPause.setSingleShot(true);
    m_memoryPause.setInterval(kMemoryPauseMs);
    connect(&m_memoryPause, &QTimer::timeout, this, [this] { Q_EMIT memoryWanted(m_spec); });
    makePage();
    layout->addWidget(m_area, 1);
    m_why->setWordWrap(true);
    layout->addWidget(m_why);
    layout->addWidget(makeButtons());
    resize(460, 640);
    refreshParent();
    refreshEditors();
}

/// All that the fields of a kind make.
void TrainForm::makePage() {
    m_kind = &m_spec.job.kind();
    m_editors.clear();
    m_hints.clear();
    m_problems.clear();
    m_options.clear();
    m_expert = nullptr;
    m_filter = nullptr;
    m_noOption = nullptr;
    m_switch = nullptr;
    m_page = new QWidget(m_area);
    m_column = new QVBoxLayout(m_page);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->addWidget(makeNameRow());
    QWidget* preset = makePresetRow();
    preset->setVisible(!m_kind->presets.empty());
    m_column->addWidget(preset);
    if (m_kind->display.formSwitch) m_column->addWidget(makeSwitchRow(*m_kind->display.formSwitch));
    auto* main = new QWidget(m_page);
    QGridLayout* grid = makeFormGrid(main);
    int row = 0;
    for (const std::string& name : m_kind->firstFields)
        if (const RunField* field = findField(m_kind->name, name)) addField(grid, *field, row);
    m_column->addWidget(main);
    m_stages = makeLabel({}, "label", m_page);
    m_stages->setObjectName(QStringLiteral("trainStages"));
    m_stages->setWordWrap(true);
    m_column->addWidget(m_stages);
    m_time = makeLabel({}, "label", m_page);
    m_time->setObjectName(QStringLiteral("trainTime"));
    m_time->setWordWrap(true);
    m_column->addWidget(m_time);
    m_memory = makeLabel({}, "label", m_page);
    m_memory->setObjectName(QStringLiteral("trainMemory"));
    m_memory->setWordWrap(true);
    m_memory->setVisible(static_cast<bool>(m_kind->memory));
    m_column->addWidget(m_memory);
    m_keeping = makeLabel({}, "label", m_page);
    m_keeping->setObjectName(QStringLiteral("trainKeeping"));
    m_keeping->setWordWrap(true);
    m_column->addWidget(m_keeping);
    m_many = new ManyRunsRow(m_kind->name, m_page);
    connect(m_many, &ManyRunsRow::changed, this, &TrainForm::refreshAll);
    m_column->addWidget(m_many);
    m_more = new QPushButton(tr("More options"), m_page);
    m_more->setObjectName(QStringLiteral("trainMore"));
    m_more->setCheckable(true);
    m_more->setToolTip(tr("Every other parameter, with a box that finds one by a word"));
    connect(m_more, &QPushButton::toggled, this, &TrainForm::showExpert);
    // What was asked for comes into view: the options lie below what fits.
    connect(
        m_more, &QPushButton::clicked, this,
        [this](bool shows) {
            if (!shows) return;
            m_area->verticalScrollBar()->setValue(m_more->y());
            m_filter->setFocus(Qt::OtherFocusReason);
        },
        Qt::QueuedConnection);
    m_column->addWidget(m_more);
    m_column->addStretch(1);
    m_area->setWidget(m_page);  // deletes the former one
}

void TrainForm::takeSwitch(int index) {
    const FormSwitch& known = *m_kind->display.formSwitch;
    if (!known.mixedField.empty() && index == m_switch->count() - 1) {
        showField(QString::fromStdString(known.mixedField));
        return refreshAll();
    }
    known.choose(m_spec.job, index);
    refreshEditors();
}

void TrainForm::takeMethod(int index) {
    const RunKind& kind = *trainingKinds()[static_cast<std::size_t>(index)];
    if (&kind == m_kind) return;
    RunSpec spec = m_spec;
    spec.job = freshJob(kind);
    setSpec(spec);
    forgetParent();
    Q_EMIT methodTaken();
}

/// Default settings, in the worlds that the form has.
Job TrainForm::freshJob(const RunKind& kind) const {
    Job job = kind.fresh();
    const std::vector<WorldRef> own = m_kind->worlds(m_spec.job);
    kind.takeWorlds(job, own.empty() ? m_places : own);
    return job;
}

void TrainForm::showExpert(bool shows) {
    if (shows) makeExpert();
    if (m_expert != nullptr) m_expert->setVisible(shows);
    m_more->setText(shows ? tr("Fewer options") : tr("More options"));
}

void TrainForm::addField(QGridLayout* grid, const RunField& field, int& row) {
    const QString name = QString::fromStdString(field.name);
    QWidget* const form = grid->parentWidget();
    QWidget* editor = makeEditor(field, form);
    editor->setObjectName(QStringLiteral("train_") + name);
    editor->setAccessibleName(QString::fromStdString(field.label));
    const QString tip = tipOf(field);
    editor->setToolTip(tip);
    m_editors.insert(name, editor);
    OptionRow option{.words = tip, .field = name, .parts = {editor}};
    if (field.type == FieldType::Flag) {
        grid->addWidget(editor, row, 0, 1, 2);
    } else {
        QLabel* label = makeLabel(wordsHtml(QString::fromStdString(field.label)), "name", form);
        label->setToolTip(tip);
        label->setBuddy(editor);
        grid->addWidget(label, row, 0);
        grid->addWidget(editor, row, 1);
        option.parts.append(label);
    }
    m_options.push_back(std::move(option));
    m_hints.insert(name, {.grid = grid, .row = row + 1});
    row += 2;
}

/// Says what is wrong with a field, below it. Few fields ever need a label for it.
void TrainForm::setHint(const QString& name, const QString& text) {
    Hint& hint = m_hints[name];
    if (!hint.label && !text.isEmpty()) {
        hint.label = makeLabel({}, "problem", hint.grid->parentWidget());
        hint.label->setObjectName(QStringLiteral("train_hint_") + name);
        hint.label->setWordWrap(true);
        hint.grid->addWidget(hint.label, hint.row, 0, 1, 2);
    }
    if (!hint.label) return;
    hint.label->setText(text);
    hint.label->setVisible(!text.isEmpty());
}

QWidget* TrainForm::makeEditor(const RunField& field, QWidget* parent) {
    if (field.type == FieldType::Flag) {
        auto* check = new QCheckBox(QString::fromStdString(field.label), parent);
        connect(check, &QCheckBox::toggled, this, [this, &field](bool on) {
            field.set(m_spec, on);
            refreshAll();
        });
        return check;
    }
    if (field.type == FieldType::Choice) {
        auto* box = new QComboBox(parent);
        for (const std::string& choice : field.choices)
            box->addItem(QString::fromStdString(choice));
        connect(box, &QComboBox::currentTextChanged, this,
                [this, &field](const QString& text) { takeText(field, text); });
        return box;
    }
    auto* line = new QLineEdit(parent);
    line->setAlignment(Qt::AlignRight);
    line->setPlaceholderText(field.isOptional ? tr("none") : QString());
    connect(line, &QLineEdit::textEdited, this,
            [this, &field](const QString& text) { takeText(field, text); });
    return line;
}

/// Reads what was typed; a wrong text keeps the field's former value and says why.
void TrainForm::takeText(const RunField& field, const QString& text) {
    const QString name = QString::fromStdString(field.name);
    m_problems.remove(name);
    if (const QString problem = takeFieldText(field, text, m_spec); !problem.isEmpty())
        m_problems.insert(name, problem);
    refreshAll();
}

void TrainForm::setSpec(const RunSpec& spec) {
    m_spec = spec;
    if (m_kind != &m_spec.job.kind()) makePage();
    m_method->setCurrentText(QString::fromStdString(m_kind->name));
    m_name->setText(QString::fromStdString(spec.name));
    m_problems.clear();
    refreshHeading();
    refreshEditors();
}

void TrainForm::setWorld(const QString& title) {
    m_world = title;
    refreshHeading();
    refreshName();
}

void TrainForm::refreshHeading() {
    const bool hasWorlds = m_kind->placeTitle.empty();
    m_heading->setText(
        tr("Train in %1")
            .arg(hasWorlds ? breakable(m_world) : QString::fromStdString(m_kind->placeTitle)));
}

void TrainForm::setBlocked(const QString& why) {
    if (std::exchange(m_blocked, why) != why) refreshAll();
}

void TrainForm::refreshEditors() {
    for (const RunField* field : trainFormFields(*m_kind)) {
        const QString name = QString::fromStdString(field->name);
        QWidget* editor = m_editors.value(name);
        if (editor == nullptr || m_problems.contains(name)) continue;
        const QSignalBlocker blocker(editor);
        if (auto* line = qobject_cast<QLineEdit*>(editor))
            line->setText(shownText(*field, m_spec));
        else if (auto* box = qobject_cast<QComboBox*>(editor))
            box->setCurrentText(shownText(*field, m_spec));
        else if (auto* check = qobject_cast<QCheckBox*>(editor))
            check->setChecked(std::get<bool>(field->get(m_spec)));
    }
    refreshAll();
}

void TrainForm::refreshField(const RunField& field) {
    const QString name = QString::fromStdString(field.name);
    QWidget* editor = m_editors.value(name);
    if (editor == nullptr) return;
    const bool isChanged = fieldText(field.get(m_spec)) != fieldText(fieldDefault(field));
    const bool isWrong = m_shown.contains(name);
    if (editor->property("changed").toBool() != isChanged ||
        editor->property("invalid").toBool() != isWrong) {
        editor->setProperty("changed", isChanged);
        editor->setProperty("invalid", isWrong);
        restyle(editor);
    }
    setHint(name, m_shown.value(name));
}

/// A field that has no effect beside the values of the others is grey, with the reason; a wrong one
/// must be mended first.
void TrainForm::refreshNeed(const RunField& field) {
    const QString name = QString::fromStdString(field.name);
    QWidget* editor = m_editors.value(name);
    if (editor == nullptr || field.needs.empty()) return;
    const FieldNeed* unmet = unmetNeed(field, m_kind->fields, m_spec);
    editor->setEnabled(unmet == nullptr || m_shown.contains(name));
    const QString why = noEffectText(unmet);
    editor->setToolTip(why.isEmpty() ? tipOf(field) : why + u'\n' + tipOf(field));
}

/// Marks the fields that are wrong. @return what is wrong with those that are not in view
QStringList TrainForm::refreshProblems() {
    m_shown = m_problems;
    m_numWrong = 0;
    QList<std::pair<QString, QString>> found;  // fields and texts, that only together are wrong
    for (const SpecProblem& problem : validate(m_spec)) {
        const QString name = QString::fromStdString(problem.field);
        if (problem.isWarning || m_problems.contains(name) || name == QLatin1String("world"))
            continue;
        ++m_numWrong;
        found.emplace_back(name,
                           QStringLiteral("%1 %2").arg(name, QString::fromStdString(problem.text)));
        m_shown.insert(name, found.back().second);
    }
    for (const RunField* field : trainFormFields(*m_kind)) {
        refreshField(*field);
        refreshNeed(*field);
    }
    filterOptions();
    QStringList others;
    for (const auto& [name, text] : std::as_const(found)) {
        const QLabel* hint = m_hints.value(name).label;
        if (hint == nullptr || !hint->isVisibleTo(m_page) || hint->text() != text) others << text;
    }
    return others;
}

void TrainForm::refreshAll() {
    refreshParent();
    QStringList others = refreshProblems();
    const TrainCadence& cadence = trainSettings(m_spec.job)->cadence;
    m_preset->follow(m_spec);
    if (m_switch != nullptr)
        m_switch->setCurrentIndex(m_kind->display.formSwitch->chosen(m_spec.job));
    m_stages->setText(stagesText());
    m_many->setBase(m_spec);
    refreshTime();
    askForMemory();
    m_keeping->setText(tr("Checkpoints: %1; less often where writing one takes over 1 s.")
                           .arg(QString::fromStdString(checkpointIntervalText(
                               cadence.checkpointSeconds, cadence.checkpointSteps))));
    if (!m_blocked.isEmpty()) others << m_blocked;
    if (!m_tooMuch.isEmpty()) others << m_tooMuch;
    m_why->setText(others.join(u'\n'));
    m_why->setVisible(!others.isEmpty());
    m_start->setText(m_many->numRuns() > 1 ? tr("Train %1 runs").arg(m_many->numRuns())
                                           : tr("Train"));
    m_start->setEnabled(isValid() && m_many->isValid() && m_blocked.isEmpty() &&
                        m_tooMuch.isEmpty());
}

/// "Stages: V_h^e to 1 000, X_h to 2 000, ... , full beta_r from 5 000"
QString TrainForm::stagesText() const {
    if (!isValid() || !m_kind->display.stages) return {};
    const std::int64_t last = m_kind->totalSteps(m_spec.job);
    QStringList parts;
    bool isCut = false;
    for (const TrainingStage& stage : m_kind->display.stages(m_spec.job)) {
        const QString title = wordsHtml(QString::fromStdString(stage.title));
        if (stage.begin >= last) {
            isCut = true;
            parts << tr("%1 is not reached").arg(title);
        } else if (stage.end > last) {
            parts << tr("%1 from %2").arg(title, countText(stage.begin));
        } else {
            parts << tr("%1 to %2").arg(title, countText(stage.end));
        }
    }
    return unbroken((isCut ? tr("<b>Too few steps for all stages:</b> ") : tr("Stages: ")) +
                    parts.join(QStringLiteral(", ")));
}

void TrainForm::showField(const QString& name) {
    const QString field =
        name.isEmpty() ? QString::fromStdString(m_kind->firstFields.front()) : name;
    if (!standsFirst(*m_kind, field.toStdString())) {
        m_more->setChecked(true);
        m_filter->clear();
    }
    QWidget* editor = m_editors.value(field);
    if (editor == nullptr) return;
    editor->setFocus(Qt::ShortcutFocusReason);
    m_area->ensureWidgetVisible(editor);
}

}  // namespace orrery
