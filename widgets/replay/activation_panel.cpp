#include "widgets/replay/activation_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/collect/facts.h"
#include "core/dag/state_graph.h"
#include "core/encode/state_encoder.h"
#include "core/solve/solution.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/agent_letters.h"
#include "widgets/common/number_text.h"
#include "widgets/common/parts.h"
#include "widgets/common/table_model.h"
#include "widgets/replay/activation_grid.h"
#include "widgets/replay/layer_text.h"
#include "widgets/replay/replay_feed.h"

namespace orrery {

namespace {

constexpr std::size_t kOtherStates = 127;  ///< that tell which units are ever active
constexpr int kAgainMs = 1000;

void encodeInto(StateEncoder& encoder, std::span<const std::uint64_t> words, int step,
                std::vector<std::byte>& states) {
    std::vector<std::int32_t> aligned(encoder.shape().bytes() / sizeof(std::int32_t));
    const auto bytes = std::as_writable_bytes(std::span<std::int32_t>(aligned));
    encoder.encode(words, step, bytes);
    states.insert(states.end(), bytes.begin(), bytes.end());
}

EncoderOptions optionsOf(const EmpoSpec& spec, const EncodingShape& shape) {
    return {.shape = shape,
            .includesStepCount = spec.includesStepCount,
            .hidesWhatIsUnder = spec.originalRules};
}

}  // namespace

ActivationPanel::ActivationPanel(ReplayFeed* feed, PlanSession* session, QWidget* parent)
    : QWidget(parent),
      m_feed(feed),
      m_session(session),
      m_quantity(new QComboBox(this)),
      m_human(new QComboBox(this)),
      m_goal(new QComboBox(this)),
      m_copy(new QComboBox(this)),
      m_facts(makeLabel({}, "label", this)),
      m_message(makeLabel({}, "hint", this)),
      m_pages(new QStackedWidget(this)),
      m_grid(new ActivationGrid(this)),
      m_layers(new ReadyTable(this)),
      m_row(new ReadyTable(this)),
      m_gridPage(new QWidget(this)),
      m_rowPage(new QWidget(this)),
      m_rowText(makeLabel({}, "label", this)) {
    setObjectName(QStringLiteral("activationPanel"));
    nameParts();
    layOut();
    for (QComboBox* box : {m_quantity, m_human, m_goal, m_copy})
        connect(box, &QComboBox::currentIndexChanged, this, [this, box] {
            if (box == m_human) fillGoals();
            fillColumns();
            ask();
        });
    connect(m_grid, &ActivationGrid::readoutChanged, this, &ActivationPanel::readoutChanged);
    if (m_feed != nullptr) {
        connect(m_feed, &ReplayFeed::stateChanged, this, &ActivationPanel::takeTraining);
        connect(m_feed, &ReplayFeed::insideAnswered, this, &ActivationPanel::take);
        connect(m_feed, &ReplayFeed::failed, this, &ActivationPanel::say);
    }
    fillColumns();
    say({});
}

void ActivationPanel::nameParts() {
    for (const Quantity quantity : kQuantities)
        m_quantity->addItem(QString::fromStdString(symbolOf(quantity)));
    m_quantity->setObjectName(QStringLiteral("activationQuantity"));
    m_quantity->setAccessibleName(tr("Network"));
    m_quantity->setToolTip(tr("The learned quantity whose network is looked into"));
    m_human->setObjectName(QStringLiteral("activationHuman"));
    m_human->setAccessibleName(tr("Human"));
    m_human->setToolTip(tr("The human whose value it is"));
    m_goal->setObjectName(QStringLiteral("activationGoal"));
    m_goal->setAccessibleName(tr("Goal"));
    m_goal->setToolTip(tr("The goal of the human"));
    m_copy->addItems({tr("live"), tr("target copy")});
    m_copy->setObjectName(QStringLiteral("activationCopy"));
    m_copy->setAccessibleName(tr("Copy of the weights"));
    m_copy->setToolTip(tr("The weights that training changes, or those that targets are made by"));
    m_message->setObjectName(QStringLiteral("activationMessage"));
    m_message->setWordWrap(true);
    m_message->setAlignment(Qt::AlignCenter);
    m_facts->setObjectName(QStringLiteral("activationFacts"));
    m_facts->setMinimumWidth(40);
    m_rowText->setWordWrap(true);
    m_rowText->setObjectName(QStringLiteral("activationRowText"));
}

void ActivationPanel::layOut() {
    auto* bar = new QWidget(this);
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(12, 4, 12, 4);
    line->setSpacing(8);
    for (QComboBox* box : {m_quantity, m_human, m_goal, m_copy}) {
        box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        line->addWidget(box);
    }
    line->addWidget(m_facts, 1);
    auto* scroll = new QScrollArea(m_gridPage);
    scroll->setObjectName(QStringLiteral("activationScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_grid);
    auto* gridColumn = new QVBoxLayout(m_gridPage);
    gridColumn->setContentsMargins(0, 0, 0, 0);
    gridColumn->addWidget(scroll);
    auto* table = new QTableView(m_rowPage);
    table->setObjectName(QStringLiteral("activationRow"));
    table->setAccessibleName(tr("Row of the table"));
    table->setModel(m_row);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(22);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto* rowColumn = new QVBoxLayout(m_rowPage);
    rowColumn->setContentsMargins(12, 8, 12, 8);
    rowColumn->addWidget(m_rowText);
    rowColumn->addWidget(table, 1);
    m_pages->addWidget(m_message);
    m_pages->addWidget(m_gridPage);
    m_pages->addWidget(m_rowPage);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_pages, 1);
    setFocusProxy(m_grid);
}

QAbstractItemModel* ActivationPanel::tableModel() {
    return m_pages->currentWidget() == m_rowPage ? m_row : m_layers;
}

void ActivationPanel::say(const QString& text) {
    const bool hasRun = m_feed != nullptr && m_feed->hasRun();
    m_message->setText(!text.isEmpty() ? text
                       : hasRun        ? tr("The training is being asked.")
                                : tr("There is no training to look into: start one with Ctrl+T, or "
                                     "pick one in the list of runs."));
    m_pages->setCurrentWidget(m_message);
    m_facts->setText({});
    m_value.clear();
}

void ActivationPanel::setState(std::shared_ptr<const ShownState> state, bool isOfSession) {
    m_state = std::move(state);
    m_isOfSession = isOfSession;
    takeTraining();
    ask();
}

void ActivationPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    takeTraining();
    ask();
}

/// The feed has news: another training, or another step of it.
void ActivationPanel::takeTraining() {
    if (!isVisible() || m_feed == nullptr) return;
    std::vector<const World*> known;
    for (const auto& world : m_feed->worlds()) known.push_back(world.get());
    if (known != m_known) {
        m_known = std::move(known);
        m_worlds = m_known.empty() ? std::vector<WorldFacts>()
                                   : factsOf(m_feed->worlds(), m_feed->spec()->encodingRules());
        fillHumans();
        ask();
    }
    askAgain();
}

void ActivationPanel::askAgain() {
    if (!m_feed->isLive() || !m_sinceAsked.isValid() || m_sinceAsked.elapsed() < kAgainMs) return;
    if (!m_isAwaiting) ask();
}

int ActivationPanel::layoutOf(const World& world) const {
    const std::string hash = world.contentHash();
    for (std::size_t i = 0; i < m_worlds.size(); ++i)
        if (m_worlds[i].contentHash == hash) return static_cast<int>(i);
    return -1;
}

void ActivationPanel::fillHumans() {
    const QSignalBlocker blocker(m_human);
    const int chosen = std::max(0, m_human->currentIndex());
    m_human->clear();
    if (!m_worlds.empty()) {
        const std::vector<QString> letters = agentLetters(*m_known.front());
        for (const WorldFacts::Human& human : m_worlds.front().humans)
            m_human->addItem(tr("human %1").arg(letters[static_cast<std::size_t>(human.agent)]));
    }
    m_human->setCurrentIndex(chosen < m_human->count() ? chosen : 0);
    fillGoals();
}

void ActivationPanel::fillGoals() {
    const QSignalBlocker blocker(m_goal);
    const int chosen = std::max(0, m_goal->currentIndex());
    m_goal->clear();
    const int layout = m_state && m_state->world ? std::max(0, layoutOf(*m_state->world)) : 0;
    if (m_human->currentIndex() >= 0 && !m_worlds.empty()) {
        const World& world = *m_known[static_cast<std::size_t>(layout)];
        const HumanGoals& goals = world.goals()[static_cast<std::size_t>(m_human->currentIndex())];
        for (const auto& goal : goals.goals)
            m_goal->addItem(tr("goal %1").arg(QString::fromStdString(goalText(goal))));
    }
    m_goal->setCurrentIndex(chosen < m_goal->count() ? chosen : 0);
}

void ActivationPanel::fillColumns() {
    const Quantity quantity =
        kQuantities[static_cast<std::size_t>(std::max(0, m_quantity->currentIndex()))];
    m_human->setVisible(quantity == Quantity::V_h_e || quantity == Quantity::X_h);
    m_goal->setVisible(quantity == Quantity::V_h_e);
}

void ActivationPanel::addReplayStates(int layout, std::vector<std::byte>& states) const {
    const auto source = m_feed->source();
    if (!source || source->size() == 0) return;
    const std::size_t stride = std::max<std::size_t>(1, source->size() / kOtherStates);
    for (std::size_t i = 0, count = 0; i < source->size() && count < kOtherStates; i += stride) {
        if (source->at(i).layout != layout) continue;
        const auto bytes = source->replay->stateBefore(i);
        states.insert(states.end(), bytes.begin(), bytes.end());
        ++count;
    }
}

void ActivationPanel::addSolvedStates(int layout, std::vector<std::byte>& states) const {
    const auto solution = m_session->solution();
    if (!solution || layoutOf(m_session->world()) != layout) return;
    const StateGraph& graph = solution->graph();
    StateEncoder encoder(m_session->world(), optionsOf(*m_feed->spec(), m_worlds.front().shape));
    const int levels = std::max(1, graph.numLevels() - 1);
    for (std::size_t k = 0; k < kOtherStates; ++k) {
        const int step = static_cast<int>(k) % levels;
        const std::int64_t size = graph.levelSize(step);
        if (size == 0) continue;
        const auto place = static_cast<std::int64_t>(k * 7919) % size;
        encodeInto(encoder, graph.configuration(graph.levelMember(step, place)), step, states);
    }
}

/// The state itself first, then others of the run.
std::vector<std::byte> ActivationPanel::statesToAsk(int layout) const {
    const EncodingShape& shape = m_worlds.front().shape;
    std::vector<std::byte> states;
    if (m_isOfSession) {
        StateEncoder encoder(m_session->world(), optionsOf(*m_feed->spec(), shape));
        encodeInto(encoder, m_session->state().words, m_session->state().step, states);
    } else {
        states = m_state->encoded;
    }
    const std::size_t alone = states.size();
    addReplayStates(layout, states);
    if (states.size() == alone) addSolvedStates(layout, states);
    return states;
}

void ActivationPanel::ask() {
    if (!isVisible() || m_feed == nullptr) return;
    if (!m_feed->hasRun() || m_worlds.empty() || m_feed->spec() == nullptr) return say({});
    if (!m_state || !m_state->world) return say(tr("There is no state to look at."));
    const int layout = layoutOf(*m_state->world);
    if (layout < 0)
        return say(tr("%1 does not learn on this world. Open the world of the training, or a "
                      "state of its replay buffer.")
                       .arg(m_feed->runName()));
    if (m_human->currentIndex() < 0 || m_goal->currentIndex() < 0) return say({});
    const ActivationWish wish{
        .quantity = kQuantities[static_cast<std::size_t>(std::max(0, m_quantity->currentIndex()))],
        .human = m_human->currentIndex(),
        .goal = m_goal->currentIndex(),
        .copy = m_copy->currentIndex() == 0 ? ValueCopy::Live : ValueCopy::Target};
    try {
        m_number = m_feed->askInside(layout, statesToAsk(layout), wish);
    } catch (const Error& error) {
        return say(QString::fromUtf8(error.what()));
    }
    m_isAwaiting = true;
    m_sinceAsked.start();
    // The buffer's states will tell which units are ever active.
    if (m_feed->isLive() && !m_feed->source() && !m_feed->isWorking()) m_feed->refresh();
    if (const QString obstacle = m_feed->obstacle(); !obstacle.isEmpty() && m_value.empty())
        say(obstacle);
}

void ActivationPanel::take(const std::shared_ptr<const ValueAnswer>& answer) {
    if (answer->number != m_number || !answer->activations) return;
    m_isAwaiting = false;
    const NetActivations& net = *answer->activations;
    m_value = net.value;
    QString facts = tr("%1 · step %2").arg(m_feed->runName(), countText(answer->step));
    if (net.value.size() == 1)
        facts += QStringLiteral(" · %1 = %2")
                     .arg(m_quantity->currentText(),
                          valueText(static_cast<double>(net.value.front()), 4));
    m_facts->setText(facts);
    if (net.kind == Approximator::Network) {
        m_grid->setNet(std::make_shared<const NetActivations>(net));
        m_layers->setContent(layerHeadings(), layerRows(net), 2);
        m_pages->setCurrentWidget(m_gridPage);
        return;
    }
    m_grid->setNet(nullptr);
    showTable(net);
}

/// Of a table, or of a quantity that is computed from others.
void ActivationPanel::showTable(const NetActivations& net) {
    std::vector<QStringList> rows;
    if (net.kind == Approximator::Computed) {
        m_rowText->setText(tr("%1 is computed from the other quantities in this training: it has "
                              "no network and no activations.")
                               .arg(m_quantity->currentText()));
    } else if (net.row < 0) {
        m_rowText->setText(tr("%1 is a table in this training, so it has no activations. The "
                              "table has no row of this state: what it says is the default.")
                               .arg(m_quantity->currentText()));
    } else {
        m_rowText->setText(tr("%1 is a table in this training, so it has no activations. This is "
                              "row %2 of the table, the state's.")
                               .arg(m_quantity->currentText(), countText(net.row)));
    }
    for (std::size_t i = 0; i < net.entries.size(); ++i)
        rows.push_back({QString::number(i), valueText(static_cast<double>(net.entries[i]), 6),
                        net.updates[i] > 0 ? countText(net.updates[i]) : tr("none: a default")});
    m_row->setContent({tr("column"), tr("value"), tr("updates")}, std::move(rows), 0);
    m_pages->setCurrentWidget(m_rowPage);
}

}  // namespace orrery
