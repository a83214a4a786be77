#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/common/message_strip.h"
#include "widgets/common/name_box.h"
#include "widgets/common/parts.h"
#include "widgets/common/trust_mark.h"
#include "widgets/learned/calibration_plot.h"
#include "widgets/learned/error_bars.h"
#include "widgets/learned/error_map.h"
#include "widgets/learned/error_table.h"
#include "widgets/learned/learned_view.h"
#include "widgets/plots/chart.h"
#include "widgets/world/state_picture.h"

// The parts of LearnedView and where they stand.

namespace orrery {

namespace {

constexpr int kWide = 1080;  ///< from it on there are three columns of cards
constexpr int kCardHigh = 260, kChosenWide = 150;
constexpr int kTitleHigh = 28;  ///< that of a field, which some titles have beside them

QFrame* makeCard(QWidget* parent) {
    auto* card = new QFrame(parent);
    card->setProperty("look", "card");
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    return card;
}

/// Words that stand apart from the number on their left.
class WordsDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->text.prepend(QChar(0x2002));  // an en space
    }
};

/// A row with a title and a quiet remark; more can be added behind the stretch.
QHBoxLayout* addTitle(QFrame* card, const QString& title, QLabel** unit = nullptr,
                      const QString& remark = {}) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    QLabel* name = makeLabel(title, "section", card);
    name->setMinimumHeight(kTitleHigh);
    row->addWidget(name);
    auto* quiet = makeRemark(remark, "hint", card);
    if (unit != nullptr) *unit = quiet;
    row->addWidget(quiet, 1);
    static_cast<QVBoxLayout*>(card->layout())->addLayout(row);
    return row;
}

QComboBox* makeBox(const QString& name, const QString& spoken, const QString& tip, int chars,
                   QWidget* parent) {
    auto* box = new NameBox(parent);
    box->setObjectName(name);
    box->setAccessibleName(spoken);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(chars);
    return box;
}

}  // namespace

QWidget* LearnedView::makeEmptyPage() {
    auto* page = new QWidget(m_pages);
    auto* column = new QVBoxLayout(page);
    column->addStretch(1);
    QLabel* title = makeLabel(tr("No training to compare yet"), "title", page);
    title->setAlignment(Qt::AlignCenter);
    column->addWidget(title);
    QLabel* text =
        makeLabel(tr("Train in a world that is small enough to be solved exactly: then every "
                     "learned number is shown beside the right one."),
                  "name", page);
    text->setAlignment(Qt::AlignCenter);
    text->setWordWrap(true);
    column->addWidget(text);
    auto* row = new QHBoxLayout;
    auto* button = new QPushButton(tr("Train..."), page);
    button->setObjectName(QStringLiteral("learnedTrain"));
    button->setToolTip(tr("Opens the form of a training of the world that is open"));
    connect(button, &QPushButton::clicked, this, &LearnedView::trainRequested);
    row->addStretch(1);
    row->addWidget(button);
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(1);
    return page;
}

QWidget* LearnedView::makeFullPage() {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    auto* page = new QWidget(m_pages);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar(page));
    m_strip = new MessageStrip(page);
    m_strip->setObjectName(QStringLiteral("learnedStrip"));
    m_strip->floatOver(page);
    m_body = new QStackedWidget(page);
    m_pictures = makePictures(m_body);
    m_waiting = makeLabel({}, "name", m_body);
    m_waiting->setObjectName(QStringLiteral("learnedWaiting"));
    m_waiting->setAlignment(Qt::AlignCenter);
    m_waiting->setWordWrap(true);
    m_body->addWidget(m_pictures);
    m_body->addWidget(m_waiting);
    column->addWidget(m_body, 1);
    layOut();
    return page;
}

