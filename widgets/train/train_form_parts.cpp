#include "widgets/train/train_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QShowEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <string>

#include "core/run/run_name.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/spec/spec_form.h"
#include "widgets/train/many_runs_row.h"
#include "widgets/train/train_facts.h"

// The rows of TrainForm around its fields: name, method, beginning, time, memory, buttons.

namespace orrery {

namespace {

constexpr int kScreenMargin = 48;  ///< pixels, for the window's frame

}  // namespace

QWidget* TrainForm::makeNameRow() {
    auto* part = new QWidget(m_fields->widget());
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    QLabel* label = makeLabel(tr("Name"), "name", part);
    m_name = new QLineEdit(part);
    m_name->setObjectName(QStringLiteral("trainName"));
    m_name->setAccessibleName(tr("Name of the run"));
    m_name->setToolTip(
        tr("What the run is called wherever it is shown; without one, its world and what differs "
           "from the defaults"));
    label->setBuddy(m_name);
    row->addWidget(label);
    row->addWidget(m_name, 1);
    connect(m_name, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_spec.name = text.trimmed().toStdString(); });
    return part;
}

/// The name that the run gets if none is typed.
void TrainForm::refreshName() {
    const QString base = m_parentRun.id.empty()
                             ? m_world
                             : QString::fromStdString(nameWithoutDescription(m_parentRun.spec));
    m_name->setPlaceholderText(QString::fromStdString(describeRun(base.toStdString(), m_spec)));
}

std::vector<RunSpec> TrainForm::namedRuns() const {
    RunSpec spec = m_spec;
    if (spec.name.empty()) spec.name = m_name->placeholderText().toStdString();
    return m_many->runs(spec);
}

int TrainForm::numRuns() const {
    return m_many->numRuns();
}

void TrainForm::forgetMany() {
    m_many->reset();
}

/// The choice that stands for several fields.
void TrainForm::makeSwitch(const FormSwitch& known) {
    m_switch = new QComboBox(m_fields->widget());
    m_switch->setObjectName(QStringLiteral("trainKind"));
    m_switch->setAccessibleName(QString::fromStdString(known.label));
    m_switch->setToolTip(QString::fromStdString(known.tip));
    for (const std::string& choice : known.choices)
        m_switch->addItem(QString::fromStdString(choice));
    m_fields->addRow(QString::fromStdString(known.label), m_switch);
    connect(m_switch, &QComboBox::activated, this, &TrainForm::takeSwitch);
}

/// Where there is more than one.
QWidget* TrainForm::makeMethodRow() {
    auto* part = new QWidget(this);
    auto* row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    QLabel* label = makeLabel(tr("Method"), "name", part);
    m_method = new QComboBox(part);
    m_method->setObjectName(QStringLiteral("trainMethod"));
    m_method->setAccessibleName(tr("Method"));
    m_method->setToolTip(tr("By what the run learns; each method has fields of its own"));
    for (const RunKind* kind : trainingKinds())
        m_method->addItem(QString::fromStdString(kind->name));
    label->setBuddy(m_method);
    row->addWidget(label, 1);
    row->addWidget(m_method);
    part->setVisible(m_method->count() > 1);
    connect(m_method, &QComboBox::activated, this, &TrainForm::takeMethod);
    return part;
}

QWidget* TrainForm::makeForkRow() {
    m_forkRow = new QWidget(this);
    auto* row = new QHBoxLayout(m_forkRow);
    row->setContentsMargins(0, 0, 0, 0);
    QLabel* label = makeLabel(tr("Begins with"), "name", m_forkRow);
    m_from = new QComboBox(m_forkRow);
    m_from->setObjectName(QStringLiteral("trainFrom"));
    m_from->setAccessibleName(tr("What the fork begins with"));
    m_from->setToolTip(
        tr("A checkpoint of the run, with its weights, buffer and generators, or its start"));
    label->setBuddy(m_from);
    m_recorded = new QCheckBox(tr("with its recorded changes"), m_forkRow);
    m_recorded->setObjectName(QStringLiteral("trainRecorded"));
    m_recorded->setToolTip(
        tr("What was changed while the run trained is changed again, at the same steps. From the "
           "start and with nothing else changed, the run is repeated."));
    row->addWidget(label);
    row->addWidget(m_from, 1);
    row->addWidget(m_recorded);
    connect(m_from, &QComboBox::activated, this, &TrainForm::takeBeginning);
    connect(m_recorded, &QCheckBox::toggled, this, &TrainForm::takeBeginning);
    return m_forkRow;
}

