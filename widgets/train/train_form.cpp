#include "widgets/train/train_form.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <utility>

#include "core/train/checkpoint_clock.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/spec/field_text.h"
#include "widgets/spec/spec_form.h"
#include "widgets/train/many_runs_row.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

constexpr int kBarMargin = 8;  ///< pixels before the scroll bar
constexpr int kMemoryPauseMs = 200;

}  // namespace

TrainForm::TrainForm(QWidget* parent)
    : QDialog(parent),
      m_heading(makeLabel({}, "title", this)),
      m_parent(makeLabel({}, "label", this)),
      m_why(makeLabel({}, "problem", this)),
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
    m_memoryPause.setSingleShot(true);
    m_memoryPause.setInterval(kMemoryPauseMs);
    connect(&m_memoryPause, &QTimer::timeout, this, [this] { Q_EMIT memoryWanted(m_spec); });
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
    m_stages = addRemark("trainStages");
    m_time = addRemark("trainTime");
    m_memory = addRemark("trainMemory");
    m_memory->setVisible(static_cast<bool>(m_kind->memory));
    m_keeping = addRemark("trainKeeping");
    m_many = new ManyRunsRow(m_kind->name, fields->widget());
    connect(m_many, &ManyRunsRow::changed, this, &TrainForm::refreshAll);
    fields->addPart(m_many);
    fields->addOptions(tr("Every other parameter, with a box that finds one by a word"));
}

QLabel* TrainForm::addRemark(const char* name) {
    QLabel* label = makeLabel({}, "label", m_fields->widget());
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    m_fields->addPart(label);
    return label;
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
    refreshParent();
    m_fields->refresh();
    QStringList others = m_fields->problemsOutOfView();
    const TrainCadence& cadence = trainSettings(m_spec.job)->cadence;
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
    m_fields->showField(name);
}

}  // namespace orrery
