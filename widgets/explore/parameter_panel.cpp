#include "widgets/explore/parameter_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/run/run_fields.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/explore/exploration.h"
#include "widgets/spec/field_slider.h"

namespace orrery {

namespace {

constexpr int kLeastName = 18, kLeastSlider = 60, kNumberWidth = 80;  // pixels

}  // namespace

ParameterPanel::ParameterPanel(Exploration* exploration, QWidget* parent)
    : QWidget(parent), m_exploration(exploration) {
    setObjectName(QStringLiteral("parameterPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 0, 16, 10);
    column->setSpacing(6);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    for (const ParameterScale& scale : parameterScales()) makeRow(scale, grid);
    column->addLayout(grid);
    column->addWidget(makeFoot());
    column->addStretch(1);
    connect(exploration, &Exploration::wantedChanged, this, &ParameterPanel::refresh);
    connect(exploration, &Exploration::shown, this, &ParameterPanel::showShown);
    connect(exploration, &Exploration::progressed, this, &ParameterPanel::showProgress);
    connect(exploration, &Exploration::workingChanged, this, [this] {
        if (!m_exploration->isWorking()) m_progressRow->hide();
    });
    connect(exploration, &Exploration::failed, this, [this](const QString& text) {
        m_status->setProperty("look", QStringLiteral("problem"));
        restyle(m_status);
        m_status->setText(text);
    });
    refresh();
}

void ParameterPanel::makeRow(const ParameterScale& scale, QGridLayout* grid) {
    const RunField* field = findField("solve", scale.field);
    const QString label = QString::fromStdString(field->label);
    auto* number = new FieldSlider(*field, scale, {}, symbolHtml(QLatin1String(scale.field)), this);
    number->setTip(QStringLiteral("%1. %2").arg(label, QString::fromStdString(field->meaning)));
    number->name()->setMinimumWidth(kLeastName);
    number->slider()->setMinimumWidth(kLeastSlider);
    number->spin()->setFixedWidth(kNumberWidth);
    QToolButton* reset = number->addReset(tr("Reset %1 to the run's value").arg(label));
    const auto line = static_cast<int>(m_rows.size());
    grid->addWidget(number->name(), line, 0);
    grid->addWidget(number->slider(), line, 1);
    grid->addWidget(reset, line, 2);
    grid->addWidget(number->spin(), line, 3);
    connect(number->slider(), &QSlider::sliderPressed, m_exploration, &Exploration::warmUp);
    connect(number, &FieldSlider::wished, this,
            [this, &scale](double value) { wish(scale, value); });
    connect(reset, &QToolButton::clicked, this,
            [this, &scale] { wish(scale, exploredValue(m_exploration->runSpec(), scale)); });
    m_rows.push_back({&scale, number});
}

QWidget* ParameterPanel::makeFoot() {
    auto* foot = new QWidget(this);
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(6);
    m_status = makeLabel({}, "hint", foot);
    m_status->setObjectName(QStringLiteral("explorationStatus"));
    m_status->setWordWrap(true);
    column->addWidget(m_status);
    m_progressRow = new QWidget(foot);
    auto* progress = new QHBoxLayout(m_progressRow);
    progress->setContentsMargins(0, 0, 0, 0);
    m_progress = new QProgressBar(m_progressRow);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("How far the solve is"));
    auto* cancel = new QPushButton(tr("Cancel"), m_progressRow);
    cancel->setObjectName(QStringLiteral("cancelExploring"));
    progress->addWidget(m_progress, 1);
    progress->addWidget(cancel);
    m_progressRow->hide();
    column->addWidget(m_progressRow);
    auto* buttons = new QHBoxLayout;
    m_keep = new QPushButton(tr("Keep as run"), foot);
    m_keep->setObjectName(QStringLiteral("panelKeepRun"));
    m_keep->setToolTip(tr("Solves these parameters as a run of its own and stores it"));
    m_back = new QPushButton(tr("Back"), foot);
    m_back->setObjectName(QStringLiteral("panelBackToRun"));
    m_back->setAccessibleName(tr("Back to the run"));
    m_back->setToolTip(tr("Shows the run's own values again"));
    buttons->addWidget(m_keep);
    buttons->addWidget(m_back);
    column->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, m_exploration, &Exploration::cancel);
    connect(m_keep, &QPushButton::clicked, this, &ParameterPanel::keepRequested);
    connect(m_back, &QPushButton::clicked, m_exploration, &Exploration::backToRun);
    return foot;
}

QSlider* ParameterPanel::slider(const QString& field) const {
    return findChild<QSlider*>(QStringLiteral("slider_") + field);
}

void ParameterPanel::wish(const ParameterScale& scale, double value) {
    SolveSpec spec = m_exploration->wanted();
    if (exploredValue(spec, scale) == value) return;
    const SolveSpec& run = m_exploration->runSpec();
    if (value == exploredValue(run, scale))
        resetExploredValue(spec, scale, run);
    else
        setExploredValue(spec, scale, value);
    m_exploration->setWanted(spec);
}

void ParameterPanel::refresh() {
    for (const Row& row : m_rows) refreshRow(row);
    const bool isExploring = m_exploration->isExploring();
    m_keep->setEnabled(isExploring);
    m_back->setEnabled(isExploring);
    m_status->setProperty("look", QStringLiteral("hint"));
    restyle(m_status);
    if (!m_exploration->canExplore())
        m_status->setText(tr("Solve the world first (F5); then these move its values at once."));
    else if (!isExploring)
        m_status->setText(
            tr("As in the run. Move a slider: every view follows, nothing is stored."));
}

void ParameterPanel::refreshRow(const Row& row) {
    const SolveSpec& run = m_exploration->runSpec();
    const double value = exploredValue(m_exploration->wanted(), *row.scale);
    const double ofRun = exploredValue(run, *row.scale);
    const bool isChanged = value != ofRun;
    const bool isUsed = m_exploration->canExplore() && (row.scale->isOfPhase1 || !run.phase1Only);
    row.number->setValue(value);
    row.number->setChanged(isChanged);
    row.number->setEnabled(isUsed);
    row.number->slider()->setAccessibleDescription(
        isChanged ? tr("%1, the run has %2").arg(parameterText(value), parameterText(ofRun))
                  : parameterText(value));
}

void ParameterPanel::showShown() {
    const double ms = 1000 * m_exploration->lastSeconds();
    const QString time = ms < 1000 ? tr("%1 ms").arg(ms, 0, 'f', ms < 10 ? 1 : 0)
                                   : durationText(m_exploration->lastSeconds());
    m_status->setText(
        m_exploration->lastWasPhase2()
            ? tr("Solved in %1: phase 2 alone, the humans' policies are kept.").arg(time)
            : tr("Solved in %1: both phases.").arg(time));
}

void ParameterPanel::showProgress(const Progress& progress) {
    // Short solves need no bar.
    if (progress.seconds < 0.3) return;
    m_progressRow->show();
    m_progress->setRange(0, progress.total > 0 ? 1000 : 0);
    if (progress.total > 0)
        m_progress->setValue(static_cast<int>(1000 * progress.done / progress.total));
    m_status->setText(progress.secondsLeft >= 0
                          ? tr("Solving, %1 left").arg(durationText(progress.secondsLeft))
                          : tr("Solving"));
}

}  // namespace orrery
