#include "widgets/learned/learned_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <array>
#include <utility>

#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/learned/calibration_plot.h"
#include "widgets/learned/error_bars.h"
#include "widgets/learned/error_map.h"
#include "widgets/learned/error_table.h"
#include "widgets/learned/exact_source.h"
#include "widgets/learned/learned_desk.h"
#include "widgets/learned/learned_figure.h"
#include "widgets/plots/chart.h"
#include "widgets/world/state_picture.h"

// What the view does; its parts are made in learned_view_parts.cpp.

namespace orrery {

namespace {

constexpr std::size_t kWorst = 100;

struct ErrorLine {
    const char* metric;
    const char* name;
    int color;
};
constexpr std::array<ErrorLine, 4> kLines{{{"Exact/v_h_e", "V_h^e", 0},
                                           {"Exact/pi_r", "pi_r", 1},
                                           {"Exact/x_h", "X_h", 2},
                                           {"Exact/v_r", "V_r", 4}}};

}  // namespace

LearnedView::LearnedView(LearnedDesk* desk, PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_session(session),
      m_pages(new QStackedWidget(this)),
      m_worstModel(new ErrorTable(kWorst, this)),
      m_allModel(new ErrorTable(ShownErrors::kMostRows, this)),
      m_preparing(std::make_unique<BackgroundWorker>()) {
    setObjectName(QStringLiteral("learned"));
    m_empty = makeEmptyPage();
    m_full = makeFullPage();
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_full);
    connectParts();
    fillRuns();
}

LearnedView::~LearnedView() = default;

void LearnedView::connectParts() {
    connect(m_desk, &LearnedDesk::trainingsChanged, this, &LearnedView::fillRuns);
    connect(m_desk, &LearnedDesk::trainingRead, this, &LearnedView::fillTraining);
    connect(m_desk, &LearnedDesk::workingChanged, this, &LearnedView::showWorking);
    connect(m_desk, &LearnedDesk::evaluated, this, [this] { showErrors(m_desk->errors()); });
    connect(m_desk, &LearnedDesk::progressed, this, [this](const QString& phase, double share) {
        m_phase->setText(phase);
        m_progress->setRange(0, share < 0 ? 0 : 1000);
        if (share >= 0) m_progress->setValue(static_cast<int>(share * 1000));
    });
    connect(m_desk, &LearnedDesk::refused, this, [this](const QString& why, bool canSolve) {
        m_strip->show(canSolve ? MessageKind::Info : MessageKind::Warning, why,
                      canSolve ? tr("Solve exactly") : QString());
    });
    connect(m_desk, &LearnedDesk::failed, this,
            [this](const QString& text) { m_strip->show(MessageKind::Error, text); });
    connect(m_strip, &MessageStrip::acted, this, [this] { evaluate(kMostSolvedStates); });
    connect(m_cancel, &QPushButton::clicked, m_desk, &LearnedDesk::cancel);
    connect(m_again, &QPushButton::clicked, this, [this] { evaluate(); });
    connect(m_runs, &QComboBox::activated, this, [this] { showTraining(runId()); });
    connect(m_checkpoints, &QComboBox::activated, this, [this](int place) {
        m_followsNewest = place == 0;
        evaluate();
    });
    connect(m_worlds, &QComboBox::activated, this, [this] { evaluate(); });
    connect(m_quantity, &QComboBox::activated, this, [this](int place) {
        m_wanted = m_quantities[static_cast<std::size_t>(place)];
        prepare();
    });
    connect(m_agent, &QComboBox::activated, this, &LearnedView::prepare);
    for (QSpinBox* box : {m_from, m_to})
        connect(box, &QSpinBox::valueChanged, this, &LearnedView::prepare);
    connect(m_chart, &Chart::figureRequested, this, [this] { Q_EMIT figureRequested(m_chart); });
    connect(m_calibration, &CalibrationPlot::picked, this, &LearnedView::choose);
    connect(m_calibration, &CalibrationPlot::hovered, this, &LearnedView::hoverState);
    connect(m_map, &ErrorMap::picked, this, &LearnedView::choose);
    connect(m_levels, &ErrorBars::picked, this, [this](int step) {
        const QSignalBlocker first(m_from), last(m_to);
        m_from->setValue(step);
        m_to->setValue(step);
        prepare();
    });
    const auto chooseRow = [this](const QModelIndex& at) {
        choose(m_worstModel->stateAt(at.row()));
    };
    connect(m_worstTable, &QTableView::clicked, this, chooseRow);
    connect(m_worstTable, &QTableView::activated, this, chooseRow);
    connect(m_seenOnly, &QCheckBox::toggled, this, &LearnedView::showWorst);
    connect(&m_session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::State) followState();
    });
    connect(m_session, &PlanSession::worldChanged, this, &LearnedView::followState);
}

