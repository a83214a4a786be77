#include "widgets/replay/replay_browser.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/empo/target_terms.h"
#include "core/encode/state_encoder.h"
#include "core/solve/solution.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/replay/exact_match.h"
#include "widgets/replay/replay_feed.h"
#include "widgets/replay/replay_health.h"
#include "widgets/replay/replay_model.h"
#include "widgets/replay/state_thumbs.h"
#include "widgets/replay/td_errors.h"
#include "widgets/replay/transition_panel.h"

namespace orrery {

namespace {

constexpr int kTypingPauseMs = 250, kTickMs = 100;
constexpr int kNarrow = 860;              ///< pixels
constexpr int kLookMs = 200;              ///< that rows stand still before errors are asked for
constexpr std::size_t kMostStates = 256;  ///< of a question: no training is held up for long
constexpr QSize kThumbSize(64, 36);

/// @param which  0: where it starts, else 1 + successor
EncodedPlace placeIn(const ReplaySource& source, std::size_t transition, std::uint32_t which) {
    const StoredTransition& row = source.at(transition);
    const StoredModel& model = source.replay->modelOf(transition);
    const StateStore::Index state = which == 0 ? model.state : model.successors()[which - 1];
    return {.encoded = source.replay->state(state),
            .layout = row.layout,
            .step = which == 0 ? row.step : row.step + 1};
}

}  // namespace

ReplayBrowser::ReplayBrowser(ReplayFeed* feed, PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_feed(feed),
      m_session(session),
      m_health(new ReplayHealth(this)),
      m_model(new ReplayModel(this)),
      m_thumbs(new StateThumbs(kThumbSize, this)),
      m_transition(new TransitionPanel(this)),
      m_worker(new BackgroundWorker(this)),
      m_finder(new BackgroundWorker(this)),
      m_inspecting(new BackgroundWorker(this)),
      m_split(new QSplitter(Qt::Horizontal, this)),
      m_table(new QTableView(this)),
      m_typing(new QTimer(this)),
      m_ticking(new QTimer(this)),
      m_looking(new QTimer(this)) {
    setObjectName(QStringLiteral("replayBrowser"));
    setAccessibleName(tr("Replay buffer"));
    makeTable();
    layOut();
    m_typing->setSingleShot(true);
    m_typing->setInterval(kTypingPauseMs);
    m_ticking->setInterval(kTickMs);
    m_looking->setSingleShot(true);
    m_looking->setInterval(kLookMs);
    connect(m_typing, &QTimer::timeout, this, &ReplayBrowser::applyFilter);
    connect(m_ticking, &QTimer::timeout, this, &ReplayBrowser::showProgress);
    connect(m_looking, &QTimer::timeout, this, &ReplayBrowser::askErrors);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, m_looking,
            qOverload<>(&QTimer::start));
    connect(m_model, &ReplayModel::modelReset, m_looking, qOverload<>(&QTimer::start));
    connect(m_thumbs, &StateThumbs::ready, this, [this] { m_table->viewport()->update(); });
    connect(feed, &ReplayFeed::sourceChanged, this, &ReplayBrowser::takeSource);
    connect(feed, &ReplayFeed::stateChanged, this, &ReplayBrowser::refreshState);
    connect(feed, &ReplayFeed::answered, this, &ReplayBrowser::takeAnswer);
    connect(m_transition, &TransitionPanel::statePicked, this, &ReplayBrowser::tellState);
    connect(m_transition, &TransitionPanel::inspectRequested, this, &ReplayBrowser::inspect);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::State && m_filter->text().contains(QLatin1String("current")))
            m_typing->start();
    });
    takeSource();
    refreshState();
}

ReplayBrowser::~ReplayBrowser() {
    delete m_worker;  // before what its jobs touch
    delete m_finder;
    delete m_inspecting;
    m_table->horizontalHeader()->disconnect(this);  // it speaks once more as it is hidden
}

