#include "widgets/dag/solve_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/run/jobs/solve_job.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/scroll_areas.h"
#include "widgets/dag/parameter_scale.h"
#include "widgets/part/run_progress.h"
#include "widgets/spec/spec_form.h"

namespace orrery {

namespace {

constexpr int kEditorWidth = 92;  ///< pixels: the panel is narrow

}  // namespace

SolvePanel::SolvePanel(QWidget* parent)
    : QWidget(parent),
      m_exploring(makeLabel({}, "hint", this)),
      m_solve(new QPushButton(tr("Solve"), this)) {
    m_spec.job = SolveJob{};
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 0, 16 - kScrollBarWidth, 12);
    layout->setSpacing(8);
    m_fields = new SpecForm(m_spec,
                            {.fields = QStringLiteral("field_"),
                             .parts = QStringLiteral("solve"),
                             .hasSymbols = true,
                             .editorWidth = kEditorWidth,
                             .slider = parameterScale},
                            this);
    m_fields->addPreset();
    m_fields->addFirstFields();
    m_fields->addOptions({});
    connect(m_fields, &SpecForm::changed, this, &SolvePanel::refresh);
    connect(m_fields, &SpecForm::settled, this, &SolvePanel::settled);
    connect(m_fields, &SpecForm::grabbed, this, &SolvePanel::grabbed);
    connect(m_fields, &SpecForm::resetAsked, this, &SolvePanel::resetField);
    keepRightEdge(m_fields);
    layout->addWidget(m_fields, 1);
    makeProgress();
    auto* below = new QVBoxLayout;
    below->setContentsMargins(0, 0, kScrollBarWidth, 0);
    m_exploring->setObjectName(QStringLiteral("explorationStatus"));
    m_exploring->setWordWrap(true);
    m_exploring->hide();
    below->addWidget(m_exploring);
    below->addWidget(m_progress);
    below->addWidget(m_solve);
    layout->addLayout(below);
    m_solve->setObjectName(QStringLiteral("solveButton"));
    m_solve->setToolTip(tr("Explores all states and solves both phases (F5)"));
    // A click leaves the focus where it is: what was typed there is solved, not explored before.
    m_solve->setFocusPolicy(Qt::TabFocus);
    connect(m_solve, &QPushButton::clicked, this, &SolvePanel::solveRequested);
    refresh();
}

const SolveSpec& SolvePanel::solveSpec() const {
    return m_spec.job.as<SolveJob>().solve;
}

void SolvePanel::setSpec(const RunSpec& spec) {
    m_spec = spec;
    m_fields->showValues();
    refresh();
}

bool SolvePanel::isValid() const {
    return m_fields->isValid();
}

QString SolvePanel::problem() const {
    return m_fields->problem();
}

QWidget* SolvePanel::editor(const QString& field) const {
    return m_fields->editor(field);
}

void SolvePanel::showField(const QString& field) {
    m_fields->showField(field);
}

void SolvePanel::refresh() {
    m_fields->refresh();
    refreshSliders();
    setCanSolve(m_canSolve);
    Q_EMIT specChanged();
}

SolveSpec& SolvePanel::solve() {
    return m_spec.job.as<SolveJob>().solve;
}

void SolvePanel::refreshSliders() {
    const SolveSpec first = m_run.value_or(SolveSpec{});
    for (const ParameterScale& scale : parameterScales()) {
        const double value = exploredValue(solveSpec(), scale);
        const double before = exploredValue(first, scale);
        QString tip;
        if (value != before)
            tip = (m_run ? tr("Back to the run's %1") : tr("Back to the default, %1"))
                      .arg(parameterText(before));
        m_fields->showSlider(QLatin1String(scale.field), value, tip);
    }
}

void SolvePanel::resetField(const QString& field) {
    for (const ParameterScale& scale : parameterScales())
        if (field == QLatin1String(scale.field))
            takeExploredValue(solve(), scale, m_run.value_or(SolveSpec{}));
    m_fields->showValues();
    refresh();
    Q_EMIT settled();
}

void SolvePanel::setExploredRun(const SolveSpec* run) {
    m_run = run == nullptr ? std::nullopt : std::optional(*run);
    refreshSliders();
}

void SolvePanel::setExplored(const SolveSpec& wanted) {
    for (const ParameterScale& scale : parameterScales()) takeExploredValue(solve(), scale, wanted);
    m_fields->showValues();
    refresh();
}

void SolvePanel::showExploring(const QString& text, bool isProblem) {
    m_exploring->setVisible(!text.isEmpty());
    m_exploring->setText(text);
    const QString look = isProblem ? QStringLiteral("problem") : QStringLiteral("hint");
    if (m_exploring->property("look") == look) return;
    m_exploring->setProperty("look", look);
    restyle(m_exploring);
}

void SolvePanel::showExploringProgress(const Progress* progress) {
    if (m_isLive) return;
    m_progress->setVisible(progress != nullptr);
    m_pause->setVisible(false);
    if (progress != nullptr) showProgress(*progress, false, progress->seconds);
}

bool SolvePanel::asksOther(const SolveSpec& solved) const {
    SolveSpec asked = solveSpec();
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
    m_pause->setVisible(true);
    m_pause->setText(m_isPaused ? tr("Resume") : tr("Pause"));
    showProgress(snapshot->progress, m_isPaused, snapshot->seconds);
}

void SolvePanel::showProgress(const Progress& progress, bool isPaused, double seconds) {
    m_phase->setText(isPaused ? tr("Paused") : phaseText(progress));
    m_remaining->setText(progress.secondsLeft >= 0
                             ? tr("%1 left").arg(durationText(progress.secondsLeft))
                             : durationText(seconds));
    m_rate->setText(progressText(progress));
    m_bar->setRange(0, progress.total > 0 ? 1000 : 0);
    if (progress.total > 0)
        m_bar->setValue(static_cast<int>(1000.0 * static_cast<double>(progress.done) /
                                         static_cast<double>(progress.total)));
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