QString LearnedView::runId() const {
    return m_runs->currentData().toString();
}

QAbstractItemModel* LearnedView::tableModel() {
    return m_allModel;
}

void LearnedView::fillRuns() {
    const QSignalBlocker blocker(m_runs);
    const QString chosen = runId();
    m_runs->clear();
    for (const auto& [id, title] : m_desk->compared()) m_runs->addItem(title, id);
    const int place = m_runs->findData(chosen);
    if (place >= 0) m_runs->setCurrentIndex(place);
    m_pages->setCurrentWidget(m_runs->count() > 0 ? m_full : m_empty);
    showBody();
    if (m_runs->count() == 0) return;
    // The list changes when a run ends or has a checkpoint, too.
    m_desk->read(runId());
}

void LearnedView::showTraining(const QString& id) {
    if (m_runs->findData(id) < 0) fillRuns();  // others may hear of a new run before this does
    const int place = m_runs->findData(id);
    if (place < 0) return;
    m_runs->setCurrentIndex(place);
    m_followsNewest = true;
    m_strip->clear();
    // What was asked of the run before is not of this one; its checkpoints are not, either.
    m_desk->cancel();
    m_checkpoints->clear();
    showBody();
    m_desk->read(id);
}

/// The pictures are those of the training that is picked, or there are none.
void LearnedView::showBody() {
    const bool areShown = m_shown && m_shown->errors->runId == runId();
    m_body->setCurrentWidget(areShown ? m_pictures : m_waiting);
    if (areShown) return;
    const QString run = m_runs->currentText();
    m_waiting->setText(
        m_desk->isWorking() || (m_newest && m_newest->runId == runId())
            ? tr("Compares what %1 learned with the exact solution.").arg(run)
        : m_desk->isLive(runId())
            ? tr("%1 has no checkpoint yet. It is compared with its first one; Ctrl+Shift+S makes "
                 "one now.")
                  .arg(run)
        : m_desk->training() && m_desk->training()->id == runId() && m_checkpoints->count() == 0
            ? tr("%1 ended before its first checkpoint: there is nothing to compare.").arg(run)
            : tr("%1 is not compared yet.").arg(run));
}

void LearnedView::fillTraining() {
    const ComparedTraining& training = *m_desk->training();
    if (training.id != runId()) return;
    const QSignalBlocker blockCheckpoints(m_checkpoints), blockWorlds(m_worlds);
    const std::int64_t chosen = m_checkpoints->currentData().toLongLong();
    m_checkpoints->clear();
    for (const std::int64_t step : training.checkpoints)
        m_checkpoints->addItem(
            (step == training.best ? tr("step %1 (best)") : tr("step %1")).arg(countText(step)),
            static_cast<qint64>(step));
    const int place = m_checkpoints->findData(static_cast<qint64>(chosen));
    m_checkpoints->setCurrentIndex(m_followsNewest || place < 0 ? 0 : place);
    const int world = std::max(0, m_worlds->currentIndex());
    m_worlds->clear();
    m_worlds->addItems(training.worlds);
    m_worlds->setCurrentIndex(std::min(world, m_worlds->count() - 1));
    m_worlds->setVisible(m_worlds->count() > 1);
    showChart();
    showBody();
    if (m_checkpoints->count() == 0) return;
    const bool isShown = m_newest && m_newest->runId == training.id &&
                         m_newest->step == m_checkpoints->currentData().toLongLong();
    if (isShown || m_desk->isWorking()) return;
    if (isVisible())
        evaluate();
    else
        m_isStale = true;
}

void LearnedView::evaluate(std::int64_t mostStates) {
    m_isStale = false;
    if (m_checkpoints->count() == 0) return;
    m_strip->clear();
    m_desk->evaluate(runId(), m_checkpoints->currentData().toLongLong(),
                     std::max(0, m_worlds->currentIndex()), mostStates);
}