void ReplayBrowser::tellState(std::uint32_t which) {
    const auto& source = m_model->source();
    if (!source || m_picked >= source->size()) return;
    const StoredModel& model = source->replay->modelOf(m_picked);
    const StateStore::Index state = which == 0 ? model.state : model.successors()[which - 1];
    const std::uint16_t layout = source->at(m_picked).layout;
    Q_EMIT statePicked(shownState(source->replay->shape(), source->replay->state(state),
                                  source->worlds[layout],
                                  tr("state %1 of the replay buffer").arg(state)));
}

/// The exact values of where the picked transition starts, if the training has them.
void ReplayBrowser::lookUpExact() {
    const auto source = m_model->source();
    const std::size_t layout = source->at(m_picked).layout;
    if (layout >= source->exact.size() || !source->exact[layout]) return;
    using Values = std::optional<StateValues>;
    m_finder->append<Values>(
        [source, exact = source->exact[layout],
         place = m_picked](const std::stop_token& stop) -> Values {
            const auto state =
                stateOfEncoded(exact->graph(), *source, placeIn(*source, place, 0), stop);
            return state ? Values(exact->values(*state)) : std::nullopt;
        },
        [this](const Values& values) { m_transition->setExact(values); },
        [this](const QString& text) { m_transition->setRemark(text); });
}

/// Finds a state of the picked transition in the open world.
void ReplayBrowser::inspect(std::uint32_t which) {
    const auto source = m_model->source();
    const std::size_t layout = source->at(m_picked).layout;
    const bool isOpen = m_session->isOpen() &&
                        m_session->world().contentHash() == source->facts[layout].contentHash;
    const auto solution = m_session->solution();
    if (!isOpen || !solution)
        return m_transition->setRemark(
            tr("Open and solve the world of this training (F5): then its states can be "
               "inspected."));
    using Found = std::optional<StateItem>;
    m_inspecting->replace<Found>(
        [source, solution, place = m_picked, which](const std::stop_token& stop) -> Found {
            const StateGraph& graph = solution->graph();
            const auto state = stateOfEncoded(graph, *source, placeIn(*source, place, which), stop);
            if (!state) return std::nullopt;
            const auto words = graph.configuration(state->config);
            return StateItem{state->step, std::vector(words.begin(), words.end()), state->config};
        },
        [this](const Found& found) {
            if (found)
                Q_EMIT stateFound(*found);
            else
                m_transition->setRemark(tr("The solved world has no such state."));
        },
        [this](const QString& text) { m_transition->setRemark(text); });
}

void ReplayBrowser::takeSource() {
    for (BackgroundWorker* worker : {m_worker, m_finder, m_inspecting}) worker->stopAll();
    m_isFiltering = false;
    m_ticking->stop();
    m_question = m_errorQuestion = 0;
    m_missing.clear();
    m_model->setSource(m_feed->source());
    fitColumns();
    m_health->setSource(m_feed->source());
    m_transition->setTransition(nullptr, 0);
    restartPictures();
    if (m_model->source()) applyFilter();
    refreshState();
    if (m_model->rowCount() > 0) m_table->setCurrentIndex(m_model->index(0, 0));
}

void ReplayBrowser::restartPictures() {
    m_thumbs->restart(m_feed->source(), devicePixelRatioF());
    m_table->viewport()->update();
}

void ReplayBrowser::refreshState() {
    const auto& source = m_model->source();
    m_split->setVisible(source != nullptr);
    m_empty->setVisible(!source);
    const QString obstacle = m_feed->obstacle();
    QString text = obstacle;
    if (text.isEmpty() && m_feed->isWorking())
        text = tr("Reading the replay buffer …");
    else if (text.isEmpty() && m_feed->hasRun())
        text = tr("The buffer of %1 is not fetched yet.").arg(m_feed->runName());
    else if (text.isEmpty())
        text =
            tr("Train a world, or pick a training in the list of runs: here are the steps that "
               "it learns from, one line each.");
    m_emptyText->setText(text);
    m_emptyButton->setVisible(m_feed->isLive() && m_feed->hasRun() && !m_feed->isWorking());
    m_refresh->setEnabled(m_feed->isLive() && m_feed->hasRun());
    if (!source) return;
    m_asOf->setText(tr("as of step %1").arg(countText(source->step)));
    m_stop->setVisible(m_isFiltering);
    const auto all = static_cast<std::int64_t>(source->size());
    if (!m_isFiltering)
        m_count->setText(
            m_model->isFiltered()
                ? tr("%1 of %2").arg(countText(m_model->rowCount())).arg(countText(all))
                : countText(all));
    if (!m_isFiltering && !m_missing.empty())
        m_count->setText(tr("%1 TD errors to look up")
                             .arg(countText(static_cast<std::int64_t>(m_missing.size()))));
    if (m_question != 0 && !obstacle.isEmpty()) m_transition->setRemark(obstacle);
}

