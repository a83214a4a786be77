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
#include "widgets/part/run_progress.h"
#include "widgets/spec/spec_form.h"

namespace orrery {

namespace {

constexpr int kEditorWidth = 92;  ///< pixels: the panel is narrow

}  // namespace

SolvePanel::SolvePanel(QWidget* parent)
    : QWidget(parent), m_solve(new QPushButton(tr("Solve"), this)) {
    m_spec.job = SolveJob{};
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 0, 16 - kScrollBarWidth, 12);
    layout->setSpacing(8);
    m_fields = new SpecForm(m_spec,
                            {.fields = QStringLiteral("field_"),
                             .parts = QStringLiteral("solve"),
                             .hasSymbols = true,
                             .editorWidth = kEditorWidth},
                            this);
    m_fields->addPreset();
    m_fields->addFirstFields();
    m_fields->addOptions({});
    connect(m_fields, &SpecForm::changed, this, &SolvePanel::refresh);
    keepRightEdge(m_fields);
    layout->addWidget(m_fields, 1);
    makeProgress();
    auto* below = new QVBoxLayout;
    below->setContentsMargins(0, 0, kScrollBarWidth, 0);
    below->addWidget(m_progress);
    below->addWidget(m_solve);
    layout->addLayout(below);
    m_solve->setObjectName(QStringLiteral("solveButton"));
    m_solve->setToolTip(tr("Explores all states and solves both phases (F5)"));
    connect(m_solve, &QPushButton::clicked, this, &SolvePanel::solveRequested);
    refresh();
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
    setCanSolve(m_canSolve);
    Q_EMIT specChanged();
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