void LearnedView::showErrors(std::shared_ptr<const LearnedErrors> errors) {
    m_newest = std::move(errors);
    m_strip->clear();
    m_pages->setCurrentWidget(m_full);
    fillQuantities();
    const QSignalBlocker first(m_from), last(m_to), agents(m_agent);
    const int most =
        m_newest->error.byState.empty() ? 0 : m_newest->error.byState.back().state.step;
    m_from->setRange(0, most);
    m_to->setRange(0, most);
    m_from->setValue(0);
    m_to->setValue(most);
    const int agent = m_agent->currentIndex();
    m_agent->clear();
    for (const AgentInfo& info : m_newest->world->agents())
        m_agent->addItem(QString::fromStdString(info.name));
    m_agent->setCurrentIndex(agent >= 0 && agent < m_agent->count() ? agent
                             : m_newest->world->goals().empty()
                                 ? 0
                                 : m_newest->world->goals()[0].agent);
    prepare();
    showChart();
}

void LearnedView::fillQuantities() {
    const QSignalBlocker blocker(m_quantity);
    m_quantities = learnedQuantities(*m_newest);
    m_quantity->clear();
    for (const ValueOf& quantity : m_quantities)
        m_quantity->addItem(textOf(quantity, *m_newest->world));
    const auto at = std::ranges::find(m_quantities, m_wanted);
    if (at == m_quantities.end()) m_wanted = m_quantities.front();
    m_quantity->setCurrentIndex(
        at == m_quantities.end() ? 0 : static_cast<int>(at - m_quantities.begin()));
}

/// Prepares what the choices name; take() follows. Of several the last one counts.
void LearnedView::prepare() {
    if (!m_newest) return;
    m_preparing->replace<Pictures>(
        [errors = m_newest, quantity = m_wanted, known = m_shown,
         agent = std::max(0, m_agent->currentIndex()),
         steps = std::pair(m_from->value(), m_to->value())](const std::stop_token& stop) {
            Pictures pictures{.shown = known, .agent = agent};
            if (!known || known->errors != errors || known->pairs->quantity != quantity)
                pictures.shown = shownErrors(errors, quantity, stop);
            if (pictures.shown)
                pictures.field = errorByCell(*errors, *pictures.shown->pairs, agent, steps);
            return pictures;
        },
        [this](const Pictures& pictures) { take(pictures); },
        [this](const QString& text) { m_strip->show(MessageKind::Error, text); });
}

void LearnedView::take(const Pictures& pictures) {
    if (!pictures.shown) return;
    if (std::exchange(m_shown, pictures.shown) != pictures.shown) showQuantity();
    showBody();
    m_map->show(m_shown->errors->world, pictures.agent, pictures.field);
}

void LearnedView::showQuantity() {
    const LearnedErrors& errors = *m_shown->errors;
    const LearnedPairs& pairs = *m_shown->pairs;
    const ErrorSummary& summary = m_shown->summary;
    m_mean->setText(valueText(summary.mean, 4));
    m_worst->setText(valueText(summary.worst, 4));
    m_unvisited->setText(countText(summary.unvisited));
    m_states->setText(tr("of %1 states · %2 · step %3")
                          .arg(countText(summary.states), errorUnit(pairs.quantity.kind),
                               countText(errors.step)));
    m_calibrationUnit->setText(
        pairs.numUnseen == 0
            ? tr("%1 pairs").arg(countText(std::ssize(pairs.exact)))
            : tr("%1 pairs, %2 of them unseen (hatched)")
                  .arg(countText(std::ssize(pairs.exact)), countText(pairs.numUnseen)));
    const QString heading = headingOf(errors, pairs);
    m_calibration->setHeading(heading);
    m_levels->setHeading(heading);
    m_visits->setHeading(heading);
    m_map->setHeading(heading);
    m_calibration->show(m_shown);
    m_levels->setBins(m_shown->levels);
    m_visits->setBins(m_shown->visits);
    m_worstModel->show(m_shown);
    m_allModel->show(m_shown);
    showWorst();
}

/// A table's defaults are all far off: they would fill the rows, and what was learned badly would
/// not be found.
void LearnedView::showWorst() {
    if (!m_shown) return;
    const std::int64_t unseen = m_shown->pairs->numUnseen;
    m_seenOnly->setVisible(unseen > 0);
    const bool isHidden = unseen > 0 && m_seenOnly->isChecked();
    m_worstModel->setSeenOnly(isHidden);
    m_worstRemark->setText(isHidden ? tr("%1 unseen hidden").arg(countText(unseen))
                                    : tr("the hundred with the largest error"));
    followState();
}

