#include "widgets/dag/episode_values.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/row_list.h"
#include "widgets/dag/path_chart.h"
#include "widgets/world/moment_text.h"

namespace orrery {

namespace {

constexpr int kAsPlayed = 1;

QStandardItem* cell(const QVariant& value) {
    auto* item = new QStandardItem;
    item->setData(value, Qt::DisplayRole);
    item->setEditable(false);
    return item;
}

}  // namespace

EpisodeValues::EpisodeValues(PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_worker(new BackgroundWorker(this)),
      m_quantities(new QComboBox(this)),
      m_order(new QComboBox(this)),
      m_remark(makeLabel({}, "hint", this)),
      m_chart(new PathChart(this)),
      m_list(new RowList(QStringLiteral("episodeRows"), 40, 0, this)),
      m_play(new QPushButton(tr("&Play to the end"), this)) {
    setObjectName(QStringLiteral("episodeValues"));
    setAccessibleName(tr("Values of the episode"));
    m_quantities->setObjectName(QStringLiteral("episodeQuantity"));
    m_quantities->setAccessibleName(tr("Quantity"));
    m_quantities->setToolTip(tr("What is followed along the episode"));
    m_order->setObjectName(QStringLiteral("episodeOrder"));
    m_order->setAccessibleName(tr("Order of the steps"));
    m_order->setToolTip(tr("Which steps stand first"));
    m_order->addItems({tr("Largest drops first"), tr("As played")});
    m_remark->setObjectName(QStringLiteral("episodeRemark"));
    m_remark->setWordWrap(true);
    m_list->setAccessibleName(tr("Steps of the episode"));
    m_list->setToolTip(
        tr("The number is what came less than the policies let expect: the change "
           "of the value minus its mean over all that could have followed"));
    m_play->setObjectName(QStringLiteral("episodePlay"));
    m_play->setToolTip(tr("Lets everyone follow their policies until the last step"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 0);
    head->addWidget(m_quantities);
    head->addWidget(m_order);
    head->addStretch(1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(16, 0, 12, 6);
    foot->addWidget(m_remark, 1);
    foot->addWidget(m_play);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_chart, 2);
    layout->addWidget(m_list, 3);
    layout->addLayout(foot);
    connect(m_quantities, &QComboBox::activated, this, &EpisodeValues::request);
    connect(m_order, &QComboBox::activated, this, [this] {
        sortSteps();
        showSteps();
    });
    connect(m_chart, &PathChart::picked, this,
            [this](int index) { goTo(m_moments[static_cast<std::size_t>(index)]); });
    connect(m_list, &RowList::picked, this, [this](int row) {
        if (row >= 0 && row < std::ssize(m_steps))
            goTo(m_steps[static_cast<std::size_t>(row)].moment);
    });
    connect(m_play, &QPushButton::clicked, this, &EpisodeValues::playToTheEnd);
    connect(session, &PlanSession::solutionChanged, this, [this] {
        refreshQuantities();
        request();
    });
    connect(session, &PlanSession::stateChanged, this, &EpisodeValues::request);
    refreshQuantities();
    request();
}

EpisodeValues::~EpisodeValues() {
    delete m_worker;  // before what its jobs touch
}

bool EpisodeValues::isWorking() const {
    return m_worker->numOpenJobs() > 0;
}

ValueOf EpisodeValues::quantity() const {
    const int row = m_quantities->currentIndex();
    return row < 0 || row >= std::ssize(m_offered) ? ValueOf{}
                                                   : m_offered[static_cast<std::size_t>(row)];
}

void EpisodeValues::refreshQuantities() {
    const ValueOf wanted = quantity();
    const QSignalBlocker blocker(m_quantities);
    m_quantities->clear();
    m_offered.clear();
    if (const auto solution = m_session->solution())
        for (const BandQuantity& each : bandQuantities(solution.get())) {
            if (!each) continue;
            m_offered.push_back(*each);
            m_quantities->addItem(nameOf(each, m_session->world(), m_session->letters()));
            if (each == wanted) m_quantities->setCurrentIndex(m_quantities->count() - 1);
        }
    m_quantities->setEnabled(!m_offered.empty());
}

void EpisodeValues::request() {
    m_worker->stopAll();
    const auto solution = m_session->solution();
    m_play->setVisible(m_session->isOpen() && solution && !m_session->isTerminal());
    if (!solution) return showNothing(tr("Solve the world (F5) to see values along the episode."));
    if (m_offered.empty())
        return showNothing(tr("This run solved phase 1 alone: it has no values of states."));
    const std::vector<Moment>& walk = m_session->walk();
    if (walk.size() < 2)
        return showNothing(tr("Nothing is played yet. Play some steps, or let the policies play."));
    std::vector<State> states;
    for (const Moment& moment : walk) {
        if (moment.state.index < 0)
            return showNothing(tr("A state of the episode is not in the solved graph."));
        states.push_back({moment.state.step, static_cast<ConfigIndex>(moment.state.index)});
    }
    m_worker->append<Read>(
        [solution, states, quantity = quantity()](std::stop_token stop) {
            Read read{.first = storedValueOf(*solution, states[0], quantity), .steps = {}};
            double before = read.first;
            for (std::size_t i = 1; i < states.size() && !stop.stop_requested(); ++i) {
                const double value = storedValueOf(*solution, states[i], quantity);
                if (std::isnan(value)) break;  // has none in the last state
                double mean = 0;
                for (const Successor& successor : solution->inducedChain(states[i - 1]))
                    mean +=
                        successor.probability * storedValueOf(*solution, successor.state, quantity);
                read.steps.push_back({i, value, value - before, mean - before});
                before = value;
            }
            return read;
        },
        [this](Read read) { take(std::move(read)); },
        [this](const QString& text) { showNothing(text); });
}

void EpisodeValues::showNothing(const QString& why) {
    m_steps.clear();
    m_moments.clear();
    m_chart->setEmptyText(why);
    m_chart->setPoints({}, {});
    m_list->setRows({});
    m_remark->clear();
    fillTable();
}

void EpisodeValues::take(Read read) {
    m_first = read.first;
    m_steps = std::move(read.steps);
    std::vector<PathPoint> points{{m_session->walk().front().state.step, m_first}};
    m_moments = {0};
    for (const EpisodeStep& step : m_steps) {
        points.push_back({m_session->walk()[step.moment].state.step, step.value});
        m_moments.push_back(step.moment);
    }
    m_chart->setPoints(std::move(points), symbolOf(quantity()));
    fillTable();
    sortSteps();
    showSteps();
}

void EpisodeValues::sortSteps() {
    if (m_order->currentIndex() == kAsPlayed)
        std::ranges::sort(m_steps, {}, &EpisodeStep::moment);
    else
        std::ranges::stable_sort(m_steps, {}, &EpisodeStep::surprise);
}

void EpisodeValues::showSteps() {
    std::vector<double> column;
    for (const EpisodeStep& step : m_steps) column.push_back(step.surprise());
    const NumberFormat format = columnFormat(column);
    std::vector<Row> rows;
    for (const EpisodeStep& step : m_steps) {
        const int at = m_session->walk()[step.moment].state.step;
        Row row;
        row.title = deedText(*m_session, step.moment);
        row.subtitle = tr("step %1 to %2 · %3, expected %4")
                           .arg(at - 1)
                           .arg(at)
                           .arg(signedText(step.change, format), signedText(step.expected, format));
        row.value = signedText(step.surprise(), format);
        row.isExact = true;
        row.isCurrent = step.moment == m_session->walkIndex();
        rows.push_back(std::move(row));
    }
    const auto drops =
        std::ranges::count_if(m_steps, [](const EpisodeStep& step) { return step.surprise() < 0; });
    m_remark->setText(m_steps.empty()
                          ? QString()
                          : tr("%1 of %2 steps brought less than the policies let expect.")
                                .arg(drops)
                                .arg(m_steps.size()));
    m_list->setRows(std::move(rows));
    const auto current = std::ranges::find(m_moments, m_session->walkIndex());
    m_chart->setCurrent(current == m_moments.end() ? -1
                                                   : static_cast<int>(current - m_moments.begin()));
}

void EpisodeValues::fillTable() {
    m_table.clear();
    m_table.setHorizontalHeaderLabels({tr("Step"), tr("What was done"), tr("Value"), tr("Change"),
                                       tr("Expected"), tr("Against expectation")});
    if (m_moments.empty()) return;
    m_table.appendRow({cell(m_session->walk().front().state.step), cell(QString()), cell(m_first),
                       cell(QString()), cell(QString()), cell(QString())});
    for (const EpisodeStep& step : m_steps)
        m_table.appendRow({cell(m_session->walk()[step.moment].state.step),
                           cell(deedText(*m_session, step.moment)), cell(step.value),
                           cell(step.change), cell(step.expected), cell(step.surprise())});
}

void EpisodeValues::goTo(std::size_t moment) {
    m_session->showMoment(moment);
}

void EpisodeValues::playToTheEnd() {
    if (!m_session->values()) return;
    if (m_session->isFrozen()) return m_session->followPolicy();  // says that it is
    {
        // Views look at the last state only.
        const QSignalBlocker quiet(m_session);
        while (!m_session->isTerminal() &&
               m_session->state().step + 1 < m_session->world().maxSteps())
            m_session->followPolicy();
    }
    m_session->followPolicy();
}

}  // namespace orrery
