#include <algorithm>

#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/world/world_view.h"

namespace orrery {

void WorldView::setHeat(std::optional<HeatQuantity> quantity) {
    if (quantity == m_heat) return;
    m_heat = quantity;
    if (m_range.kind == HeatRangeKind::Locked) m_range = {};  // it was of another quantity
    refreshHeat();
    Q_EMIT overlayChanged();
}

void WorldView::setHeatRange(const HeatRange& range) {
    if (range == m_range) return;
    m_range = range;
    setField(m_field);
    Q_EMIT overlayChanged();
}

void WorldView::lockHeatRange(bool isLocked) {
    if (!isLocked || !m_scene.heat) return setHeatRange({});
    setHeatRange({HeatRangeKind::Locked, m_scene.heat->low, m_scene.heat->high});
}

void WorldView::setArrows(const ArrowChoice& choice) {
    if (choice == m_arrows) return;
    m_arrows = choice;
    refreshArrows();
    Q_EMIT overlayChanged();
}

int WorldView::currentAgent() const {
    const auto* agent = m_session->selection().current<AgentItem>();
    if (agent && agent->agent < m_session->world().numAgents()) return agent->agent;
    const std::vector<int> robots = m_session->world().robots();
    return robots.empty() ? 0 : robots.front();
}

HeatChoice WorldView::heatChoice() const {
    HeatChoice choice;
    if (!m_heat || !m_session->isOpen()) return choice;
    const Selection& selection = m_session->selection();
    const auto* goal = selection.current<GoalItem>();
    const auto* human = selection.current<HumanItem>();
    if (isProbability(*m_heat)) {
        if (!goal) return choice;
        choice.human = goal->human;
        choice.goal = goal->goal;
    } else if (*m_heat == HeatQuantity(ValueKind::X_h)) {
        if (!human && !goal) return choice;
        choice.human = goal ? goal->human : human->human;
    } else {
        choice.agent = currentAgent();
    }
    choice.quantity = m_heat;
    return choice;
}

void WorldView::showHeat(const HeatChoice& choice) {
    Selection& selection = m_session->selection();
    if (choice.human >= 0)
        selection.setCurrent(
            {HumanItem{choice.human}, GoalItem{choice.human, std::max(0, choice.goal)}});
    else if (choice.agent >= 0)
        selection.setCurrent(AgentItem{choice.agent});
    setHeat(choice.quantity);
}

void WorldView::stepHeat(int direction) {
    if (!m_session->isOpen()) return;
    std::vector<HeatChoice> choices;
    for (const HeatChoice& choice : heatChoices(*m_session))
        if (m_session->solution() || !needsSolution(choice)) choices.push_back(choice);
    const auto at = std::ranges::find(choices, heatChoice());
    const auto count = static_cast<int>(choices.size());
    const int now = at == choices.end() ? 0 : static_cast<int>(at - choices.begin());
    showHeat(choices[static_cast<std::size_t>((now + direction + count) % count)]);
}

std::optional<HeatRequest> WorldView::wantedHeat() const {
    const HeatChoice choice = heatChoice();
    const auto state = m_session->isOpen() ? m_session->graphState() : std::nullopt;
    if (!state || !choice.quantity) return std::nullopt;
    HeatRequest request;
    request.quantity = *choice.quantity;
    if (request.quantity != kEarliestHeat) request.state = *state;
    if (choice.human >= 0) {
        request.human = choice.human;
        request.goal = std::max(0, choice.goal);
        request.agent = m_session->world().goals()[static_cast<std::size_t>(choice.human)].agent;
    } else {
        request.agent = choice.agent;
    }
    return request;
}

void WorldView::setField(std::shared_ptr<const HeatField> field) {
    m_field = std::move(field);
    m_scene.heat = m_range.applied(m_field);
    update();
    Q_EMIT sceneChanged();
}

void WorldView::refreshHeat() {
    if (m_session->isOpen() && heatChoice().quantity == kVisitHeat) {
        m_worker->stopAll();
        return setField(visitsOf(currentAgent()));
    }
    const auto wanted = wantedHeat();
    if (!wanted) {
        m_worker->stopAll();
        return setField(nullptr);
    }
    if (m_field && m_field->request == *wanted) return setField(m_field);
    if (m_field && (m_field->width != m_scene.width || m_field->height != m_scene.height))
        setField(nullptr);
    using Field = std::shared_ptr<const HeatField>;
    m_worker->replace<Field>(
        [solution = m_session->solution(), request = *wanted](std::stop_token stop) {
            return computeHeat(*solution, request, stop);
        },
        [this](Field field) {
            if (field && wantedHeat() == field->request) setField(std::move(field));
        },
        [](const QString&) {});
}

std::optional<ArrowRequest> WorldView::wantedArrows() const {
    const auto state = m_session->isOpen() ? m_session->graphState() : std::nullopt;
    if (!state || m_arrows.agent < 0 || m_session->isTerminal()) return std::nullopt;
    ArrowRequest request{*state, m_arrows.agent, -1};
    const auto* goal = m_session->selection().current<GoalItem>();
    if (m_arrows.ofGoal && goal &&
        m_session->world().goals()[static_cast<std::size_t>(goal->human)].agent == m_arrows.agent)
        request.goal = goal->goal;
    return request;
}

void WorldView::refreshArrows() {
    const auto wanted = wantedArrows();
    if (!wanted) {
        m_arrowWorker->stopAll();
        m_scene.arrows.reset();
        return update();
    }
    if (m_scene.arrows && m_scene.arrows->request == *wanted) return;
    if (m_scene.arrows &&
        (m_scene.arrows->width != m_scene.width || m_scene.arrows->height != m_scene.height))
        m_scene.arrows.reset();
    using Field = std::shared_ptr<const ArrowField>;
    m_arrowWorker->replace<Field>(
        [solution = m_session->solution(), request = *wanted](std::stop_token stop) {
            return computeArrows(*solution, request, stop);
        },
        [this](Field field) {
            if (!field || wantedArrows() != field->request) return;
            m_scene.arrows = std::move(field);
            update();
            Q_EMIT sceneChanged();
        },
        [](const QString&) {});
}

std::shared_ptr<const HeatField> WorldView::visitsOf(int agent) const {
    std::vector<std::span<const std::uint64_t>> walk;
    for (std::size_t i = 0; i <= m_session->walkIndex(); ++i)
        walk.emplace_back(m_session->walk()[i].state.words);
    return countVisits(m_session->world(), walk, agent);
}

void WorldView::refreshVisits() {
    if (!m_session->isOpen()) return;
    m_scene.visits = m_showsVisits ? visitsOf(currentAgent()) : nullptr;
    if (m_heat == kVisitHeat) refreshHeat();
    update();
}

}  // namespace orrery
