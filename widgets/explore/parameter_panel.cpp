#include "widgets/explore/parameter_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/run/run_fields.h"
#include "widgets/common/icons.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/tokens.h"
#include "widgets/explore/exploration.h"

namespace orrery {

namespace {

/// Stands for infinity where a spin box can hold finite numbers only.
constexpr double kTop = 1e6;

}  // namespace

ParameterSpin::ParameterSpin(const ParameterScale& scale, QWidget* parent)
    : QDoubleSpinBox(parent), m_takesInfinity(scale.takesInfinity) {
    setDecimals(4);
    setRange(scale.least, std::isinf(scale.most) ? kTop : scale.most);
    setStepType(AdaptiveDecimalStepType);
    setKeyboardTracking(false);
    setAlignment(Qt::AlignRight);
    setFixedWidth(80);
}

double ParameterSpin::parameter() const {
    return m_takesInfinity && value() >= kTop ? std::numeric_limits<double>::infinity() : value();
}

void ParameterSpin::setParameter(double value) {
    setValue(std::min(value, maximum()));
}

QString ParameterSpin::textFromValue(double value) const {
    return m_takesInfinity && value >= kTop ? QStringLiteral("∞") : parameterText(value);
}

double ParameterSpin::valueFromText(const QString& text) const {
    const QString word = text.trimmed();
    if (m_takesInfinity && (word == QStringLiteral("∞") || word == QLatin1String("inf")))
        return kTop;
    return word.toDouble();
}

QValidator::State ParameterSpin::validate(QString& text, int&) const {
    const QString word = text.trimmed();
    if (m_takesInfinity && (word == QStringLiteral("∞") || word == QLatin1String("inf")))
        return QValidator::Acceptable;
    bool isNumber = false;
    const double value = word.toDouble(&isNumber);
    if (isNumber)
        return value >= minimum() && value <= maximum() ? QValidator::Acceptable
                                                        : QValidator::Intermediate;
    const bool isBegun = word.isEmpty() || word == QLatin1String(".") ||
                         (m_takesInfinity && QStringLiteral("inf").startsWith(word));
    return isBegun ? QValidator::Intermediate : QValidator::Invalid;
}

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
    int line = 0;
    for (const ParameterScale& scale : parameterScales()) {
        m_rows.push_back(makeRow(scale));
        const Row& row = m_rows.back();
        grid->addWidget(row.name, line, 0);
        grid->addWidget(row.slider, line, 1);
        grid->addWidget(row.reset, line, 2);
        grid->addWidget(row.spin, line++, 3);
    }
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

ParameterPanel::Row ParameterPanel::makeRow(const ParameterScale& scale) {
    const QString field = QLatin1String(scale.field);
    const RunField* known = findField("solve", scale.field);
    const QString label = QString::fromStdString(known->label);
    const QString tip = QStringLiteral("%1. %2").arg(label, QString::fromStdString(known->meaning));
    Row row{&scale, makeLabel(symbolHtml(field), "name", this), new QSlider(Qt::Horizontal, this),
            new ParameterSpin(scale, this), new QToolButton(this)};
    row.name->setToolTip(tip);
    row.name->setMinimumWidth(18);
    row.slider->setObjectName(QStringLiteral("slider_") + field);
    row.slider->setAccessibleName(label);
    row.slider->setToolTip(tip);
    row.slider->setRange(0, ParameterScale::kSteps);
    row.slider->setSingleStep(10);
    row.slider->setPageStep(100);
    row.slider->setMinimumWidth(60);
    row.slider->installEventFilter(this);
    row.spin->setFocusPolicy(Qt::StrongFocus);
    row.spin->installEventFilter(this);
    row.spin->setObjectName(QStringLiteral("spin_") + field);
    row.spin->setAccessibleName(label);
    row.spin->setToolTip(tip);
    row.reset->setObjectName(QStringLiteral("reset_") + field);
    row.reset->setProperty("look", QStringLiteral("plain"));
    row.reset->setText(QStringLiteral("↺"));
    row.reset->setAccessibleName(tr("Reset %1 to the run's value").arg(label));
    row.reset->setToolTip(row.reset->accessibleName());
    row.reset->setFixedWidth(24);
    QSizePolicy policy = row.reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    row.reset->setSizePolicy(policy);
    connect(row.slider, &QSlider::sliderPressed, m_exploration, &Exploration::warmUp);
    connect(row.slider, &QSlider::valueChanged, this,
            [this, &scale](int place) { wish(scale, scale.value(place)); });
    connect(row.spin, &QDoubleSpinBox::valueChanged, this,
            [this, &scale, spin = row.spin] { wish(scale, spin->parameter()); });
    connect(row.reset, &QToolButton::clicked, this, [this, &scale] {
        wish(scale, exploredValue(m_exploration->runSpec(), scale.parameter));
    });
    return row;
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

/// A wheel that turns over a control on its way through the panel must not change it.
bool ParameterPanel::eventFilter(QObject* watched, QEvent* event) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() == QEvent::Wheel && widget && !widget->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ParameterPanel::wish(const ParameterScale& scale, double value) {
    SolveSpec spec = m_exploration->wanted();
    if (exploredValue(spec, scale.parameter) == value) return;
    const SolveSpec& run = m_exploration->runSpec();
    if (value == exploredValue(run, scale.parameter)) {
        // The run's own form: a rate stays a rate.
        if (scale.parameter == ExploredParameter::GammaH) {
            spec.gamma_h = run.gamma_h;
            spec.rho_h = run.rho_h;
        } else if (scale.parameter == ExploredParameter::GammaR) {
            spec.gamma_r = run.gamma_r;
            spec.rho_r = run.rho_r;
        } else {
            setExploredValue(spec, scale.parameter, value);
        }
    } else {
        setExploredValue(spec, scale.parameter, value);
    }
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
    const double value = exploredValue(m_exploration->wanted(), row.scale->parameter);
    const double ofRun = exploredValue(run, row.scale->parameter);
    const bool isChanged = value != ofRun;
    const bool isPhase1 = row.scale->parameter == ExploredParameter::BetaH ||
                          row.scale->parameter == ExploredParameter::GammaH;
    const bool isUsed = m_exploration->canExplore() && (isPhase1 || !run.phase1Only);
    const QSignalBlocker noSlider(row.slider);
    const QSignalBlocker noSpin(row.spin);
    // While a person drags, the slider is where the pointer is.
    if (!row.slider->isSliderDown()) row.slider->setValue(row.scale->place(value));
    row.spin->setParameter(value);
    const QString symbol = symbolHtml(QLatin1String(row.scale->field));
    row.name->setText(isChanged ? QStringLiteral("<b>%1</b>").arg(symbol) : symbol);
    QFont font = row.spin->font();
    font.setBold(isChanged);
    row.spin->setFont(font);
    if (row.spin->property("changed").toBool() != isChanged) {
        row.spin->setProperty("changed", isChanged);
        restyle(row.spin);
    }
    row.reset->setVisible(isChanged);
    for (QWidget* widget : {static_cast<QWidget*>(row.slider), static_cast<QWidget*>(row.spin)})
        widget->setEnabled(isUsed);
    row.slider->setAccessibleDescription(
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
