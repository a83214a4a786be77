#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <functional>

#include "core/run/run_kind.h"
#include "widgets/common/parts.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/train/stage_bar.h"
#include "widgets/train/train_charts.h"
#include "widgets/train/train_session.h"
#include "widgets/train/trouble_bar.h"
#include "widgets/train/view_clock.h"

// The page of TrainCharts: what is shown without a training, and the rows above the charts.

namespace orrery {

namespace {

constexpr int kSmoothingSteps = 99;
constexpr int kRateTextWidth = 46;

}  // namespace

QWidget* TrainCharts::makeEmptyPage() {
    auto* page = new QWidget(m_pages);
    auto* column = new QVBoxLayout(page);
    column->addStretch(1);
    m_emptyTitle = makeLabel({}, "title", page);
    m_emptyTitle->setObjectName(QStringLiteral("emptyTitle"));
    m_emptyTitle->setAlignment(Qt::AlignCenter);
    column->addWidget(m_emptyTitle);
    m_emptyText = makeLabel({}, "name", page);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    column->addWidget(m_emptyText);
    column->addSpacing(8);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    auto* train = new QPushButton(tr("Train this world..."), page);
    train->setObjectName(QStringLiteral("emptyTrain"));
    train->setProperty("look", QStringLiteral("primary"));
    train->setToolTip(tr("Opens the form of a training of the world that is open"));
    connect(train, &QPushButton::clicked, this, &TrainCharts::trainRequested);
    row->addWidget(train);
    m_newest = new QPushButton(tr("Open the latest"), page);
    m_newest->setObjectName(QStringLiteral("emptyNewest"));
    connect(m_newest, &QPushButton::clicked, this, &TrainCharts::newestRequested);
    row->addWidget(m_newest);
    auto* example = new QPushButton(tr("Run the example"), page);
    example->setObjectName(QStringLiteral("emptyExample"));
    example->setToolTip(tr("Learns a small world in tables and measures the error to exact"));
    connect(example, &QPushButton::clicked, this, &TrainCharts::exampleRequested);
    row->addWidget(example);
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(1);
    setNewestStored({});
    return page;
}

void TrainCharts::setNewestStored(const QString& title) {
    m_newest->setVisible(!title.isEmpty());
    m_newest->setToolTip(tr("Opens %1").arg(title));
    m_emptyTitle->setText(title.isEmpty() ? tr("No training yet") : tr("No training is open"));
    m_emptyText->setText(
        title.isEmpty() ? tr("Learn the robot's policy from sampled steps and watch its error to "
                             "the exact one.")
                        : tr("The latest is %1; Compare lists all that are stored.").arg(title));
}

QWidget* TrainCharts::makeFullPage() {
    auto* page = new QWidget(m_pages);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeStatusRow(page));
    column->addWidget(makeStageRow(page));
    auto* trouble = new TroubleBar(m_session, page);
    connect(trouble, &TroubleBar::goBackRequested, this, &TrainCharts::goBackRequested);
    connect(trouble, &TroubleBar::forkRequested, this, &TrainCharts::forkRequested);
    column->addWidget(trouble);
    column->addWidget(makeLine(page));
    m_grid = new ChartGrid(page);
    m_grid->setObjectName(QStringLiteral("trainGrid"));
    m_grid->setAccessibleName(tr("Charts of the training"));
    m_grid->setColumns(3);
    column->addWidget(m_grid, 1);
    connect(m_grid, &ChartGrid::viewChanged, this, &TrainCharts::showSmoothing);
    return page;
}