ReplayFilter::Current ReplayBrowser::currentState() const {
    const auto& source = m_model->source();
    ReplayFilter::Current current;
    if (!source || !m_session->isOpen()) return current;
    for (std::size_t w = 0; w < source->worlds.size(); ++w) {
        if (source->facts[w].contentHash != m_session->world().contentHash()) continue;
        try {
            StateEncoder encoder(*source->worlds[w],
                                 {.shape = source->replay->shape(),
                                  .includesStepCount = source->spec.includesStepCount,
                                  .hidesWhatIsUnder = source->spec.originalRules});
            std::vector<std::int32_t> bytes(encoder.shape().bytes() / sizeof(std::int32_t));
            const auto out = std::as_writable_bytes(std::span<std::int32_t>(bytes));
            encoder.encode(m_session->state().words, m_session->state().step, out);
            current.encoded.assign(out.begin(), out.end());
            current.layout = static_cast<int>(w);
            return current;
        } catch (const Error&) {
            return {};
        }
    }
    return current;
}

void ReplayBrowser::applyFilter() {
    const auto source = m_model->source();
    if (!source) return;
    std::optional<ReplayFilter> filter;
    try {
        filter.emplace(m_filter->text(), *source, currentState());
    } catch (const FilterError& error) {
        m_problem->setText(tr("At character %1: %2")
                               .arg(error.column())
                               .arg(QString::fromStdString(error.problem())));
    }
    m_problem->setVisible(!filter);
    if (!filter) return;
    m_missing.clear();
    if (filter->isEmpty() && m_order == ReplayOrder()) {
        m_worker->stopAll();
        takeRows({});
        return;
    }
    m_isFiltering = true;
    m_done = std::make_shared<std::atomic<std::int64_t>>(0);
    m_ticking->start();
    m_worker->replace<Rows>(
        [source, filter = *filter, done = m_done, order = m_order,
         errors = m_model->errors()](std::stop_token stop) {
            std::vector<std::uint32_t> places = filter.apply(*source, stop, *done);
            Rows rows;
            if (order.column == ReplayModel::TdError)
                rows.withoutError = withoutError(*source, places, errors);
            rows.places = inOrder(*source, std::move(places), order, errors, stop);
            return rows;
        },
        [this](Rows rows) { takeRows(std::move(rows)); },
        [this](const QString& text) {
            m_isFiltering = false;
            m_ticking->stop();
            m_problem->setText(text);
            m_problem->show();
        });
    refreshState();
}

void ReplayBrowser::takeRows(Rows rows) {
    m_isFiltering = false;
    m_ticking->stop();
    m_missing = std::move(rows.withoutError);
    m_model->setShown(std::move(rows.places));
    refreshState();
    const int row = std::exchange(m_isOrderNew, false) ? 0 : m_model->rowOf(m_picked);
    if (m_model->rowCount() > 0) m_table->setCurrentIndex(m_model->index(std::max(0, row), 0));
    m_looking->start();
}

void ReplayBrowser::showProgress() {
    const auto& source = m_model->source();
    if (!m_isFiltering || !source) return;
    m_count->setText(tr("%1 of %2 looked at")
                         .arg(countText(m_done->load()))
                         .arg(countText(static_cast<std::int64_t>(source->size()))));
}

void ReplayBrowser::pick(int row) {
    m_finder->stopAll();  // what it looks for is of the former pick
    const auto& source = m_model->source();
    if (!source || row < 0) return m_transition->setTransition(nullptr, 0);
    m_picked = m_model->placeOf(row);
    m_transition->setTransition(source, m_picked);
    m_errorQuestion = 0;  // the one that follows takes its place
    m_question =
        m_feed->ask(source->at(m_picked).layout, statesOfTarget(*source->replay, m_picked));
    lookUpExact();
    const QString obstacle = m_feed->obstacle();
    m_transition->setRemark(obstacle.isEmpty() ? tr("The learned values are being asked for.")
                                               : obstacle);
}