void TrainForm::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_kindOfRate.clear();  // there may be newer runs
    m_memoryOf = Job();    // there may be more memory
    refreshAll();
    fitHeight();
}

/// As high as its rows, where the screen is.
void TrainForm::fitHeight() {
    resize(width(), std::min(height() + m_fields->missingHeight(),
                             screen()->availableGeometry().height() - kScreenMargin));
}

/// How long it takes, by the speed of an earlier run.
void TrainForm::refreshTime() {
    refreshName();
    const QString kind = trainingKind(m_spec);
    if (isVisible() && kind != m_kindOfRate) {
        m_kindOfRate = kind;
        m_rate.reset();
        Q_EMIT rateWanted(kind);
    }
    const std::int64_t steps = std::max<std::int64_t>(
        0, m_kind->totalSteps(m_spec.job) - trainSettings(m_spec.job)->fromStep);
    m_time->setText(
        m_rate ? tr("About %1, by the %2 steps/s of %3.")
                     .arg(durationText(static_cast<double>(steps) / m_rate->stepsPerSecond),
                          stepRateText(m_rate->stepsPerSecond), m_rate->run)
               : tr("No run of this kind yet: its time is not known."));
}

/// What it comes to hold, where it was not asked for these settings yet.
void TrainForm::askForMemory() {
    if (m_memoryOf == m_spec.job && m_memoryRuns == numRuns()) return;
    m_tooMuch.clear();
    m_memory->setText(tr("Memory: not known yet."));
    m_memory->setToolTip({});
    if (!isVisible() || !isValid() || !m_kind->memory) return;
    m_memoryOf = m_spec.job;
    m_memoryRuns = numRuns();
    m_memoryPause.start();
}

void TrainForm::setMemory(const RunSpec& spec, const std::vector<MemoryPart>& parts,
                          std::int64_t limit, int numAtOnce) {
    if (spec.job != m_spec.job || parts.empty()) return;
    const std::int64_t each = bytesOf(parts), bytes = each * numAtOnce;
    m_memory->setText(numAtOnce > 1
                          ? tr("Memory: about %1 at most for each run.").arg(bytesText(each))
                          : tr("Memory: about %1 at most.").arg(bytesText(each)));
    QStringList tips;
    for (const MemoryPart& part : parts)
        tips << tr("%1: %2").arg(QString::fromStdString(part.title), bytesText(part.bytes));
    m_memory->setToolTip(tips.join(u'\n'));
    m_tooMuch = limit > 0 && bytes > limit
                    ? (numAtOnce > 1 ? tr("%4 runs at once may come to hold %1, more than the %2 "
                                          "that they may take. %3")
                                           .arg(bytesText(bytes), bytesText(limit),
                                                QString::fromStdString(m_kind->memoryAdvice))
                                           .arg(numAtOnce)
                                     : tr("It may come to hold %1, more than the %2 that it may "
                                          "take. %3")
                                           .arg(bytesText(bytes), bytesText(limit),
                                                QString::fromStdString(m_kind->memoryAdvice)))
                    : QString();
    refreshAll();
}

void TrainForm::setRate(const QString& kind, const std::optional<MeasuredRate>& rate) {
    if (kind != m_kindOfRate) return;
    m_rate = rate;
    refreshTime();
}

QWidget* TrainForm::makeButtons() {
    auto* buttons = new QDialogButtonBox(this);
    m_start->setObjectName(QStringLiteral("trainStart"));
    m_start->setProperty("look", QStringLiteral("primary"));
    m_start->setDefault(true);
    m_start->setToolTip(tr("Starts the training; its charts are shown at once"));
    auto* reset = buttons->addButton(tr("Defaults"), QDialogButtonBox::ResetRole);
    reset->setObjectName(QStringLiteral("trainDefaults"));
    reset->setToolTip(tr("Every field as it is in a fresh form"));
    auto* close = buttons->addButton(QDialogButtonBox::Cancel);
    close->setObjectName(QStringLiteral("trainCancel"));
    // The last, as it stands: the box would tie those before it to a ring of their own.
    buttons->addButton(m_start, QDialogButtonBox::AcceptRole);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (!isValid() || !m_many->isValid() || !m_blocked.isEmpty()) return;
        hide();
        Q_EMIT startRequested();
    });
    connect(reset, &QPushButton::clicked, this, [this] {
        RunSpec fresh;
        fresh.job = freshJob(*m_kind);
        m_kind->training(fresh.job)->changes = trainSettings(m_spec.job)->changes;
        setSpec(fresh);
    });
    connect(close, &QPushButton::clicked, this, &QDialog::hide);
    return buttons;
}

}  // namespace orrery