QWidget* TrainCharts::makeStatusRow(QWidget* page) {
    auto* bar = new QWidget(page);
    bar->setFixedHeight(40);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(4);
    m_run = makeRemark({}, "section", bar);
    m_run->setObjectName(QStringLiteral("trainRun"));
    row->addWidget(m_run);
    row->addSpacing(8);
    m_state = makeLabel({}, "name", bar);
    m_state->setObjectName(QStringLiteral("trainState"));
    row->addWidget(m_state);
    row->addSpacing(8);
    m_numbers = makeRemark({}, "label", bar);
    m_numbers->setObjectName(QStringLiteral("trainNumbers"));
    row->addWidget(m_numbers, 1);
    const auto add = [&](const QString& text, const char* name, const QString& tip,
                         const std::function<void()>& press) {
        auto* button = new QPushButton(text, bar);
        button->setObjectName(QLatin1String(name));
        button->setToolTip(tip);
        button->setAccessibleDescription(tip);
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        connect(button, &QPushButton::clicked, this, press);
        row->addWidget(button);
        return button;
    };
    m_steps = add(tr("+%1 steps").arg(TrainRecord::kManySteps), "trainSteps",
                  tr("%1 training steps, then pauses (Shift+F7)").arg(TrainRecord::kManySteps),
                  [this] { m_session->record().doSteps(TrainRecord::kManySteps); });
    m_checkpoint = add(tr("Checkpoint"), "trainCheckpoint",
                       tr("Saves everything now, so that the run can be resumed or forked here"),
                       [this] { m_session->record().checkpoint(); });
    return bar;
}

QWidget* TrainCharts::makeStageRow(QWidget* page) {
    auto* bar = new QWidget(page);
    auto* wrap = new WrapLayout(bar);
    wrap->setContentsMargins(12, 0, 12, 8);
    wrap->setSpacing(8);
    m_stages = new StageBar(bar);
    wrap->addWidget(m_stages);
    auto* controls = new QWidget(bar);
    wrap->addWidget(controls);
    controls->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(makeLabel(tr("Smoothing"), "label", controls));
    m_smoothing = new QSlider(Qt::Horizontal, controls);
    m_smoothing->setObjectName(QStringLiteral("trainSmoothing"));
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(
        tr("Weight of the past in the bold lines; the raw points stay below them"));
    m_smoothing->setRange(0, kSmoothingSteps);
    m_smoothing->setFixedWidth(90);
    row->addWidget(m_smoothing);
    m_smoothingText = makeLabel(QStringLiteral("0.00"), "number", controls);
    row->addWidget(m_smoothingText);
    makeRateParts(controls, row);
    m_axis = new QComboBox(controls);
    m_axis->setObjectName(QStringLiteral("trainAxis"));
    m_axis->setAccessibleName(tr("What the x axes show"));
    m_axis->setToolTip(tr("What the x axes show: training steps, or seconds of training"));
    m_axis->addItem(QString::fromStdString(m_kind->display.axisName));
    m_axis->addItem(tr("wall time"));
    row->addWidget(m_axis);
    connect(m_smoothing, &QSlider::valueChanged, this, &TrainCharts::setSmoothing);
    connect(m_axis, &QComboBox::currentIndexChanged, this, [this] {
        fillCharts();
        for (Chart* chart : m_grid->charts()) chart->fit();
    });
    return bar;
}

void TrainCharts::makeRateParts(QWidget* bar, QHBoxLayout* row) {
    row->addSpacing(4);
    row->addWidget(makeLabel(tr("Views"), "label", bar));
    m_rate = new QSlider(Qt::Horizontal, bar);
    m_rate->setObjectName(QStringLiteral("trainViewRate"));
    m_rate->setAccessibleName(tr("View rate"));
    m_rate->setToolTip(
        tr("How often charts, pipeline and live world are drawn at most. At 0 Hz they stand still "
           "while the training goes on."));
    m_rate->setRange(0, ViewClock::kMostHertz);
    m_rate->setPageStep(10);
    m_rate->setFixedWidth(70);
    row->addWidget(m_rate);
    m_rateText = makeLabel({}, "number", bar);
    m_rateText->setObjectName(QStringLiteral("trainViewRateText"));
    m_rateText->setFixedWidth(kRateTextWidth);
    row->addWidget(m_rateText);
    connect(m_rate, &QSlider::valueChanged, &m_session->clock(), &ViewClock::setRate);
}

}  // namespace orrery