/// The states of pictures that are about to be replaced are not those of the desk.
void LearnedView::choose(std::int64_t state) {
    if (m_shown->errors == m_desk->errors()) Q_EMIT stateChosen(state);
}

void LearnedView::showChart() {
    m_chart->clear();
    if (!m_desk->training()) return;
    m_chart->setSubject(runTitle(m_desk->training()->name, m_desk->training()->id));
    for (const ErrorLine& line : kLines) {
        const auto curve = m_desk->training()->errors.find(QLatin1String(line.metric));
        if (curve == m_desk->training()->errors.end()) continue;
        Series points;
        points.append(curve->second.step, curve->second.value);
        m_chart->setPoints(
            m_chart->addSeries({.name = QLatin1String(line.name), .color = line.color}),
            std::move(points));
    }
    if (m_newest && m_newest->runId == m_desk->training()->id)
        m_chart->setEvents({{.x = static_cast<double>(m_newest->step),
                             .kind = ChartEventKind::Checkpoint,
                             .text = tr("the checkpoint that is shown")}});
}

void LearnedView::showWorking() {
    const bool isWorking = m_desk->isWorking();
    for (QWidget* part : {static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_cancel),
                          static_cast<QWidget*>(m_phase)})
        part->setVisible(isWorking);
    m_again->setVisible(!isWorking);
    m_phase->setText(tr("begins"));
    m_progress->setRange(0, 0);
    showBody();
}

void LearnedView::followState() {
    if (!m_shown) return;
    const LearnedErrors& errors = *m_shown->errors;
    m_isSameWorld = m_session->isOpen(*errors.world);
    std::int64_t state = -1;
    if (m_isSameWorld) {
        const StateItem& item = m_session->state();
        const StateGraph& graph = errors.graph();
        if (const auto config = graph.find(item.words, item.step))
            state = errors.indexOf({item.step, *config});
    }
    m_calibration->setCurrent(state);
    showChosen(state);
    const QSignalBlocker blocker(m_worstTable->selectionModel());
    const int row = state >= 0 ? m_worstModel->rowOf(state) : -1;
    if (row >= 0)
        m_worstTable->selectRow(row);
    else
        m_worstTable->clearSelection();
    m_worstTable->viewport()->update();
}

/// The picture of the current state, where it is one of those that are compared.
void LearnedView::showChosen(std::int64_t state) {
    m_chosen->setVisible(state >= 0);
    if (state < 0) return;
    const StateItem& item = m_session->state();
    // The number is that of the graph of the errors: the window may have solved nothing.
    const LearnedErrors& errors = *m_shown->errors;
    const State& at = errors.error.byState[static_cast<std::size_t>(state)].state;
    m_chosenPicture->setScene(sceneOf(*errors.world, item.words), stateText(at.step, at.config));
}

std::optional<StateItem> LearnedView::itemOf(std::int64_t state) const {
    if (!m_shown || state < 0) return std::nullopt;
    const LearnedErrors& errors = *m_shown->errors;
    const State& at = errors.error.byState[static_cast<std::size_t>(state)].state;
    const auto words = errors.graph().configuration(at.config);
    return StateItem{at.step, std::vector(words.begin(), words.end()), at.config};
}

void LearnedView::hoverState(std::int64_t state) {
    if (!m_isSameWorld) return;
    const auto item = itemOf(state);
    m_session->selection().setHover(item ? std::optional<SelectionItem>(*item) : std::nullopt);
}

void LearnedView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) evaluate();
}

QJsonObject LearnedView::saveState() const {
    const auto kind = std::ranges::find(kLearnedKinds, m_wanted.kind);
    return {{QStringLiteral("kind"), static_cast<int>(kind - kLearnedKinds.begin())},
            {QStringLiteral("human"), m_wanted.human},
            {QStringLiteral("goal"), m_wanted.goal},
            {QStringLiteral("seenOnly"), m_seenOnly->isChecked()}};
}

void LearnedView::restoreState(const QJsonObject& state) {
    m_seenOnly->setChecked(state.value(u"seenOnly").toBool(true));
    const int kind = state.value(u"kind").toInt(0);
    if (kind < 0 || kind >= std::ssize(kLearnedKinds)) return;
    m_wanted = {kLearnedKinds[static_cast<std::size_t>(kind)], state.value(u"human").toInt(-1),
                state.value(u"goal").toInt(-1)};
}

}  // namespace orrery
