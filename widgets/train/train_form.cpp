#include "widgets/train/train_form.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QShowEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <utility>

#include "core/run/run_name.h"
#include "widgets/common/parts.h"
#include "widgets/spec/spec_form.h"
#include "widgets/train/fork_row.h"
#include "widgets/train/many_runs_row.h"
#include "widgets/train/train_outlook.h"

namespace orrery {

namespace {

constexpr int kBarMargin = 8;      ///< pixels before the scroll bar
constexpr int kScreenMargin = 48;  ///< pixels, for the window's frame

}  // namespace

TrainForm::TrainForm(QWidget* parent)
    : QDialog(parent),
      m_heading(makeLabel({}, "title", this)),
      m_why(makeLabel({}, "problem", this)),
      m_start(new QPushButton(tr("Train"))) {
    setObjectName(QStringLiteral("trainForm"));
    setWindowTitle(tr("Train"));
    m_spec.job = trainingKinds().front()->fresh();
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    m_heading->setWordWrap(true);
    layout->addWidget(m_heading);
    m_fork = new ForkRow(m_spec, this);
    layout->addWidget(m_fork);
    connect(m_fork, &ForkRow::changed, this, &TrainForm::showValues);
    layout->addWidget(makeMethodRow());
    makePage();
    layout->addWidget(m_fields, 1);
    m_why->setWordWrap(true);
    layout->addWidget(m_why);
    layout->addWidget(makeButtons());
    resize(460, 640);
    refreshAll();
}

/// All that the fields of a kind make, in place of those of another one.
void TrainForm::makePage() {
    m_kind = &m_spec.job.kind();
    auto* fields = new SpecForm(
        m_spec, {.fields = QStringLiteral("train_"), .parts = QStringLiteral("train")}, this);
    layout()->replaceWidget(m_fields, fields);
    delete std::exchange(m_fields, fields);
    connect(fields->verticalScrollBar(), &QScrollBar::rangeChanged, fields,
            [fields](int, int last) {
                fields->widget()->layout()->setContentsMargins(0, 0, last > 0 ? kBarMargin : 0, 0);
            });
    connect(fields, &SpecForm::changed, this, &TrainForm::refreshAll);
    fields->addPart(makeNameRow());
    fields->addPreset();
    m_switch = nullptr;
    if (m_kind->display.formSwitch) makeSwitch(*m_kind->display.formSwitch);
    fields->addFirstFields();
    m_many = new ManyRunsRow(m_kind->name, fields->widget());
    connect(m_many, &ManyRunsRow::changed, this, &TrainForm::refreshAll);
    m_many->addTo(*fields);
    m_outlook = new TrainOutlook(m_spec, fields->widget());
    connect(m_outlook, &TrainOutlook::memoryWanted, this, &TrainForm::memoryWanted);
    connect(m_outlook, &TrainOutlook::rateWanted, this, &TrainForm::rateWanted);
    fields->addPart(m_outlook);
    fields->addOptions(tr("Every other parameter, with a box that finds one by a word"));
}

void TrainForm::takeSwitch(int index) {
    const FormSwitch& known = *m_kind->display.formSwitch;
    if (!known.mixedField.empty() && index == m_switch->count() - 1) {
        showField(QString::fromStdString(known.mixedField));
        return refreshAll();
    }
    known.choose(m_spec.job, index);
    showValues();
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

void TrainForm::setSpec(const RunSpec& spec) {
    m_spec = spec;
    if (m_kind != &m_spec.job.kind()) makePage();
    m_method->setCurrentText(QString::fromStdString(m_kind->name));
    m_name->setText(QString::fromStdString(spec.name));
    refreshHeading();
    m_fields->showValues();
    refreshAll();
}

bool TrainForm::isValid() const {
    return m_fields->isValid();
}

bool TrainForm::isComplete() const {
    return m_fields->isComplete();
}

void TrainForm::fork(ForkParent parent) {
    setSpec(m_fork->setParentRun(std::move(parent)));
}

void TrainForm::forgetParent() {
    m_fork->forgetParent();
    refreshAll();
}

void TrainForm::setCheckpoints(std::vector<std::int64_t> steps) {
    m_fork->setCheckpoints(std::move(steps));
}

const ForkParent& TrainForm::parentRun() const {
    return m_fork->parentRun();
}

void TrainForm::setMemory(const RunSpec& spec, const std::vector<MemoryPart>& parts,
                          std::int64_t limit, int numAtOnce) {
    m_outlook->setMemory(spec, parts, limit, numAtOnce);
    refreshAll();
}

void TrainForm::setRate(const QString& kind, const std::optional<MeasuredRate>& rate) {
    m_outlook->setRate(kind, rate);
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

/// Where what was typed is right.
void TrainForm::showValues() {
    m_fields->showRightValues();
    refreshAll();
}

void TrainForm::refreshAll() {
    m_fork->refresh();
    m_fields->refresh();
    QStringList others = m_fields->problemsOutOfView();
    if (m_switch != nullptr)
        m_switch->setCurrentIndex(m_kind->display.formSwitch->chosen(m_spec.job));
    m_many->setBase(m_spec);
    refreshName();
    m_outlook->refresh(numRuns(), isValid());
    if (!m_blocked.isEmpty()) others << m_blocked;
    if (!m_outlook->tooMuch().isEmpty()) others << m_outlook->tooMuch();
    m_why->setText(others.join(u'\n'));
    m_why->setVisible(!others.isEmpty());
    m_start->setText(m_many->numRuns() > 1 ? tr("Train %1 runs").arg(m_many->numRuns())
                                           : tr("Train"));
    m_start->setEnabled(isValid() && m_many->isValid() && m_blocked.isEmpty() &&
                        m_outlook->tooMuch().isEmpty());
}

void TrainForm::showField(const QString& name) {
    m_fields->showField(name);
}

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
    const ForkParent& parent = parentRun();
    const QString base =
        parent.id.empty() ? m_world : QString::fromStdString(nameWithoutDescription(parent.spec));
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

void TrainForm::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_outlook->forgetAnswers();
    refreshAll();
    fitHeight();
}

/// As high as its rows, where the screen is.
void TrainForm::fitHeight() {
    resize(width(), std::min(height() + m_fields->missingHeight(),
                             screen()->availableGeometry().height() - kScreenMargin));
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
