#include "widgets/dag/inspector_state.h"

#include <QPointer>
#include <algorithm>

#include "core/solve/explain_reach.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/number_text.h"

namespace orrery {

namespace {

using Kind = ValueKind;

constexpr std::int64_t kReachSlice = 2000;          ///< states a job
constexpr std::int64_t kMostReachBytes = 32 << 20;  ///< larger tables would take minutes

}  // namespace

std::vector<QString> robotActionNames(const World& world) {
    const RobotProfiles profiles = robotProfiles(world);
    std::vector<QString> names;
    for (const std::vector<int>& actions : profiles.actions) {
        QStringList parts;
        for (std::size_t k = 0; k < actions.size(); ++k)
            parts << QString::fromStdString(
                world.agents()[static_cast<std::size_t>(profiles.robots[k])]
                    .actions[static_cast<std::size_t>(actions[k])]);
        names.push_back(parts.join(QStringLiteral(", ")));
    }
    return names;
}

InspectorState::InspectorState(PlanSession* session, BackgroundWorker* worker, QObject* parent)
    : QObject(parent), m_session(session), m_worker(worker) {
    connect(session, &PlanSession::worldChanged, this, [this] {
        m_pinned.reset();
        m_pinnedValues.reset();  // never without it: parts look at both on the way
        Q_EMIT worldChanged();
        refresh();
    });
    connect(session, &PlanSession::solutionChanged, this, &InspectorState::refresh);
    connect(session, &PlanSession::stateChanged, this, &InspectorState::refresh);
    refresh();
}

InspectorState::~InspectorState() = default;

void InspectorState::refresh() {
    takeSolution();
    refreshPinned();
    if (m_question && m_session->isOpen() && !fits(*m_question)) m_question.reset();
    Q_EMIT changed();
}

/// Starts anew what belongs to a solution.
void InspectorState::takeSolution() {
    const auto solution = m_session->solution();
    if (!solution) {
        m_explainer.reset();
        m_reach.reset();
        m_hasReach = false;
        return;
    }
    if (m_explainer && m_explainer->solutionPointer() == solution) return;
    m_explainer = std::make_shared<const Explainer>(solution);
    m_reach.reset();
    m_hasReach = false;
    if (solution->spec().phase1Only || ReachTable::bytesFor(solution->graph()) > kMostReachBytes)
        return;
    m_reach = std::make_shared<ReachTable>(solution);
    advanceReach();
}

/// One slice after the other, so that other jobs of the worker come between.
void InspectorState::advanceReach() {
    m_worker->append<bool>(
        [table = m_reach](std::stop_token stop) { return table->advance(kReachSlice, stop); },
        [guard = QPointer(this), this, table = m_reach](bool isWhole) {
            if (!guard || table != m_reach) return;
            if (!isWhole) return advanceReach();
            m_hasReach = true;
            Q_EMIT reachChanged();
        },
        [](const QString&) {});
}

void InspectorState::refreshPinned() {
    m_pinnedValues.reset();
    const auto solution = m_session->solution();
    if (!m_pinned || !solution) return;
    const StateGraph& graph = solution->graph();
    const auto config = graph.find(m_pinned->words, m_pinned->step);
    if (!config || !graph.inLevel(m_pinned->step, *config)) return;
    m_pinned->index = *config;
    m_pinnedValues = solution->values({m_pinned->step, *config});
}

void InspectorState::pin() {
    if (!m_session->isOpen()) return;
    m_pinned = m_session->state();
    refreshPinned();
    Q_EMIT changed();
}

void InspectorState::unpin() {
    if (!m_pinned) return;
    m_pinned.reset();
    m_pinnedValues.reset();
    Q_EMIT changed();
}

bool InspectorState::compares() const {
    return m_pinnedValues && values() && *m_pinned != m_session->state();
}

bool InspectorState::fits(const ValueOf& quantity) const {
    const auto isIn = [](int index, std::size_t size) { return index < static_cast<int>(size); };
    const auto goals = m_session->world().goals();
    if (!isIn(quantity.human, goals.size())) return false;
    if (quantity.human < 0)
        return isIn(quantity.action, robotProfiles(m_session->world()).actions.size());
    const HumanGoals& own = goals[static_cast<std::size_t>(quantity.human)];
    return isIn(quantity.goal, own.goals.size()) &&
           quantity.action < m_session->world().numActions(own.agent);
}

ValueOf InspectorState::question() const {
    if (m_question) return *m_question;
    if (!values() || values()->pi_r.empty()) return {.kind = Kind::V_r};
    const auto best = std::ranges::max_element(values()->pi_r) - values()->pi_r.begin();
    return {.kind = Kind::Q_r, .action = static_cast<int>(best)};
}

void InspectorState::ask(const ValueOf& quantity) {
    if (m_question == quantity || (m_session->isOpen() && !fits(quantity))) return;
    m_question = quantity;
    Q_EMIT questionChanged();
}

void InspectorState::askAt(const ValueOf& quantity, QWidget* by, const QRect& number) {
    ask(quantity);
    Q_EMIT askedAt(by, number);
}

std::optional<double> InspectorState::number(const ValueOf& quantity) const {
    return values() ? valueOf(*values(), quantity) : std::nullopt;
}

std::optional<double> InspectorState::pinnedNumber(const ValueOf& quantity) const {
    return m_pinnedValues ? valueOf(*m_pinnedValues, quantity) : std::nullopt;
}

std::optional<double> InspectorState::reach() const {
    const auto state = m_session->graphState();
    return m_hasReach && state ? m_reach->of(*state) : std::nullopt;
}

StateItem InspectorState::itemOf(State state) const {
    const auto words = m_session->solution()->graph().configuration(state.config);
    return {state.step, {words.begin(), words.end()}, state.config};
}

void InspectorState::goTo(State state) const {
    m_session->selection().setCurrent({itemOf(state), StepItem{state.step}, LevelItem{state.step}});
}

void InspectorState::hover(std::optional<State> state) const {
    m_session->selection().setHover(state ? std::optional<SelectionItem>(itemOf(*state))
                                          : std::nullopt);
}

QString InspectorState::shortName(State state) {
    return stateText(state.step, state.config);
}

QString InspectorState::nameOf(const ValueOf& quantity) const {
    const World& world = m_session->world();
    QStringList about;
    if (quantity.human >= 0) {
        const HumanGoals& own = world.goals()[static_cast<std::size_t>(quantity.human)];
        about << m_session->letters()[static_cast<std::size_t>(own.agent)];
        if (quantity.goal >= 0)
            about << tr("goal %1").arg(QString::fromStdString(
                goalText(own.goals[static_cast<std::size_t>(quantity.goal)])));
        if (quantity.action >= 0)
            about << QString::fromStdString(
                world.agents()[static_cast<std::size_t>(own.agent)]
                    .actions[static_cast<std::size_t>(quantity.action)]);
    } else if (quantity.action >= 0) {
        about << robotActionNames(world)[static_cast<std::size_t>(quantity.action)];
    }
    return about.join(QStringLiteral(", "));
}

}  // namespace orrery