void ReplayBrowser::takeAnswer(const std::shared_ptr<const ValueAnswer>& answer) {
    if (answer->number == m_errorQuestion) {
        m_errorQuestion = 0;
        m_model->addErrors(m_errorPlaces, tdErrorsOf(*m_model->source(), m_errorPlaces, *answer),
                           answer->step);
        const bool wasWaiting = !m_missing.empty();
        std::erase_if(m_missing, [this](std::uint32_t place) { return m_model->hasError(place); });
        if (wasWaiting && m_missing.empty()) applyFilter();  // all that the order needs is there
        refreshState();
        askErrors();  // of the rows that are left
        return;
    }
    if (answer->number != m_question) return;
    m_question = 0;
    m_transition->setValues(answer);
    m_looking->start();
}

/// Asks for the values that TD errors of rows in view need, unless something else is being asked
/// for: a desk keeps the newest question alone.
void ReplayBrowser::askErrors() {
    const auto& source = m_model->source();
    if (!source || !isVisible() || m_question != 0 || m_errorQuestion != 0) return;
    m_errorPlaces.clear();
    std::size_t states = 0;
    const int last = m_table->rowAt(m_table->viewport()->height() - 1);
    const int end = last < 0 ? m_model->rowCount() : last + 1;
    bool hasRoom = true;
    for (int row = std::max(0, m_table->rowAt(0)); row < end && hasRoom; ++row)
        hasRoom = addToQuestion(static_cast<std::uint32_t>(m_model->placeOf(row)), states);
    for (std::size_t i = 0; i < m_missing.size() && hasRoom; ++i)
        hasRoom = addToQuestion(m_missing[i], states);
    if (m_errorPlaces.empty()) return;
    m_errorQuestion =
        m_feed->ask(source->at(m_errorPlaces[0]).layout, statesOfErrors(*source, m_errorPlaces));
}

/// @return false if the question holds as many states as it may
bool ReplayBrowser::addToQuestion(std::uint32_t place, std::size_t& states) {
    if (m_model->hasError(place)) return true;
    const auto& source = m_model->source();
    const std::size_t count = 1 + source->replay->modelOf(place).successors().size();
    if (!m_errorPlaces.empty() && (states + count > kMostStates ||
                                   source->at(place).layout != source->at(m_errorPlaces[0]).layout))
        return false;
    m_errorPlaces.push_back(place);
    states += count;
    return true;
}

void ReplayBrowser::setLiveNumbers(const std::optional<ReplayNumbers>& numbers) {
    m_health->setLive(numbers);
}

QAbstractItemModel* ReplayBrowser::tableModel() {
    return m_health->tableModel();
}

void ReplayBrowser::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) restartPictures();
}

void ReplayBrowser::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT shown();
    if (!m_model->source() && m_feed->isLive() && m_feed->hasRun() && !m_feed->isWorking())
        m_feed->refresh();
}

void ReplayBrowser::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_split->setOrientation(width() < kNarrow ? Qt::Vertical : Qt::Horizontal);
}

QJsonObject ReplayBrowser::saveState() const {
    return {{QStringLiteral("filter"), m_filter->text()},
            {QStringLiteral("column"), m_order.column},
            {QStringLiteral("ascending"), m_order.order == Qt::AscendingOrder}};
}

void ReplayBrowser::restoreState(const QJsonObject& state) {
    m_filter->setText(state.value(QLatin1String("filter")).toString());
    const int column = state.value(QLatin1String("column")).toInt(ReplayModel::Number);
    if (column >= 0 && column < ReplayModel::NumColumns)
        m_table->horizontalHeader()->setSortIndicator(
            column, state.value(QLatin1String("ascending")).toBool() ? Qt::AscendingOrder
                                                                     : Qt::DescendingOrder);
    applyFilter();
}

}  // namespace orrery