QWidget* LearnedView::makePictures(QWidget* page) {
    auto* pictures = new QWidget(page);
    auto* column = new QVBoxLayout(pictures);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeSummary(pictures));
    auto* scroll = new QScrollArea(pictures);
    scroll->setObjectName(QStringLiteral("learnedCards"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inner = new QWidget(scroll->viewport());  // where the area would move it
    m_grid = new QGridLayout(inner);
    m_grid->setContentsMargins(10, 0, 10, 10);
    m_grid->setSpacing(8);

    QFrame* calibration = makeCard(inner);
    addTitle(calibration, tr("Calibration"), &m_calibrationUnit);
    m_calibration = new CalibrationPlot(calibration);
    calibration->layout()->addWidget(m_calibration);
    QFrame* levels = makeCard(inner);
    addTitle(levels, tr("By step"), nullptr, tr("hatched: never visited"));
    m_levels = new ErrorBars(QStringLiteral("errorByLevel"), tr("step"), levels);
    m_levels->setAccessibleName(tr("Mean error by step"));
    levels->layout()->addWidget(m_levels);
    QFrame* visits = makeCard(inner);
    addTitle(visits, tr("By visits"), nullptr, tr("of the training"));
    m_visits = new ErrorBars(QStringLiteral("errorByVisits"), tr("visits, at least"), visits);
    m_visits->setAccessibleName(tr("Mean error by number of visits"));
    visits->layout()->addWidget(m_visits);
    m_chart = new Chart(QStringLiteral("learned/error"), inner);
    m_chart->setTitle(tr("Over training"), tr("mean error, log"));
    m_chart->setScales(ScaleKind::Linear, ScaleKind::Log);
    m_chart->setEmptyText(tr("The error was not measured while this run trained."));
    m_cards = {calibration, makeMapCard(inner), levels, visits, m_chart, makeWorstCard(inner)};
    scroll->setWidget(inner);
    column->addWidget(scroll, 1);
    auto* statistics = new ChartStatistics(pictures);
    statistics->setChart(m_chart);
    column->addWidget(statistics);
    return pictures;
}

QWidget* LearnedView::makeBar(QWidget* page) {
    auto* bar = new QFrame(page);
    bar->setProperty("look", "bar");
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(8);
    m_runs = makeBox(QStringLiteral("learnedRun"), tr("Training"),
                     tr("The training whose values are compared"), 14, bar);
    m_checkpoints = makeBox(QStringLiteral("learnedCheckpoint"), tr("Checkpoint"),
                            tr("What it had learned by this step"), 14, bar);
    m_worlds = makeBox(QStringLiteral("learnedWorld"), tr("World"),
                       tr("Which of the training's worlds"), 10, bar);
    m_quantity = makeBox(QStringLiteral("learnedQuantity"), tr("Quantity"),
                         tr("The number that is compared"), 14, bar);
    m_worlds->hide();
    for (QComboBox* box : {m_runs, m_checkpoints, m_worlds, m_quantity})
        row->addWidget(box, box == m_runs ? 2 : 1);
    row->addStretch(1);
    m_phase = makeLabel({}, "hint", bar);
    m_progress = new QProgressBar(bar);
    m_progress->setObjectName(QStringLiteral("learnedProgress"));
    m_progress->setAccessibleName(tr("How far the comparison is"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(110);
    m_cancel = new QPushButton(tr("Cancel"), bar);
    m_cancel->setObjectName(QStringLiteral("learnedCancel"));
    m_cancel->setToolTip(tr("Ends the comparison; what was shown stays"));
    m_again = new QPushButton(tr("Compare"), bar);
    m_again->setObjectName(QStringLiteral("learnedCompare"));
    m_again->setToolTip(tr("Compares the checkpoint with the exact solution"));
    for (QWidget* part : {static_cast<QWidget*>(m_phase), static_cast<QWidget*>(m_progress),
                          static_cast<QWidget*>(m_cancel)}) {
        part->hide();
        row->addWidget(part);
    }
    row->addWidget(m_again);
    return bar;
}

QWidget* LearnedView::makeSummary(QWidget* page) {
    auto* line = new QWidget(page);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(14, 8, 14, 8);
    row->setSpacing(6);
    const auto add = [&](const QString& name, TrustKind kind, const char* id) {
        row->addWidget(new TrustMark(line, kind));
        QLabel* title = makeLabel(name, "name", line);
        QLabel* value = makeLabel(QStringLiteral("–"), "number", line);
        for (QLabel* label : {title, value})
            label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        row->addWidget(title);
        value->setObjectName(QLatin1String(id));
        value->setAccessibleName(name);
        row->addWidget(value);
        row->addSpacing(14);
        return value;
    };
    m_mean = add(tr("mean error"), TrustKind::Learned, "learnedMean");
    m_worst = add(tr("of the worst 1 %"), TrustKind::Learned, "learnedWorst");
    m_unvisited = add(tr("never visited"), TrustKind::Unseen, "learnedUnvisited");
    m_states = makeRemark({}, "hint", line);
    m_states->setObjectName(QStringLiteral("learnedStates"));
    m_states->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    row->addWidget(m_states, 1);
    return line;
}

QWidget* LearnedView::makeMapCard(QWidget* inner) {
    QFrame* card = makeCard(inner);
    QHBoxLayout* row = addTitle(card, tr("Where"), nullptr);
    m_agent = makeBox(QStringLiteral("errorMapAgent"), tr("Agent"),
                      tr("The agent whose cell is meant"), 7, card);
    row->addWidget(m_agent);
    const auto addWord = [&](const QString& word) {
        QLabel* label = makeLabel(word, "hint", card);
        label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
        row->addWidget(label);
    };
    addWord(tr("steps"));
    const auto addSteps = [&](const char* name, const QString& spoken) {
        auto* box = new QSpinBox(card);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(spoken);
        box->setToolTip(tr("Only states of these steps count"));
        box->setKeyboardTracking(false);
        box->setFixedWidth(60);
        row->addWidget(box);
        return box;
    };
    m_from = addSteps("errorMapFrom", tr("First step"));
    addWord(QStringLiteral("–"));
    m_to = addSteps("errorMapTo", tr("Last step"));
    m_map = new ErrorMap(card);
    card->layout()->addWidget(m_map);
    return card;
}

QWidget* LearnedView::makeWorstCard(QWidget* inner) {
    QFrame* card = makeCard(inner);
    card->layout()->setContentsMargins(10, 2, 10, 8);  // its title in line with the chart's
    QHBoxLayout* title = addTitle(card, tr("Worst states"), &m_worstRemark);
    m_worstRemark->setObjectName(QStringLiteral("worstRemark"));
    m_seenOnly = new QCheckBox(tr("Seen only"), card);
    m_seenOnly->setObjectName(QStringLiteral("worstSeenOnly"));
    m_seenOnly->setToolTip(
        tr("Leaves out entries of tables that no update reached: they hold a default"));
    m_seenOnly->setChecked(true);
    m_seenOnly->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    title->addWidget(m_seenOnly);
    m_worstTable = new QTableView(card);
    m_worstTable->setObjectName(QStringLiteral("worstStates"));
    m_worstTable->setAccessibleName(tr("The hundred states with the largest error"));
    m_worstTable->setModel(m_worstModel);
    m_worstTable->setItemDelegateForColumn(ErrorTable::kWhat, new WordsDelegate(m_worstTable));
    m_worstTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_worstTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_worstTable->setShowGrid(false);
    m_worstTable->setTabKeyNavigation(false);
    m_worstTable->verticalHeader()->hide();
    m_worstTable->verticalHeader()->setDefaultSectionSize(24);
    m_worstTable->horizontalHeader()->setHighlightSections(false);
    m_worstTable->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_worstTable->horizontalHeader()->setSectionResizeMode(ErrorTable::kWhat, QHeaderView::Stretch);
    m_worstTable->resizeColumnsToContents();
    // By the header's own mode, each layout of the view would measure some 700 texts.
    connect(m_worstModel, &QAbstractItemModel::modelReset, m_worstTable,
            &QTableView::resizeColumnsToContents);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(m_worstTable, 1);
    row->addWidget(makeChosen(card));
    static_cast<QVBoxLayout*>(card->layout())->addLayout(row, 1);
    return card;
}

QWidget* LearnedView::makeChosen(QWidget* card) {
    m_chosen = new QWidget(card);
    m_chosen->setFixedWidth(kChosenWide);
    auto* column = new QVBoxLayout(m_chosen);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_chosenPicture = new StatePicture({}, m_chosen);
    m_chosenPicture->setObjectName(QStringLiteral("worstPicture"));
    m_chosenPicture->setAccessibleName(tr("The selected state"));
    column->addWidget(m_chosenPicture);
    auto* plan = new QPushButton(tr("Show in Plan"), m_chosen);
    plan->setObjectName(QStringLiteral("worstInPlan"));
    plan->setToolTip(tr("Shows the state in the state graph, with what leads to it"));
    connect(plan, &QPushButton::clicked, this, &LearnedView::planRequested);
    column->addWidget(plan);
    column->addStretch(1);
    m_chosen->hide();
    return m_chosen;
}

/// Three columns where there is room, else two.
void LearnedView::layOut() {
    const int columns = width() >= kWide ? 3 : 2;
    if (columns == m_numColumns) return;
    m_numColumns = columns;
    for (QWidget* card : m_cards) m_grid->removeWidget(card);
    for (int i = 0; i < 3; ++i) {
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
        m_grid->setRowStretch(i, 0);
        m_grid->setRowMinimumHeight(i, 0);
    }
    enum { kCalibration, kMap, kLevels, kVisits, kChart, kTable };
    const auto put = [&](std::size_t card, int row, int column, int rows = 1, int wide = 1) {
        m_grid->addWidget(m_cards[card], row, column, rows, wide);
    };
    if (columns == 3) {
        put(kCalibration, 0, 0, 2);
        put(kMap, 0, 1, 2);
        put(kLevels, 0, 2);
        put(kVisits, 1, 2);
        put(kChart, 2, 0);
        put(kTable, 2, 1, 1, 2);
        m_grid->setRowStretch(0, 1);
        m_grid->setRowStretch(1, 1);
        m_grid->setRowStretch(2, 1);
        m_grid->setRowMinimumHeight(2, 200);
        return;
    }
    put(kCalibration, 0, 0);
    put(kMap, 0, 1);
    put(kLevels, 1, 0);
    put(kVisits, 1, 1);
    put(kChart, 2, 0);
    put(kTable, 2, 1);
    m_grid->setRowMinimumHeight(0, kCardHigh + 40);
    m_grid->setRowMinimumHeight(1, 170);
    m_grid->setRowMinimumHeight(2, kCardHigh);
    for (int i = 0; i < 3; ++i) m_grid->setRowStretch(i, 1);
}

void LearnedView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

}  // namespace orrery
