#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/selection.h"
#include "widgets/common/tokens.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/config_diff.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/parallel_plot.h"
#include "widgets/compare/runs_table.h"
#include "widgets/explore/outcome_chart.h"
#include "widgets/explore/outcome_heat.h"

// How the view is put together and kept between sessions.

namespace orrery {

namespace {

constexpr int kWidthForColumns = 900;  // side by side
constexpr int kTall = 640;             // from here on the world has a list below it
constexpr int kLeastBelow = 307;
constexpr int kLeastParameters = 222;                    // in which the tabs' names are whole
constexpr int kLeastTables = 520, kLeastPictures = 600;  // heights, one above the other

QString textOfSizes(const QSplitter* splitter) {
    return QString::fromLatin1(splitter->saveState().toBase64());
}

void restoreSizes(QSplitter* splitter, const QJsonValue& value) {
    if (value.isString())
        splitter->restoreState(QByteArray::fromBase64(value.toString().toLatin1()));
}

/// A card with a margin around it, at the end of the splitter.
QFrame* addCard(QSplitter* splitter) {
    auto* outer = new QWidget(splitter);
    auto* layout = new QVBoxLayout(outer);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* card = new QFrame(outer);
    card->setProperty("look", "card");
    layout->addWidget(card);
    auto* inner = new QVBoxLayout(card);
    inner->setContentsMargins(1, 1, 1, 1);
    return card;
}

void refreshIcon(QPushButton* report) {
    report->setIcon(coloredIcon(QStringLiteral("document-export"), currentTokens().onAccent,
                                currentTokens().text3));
}

}  // namespace

void CompareView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refreshIcon(m_report);
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeColumns();
}

/// Where there is no room side by side, the charts stand below the tables.
void CompareView::arrangeColumns() {
    const bool isStack = width() < kWidthForColumns;
    m_columns->setOrientation(isStack ? Qt::Vertical : Qt::Horizontal);
    m_leftPanel->setMinimumHeight(isStack ? kLeastTables : 0);
    m_right->setMinimumHeight(isStack ? kLeastPictures : 0);
    m_below->setMinimumHeight(isStack || height() >= kTall ? kLeastBelow : 0);
}

void CompareView::makeLowerParts() {
    m_below = new QSplitter(Qt::Horizontal, m_right);
    QFrame* card = addCard(m_below);
    m_difference = new DifferenceView(m_selection, m_session, m_worker, card);
    card->layout()->addWidget(m_difference);
    card = addCard(m_below);
    m_parameters = new QTabWidget(card);
    card->layout()->addWidget(m_parameters);
    m_parameters->setObjectName(QStringLiteral("parameterTabs"));
    m_parameters->setDocumentMode(true);
    m_parameters->setElideMode(Qt::ElideRight);
    m_parameters->setUsesScrollButtons(false);
    m_parameters->setMinimumWidth(kLeastParameters);
    m_parameters->tabBar()->setAccessibleName(tr("Pictures of the parameters"));
    auto* pages = m_parameters->findChild<QStackedWidget*>();  // where they stay
    m_parallel = new ParallelPlot(pages);
    m_outcome = new OutcomeChart(pages);
    m_heat = new OutcomeHeat(pages);
    m_parameters->addTab(m_parallel, tr("Parallel"));
    m_parameters->addTab(m_outcome, tr("Outcome"));
    m_parameters->addTab(m_heat, tr("Heat"));
    m_parameters->setTabToolTip(0, tr("Parallel coordinates of parameters and results; drag along "
                                      "an axis to filter"));
    m_parameters->setTabToolTip(1, tr("A result against the one or two parameters that differ"));
    m_parameters->setTabToolTip(2, tr("A result against the two parameters that differ, in cells"));
}

void CompareView::buildLayout() {
    auto* bar = new QFrame(this);
    bar->setProperty("look", "bar");
    auto* barLayout = new QHBoxLayout(bar);
    barLayout->setContentsMargins(0, 0, 12, 0);
    barLayout->addWidget(m_table->bar(), 1);
    m_report->setObjectName(QStringLiteral("makeReport"));
    m_report->setProperty("look", "primary");
    refreshIcon(m_report);
    barLayout->addWidget(m_report);

    m_left->setChildrenCollapsible(false);
    m_left->setSizes({400, 200, 150});
    m_left->setStretchFactor(0, 1);
    m_leftPanel->setProperty("look", "panel");
    auto* leftLayout = new QVBoxLayout(m_leftPanel);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->addWidget(m_left);
    m_below->setChildrenCollapsible(false);
    m_below->setSizes({460, 400});
    m_right->setChildrenCollapsible(false);
    m_right->setSizes({440, 360});
    m_right->setStretchFactor(0, 11);
    m_right->setStretchFactor(1, 9);

    m_columns->setChildrenCollapsible(false);
    m_columns->setSizes({560, 760});
    m_columns->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(m_columns, 1);
    m_strip->floatOver(this);
}

QJsonObject CompareView::saveState() const {
    QJsonArray checked;
    for (const SelectionItem& item : m_selection->set(SelectionKind::Run))
        checked.append(std::get<RunItem>(item).id);
    return {{QStringLiteral("table"), m_table->saveState()},
            {QStringLiteral("charts"), m_charts->saveState()},
            {QStringLiteral("difference"), m_difference->saveState()},
            {QStringLiteral("result"), m_interval->chosenKey()},
            {QStringLiteral("heat"), m_heat->figureState()},
            {QStringLiteral("parameterTab"), m_parameters->currentIndex()},
            {QStringLiteral("ignored"), QJsonArray::fromStringList(m_diff->ignored())},
            {QStringLiteral("equal"), m_diff->showsEqual()},
            {QStringLiteral("checked"), checked},
            {QStringLiteral("colors"), m_colors.save()},
            {QStringLiteral("columns"), textOfSizes(m_columns)},
            {QStringLiteral("left"), textOfSizes(m_left)},
            {QStringLiteral("right"), textOfSizes(m_right)},
            {QStringLiteral("below"), textOfSizes(m_below)}};
}

void CompareView::restoreState(const QJsonObject& state) {
    restoreSizes(m_columns, state[QLatin1String("columns")]);
    restoreSizes(m_left, state[QLatin1String("left")]);
    restoreSizes(m_right, state[QLatin1String("right")]);
    restoreSizes(m_below, state[QLatin1String("below")]);
    arrangeColumns();
    if (state[QLatin1String("ignored")].isArray()) {
        QStringList ignored;
        for (const auto& value : state[QLatin1String("ignored")].toArray())
            ignored << value.toString();
        m_diff->setIgnored(ignored);
    }
    m_diff->setShowsEqual(state[QLatin1String("equal")].toBool());
    m_colors.restore(state[QLatin1String("colors")].toObject());
    if (state[QLatin1String("table")].isObject())
        m_table->restoreState(state[QLatin1String("table")].toObject());
    m_charts->restoreState(state[QLatin1String("charts")].toObject());
    m_difference->restoreState(state[QLatin1String("difference")].toObject());
    m_interval->setResultKey(state[QLatin1String("result")].toString());
    m_heat->restoreFigure(state[QLatin1String("heat")].toObject());
    m_parameters->setCurrentIndex(state[QLatin1String("parameterTab")].toInt());
    if (!state[QLatin1String("checked")].isArray()) return;
    m_wasChecked = true;
    std::vector<SelectionItem> items;
    for (const auto& value : state[QLatin1String("checked")].toArray())
        items.emplace_back(RunItem{value.toString()});
    m_selection->setSet(SelectionKind::Run, std::move(items));
}

}  // namespace orrery
