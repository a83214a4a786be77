#include "widgets/world/play_mode.h"

namespace orrery {

PlayMode::PlayMode(PlanSession* session, QObject* parent) : QObject(parent), m_session(session) {
    connect(session, &PlanSession::worldChanged, this, [this] {
        m_undriven.clear();
        m_isChoosing = false;
        Q_EMIT changed();
    });
    connect(session, &PlanSession::stateChanged, this, &PlayMode::cancelChoice);
    connect(session, &PlanSession::jointActionChanged, this, &PlayMode::cancelChoice);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Agent) Q_EMIT changed();
    });
}

void PlayMode::setOn(bool on) {
    if (on == m_isOn) return;
    m_isOn = on;
    m_isChoosing = false;
    if (on && m_session->isOpen() && !m_session->selection().current<AgentItem>())
        m_session->selection().setCurrent(AgentItem{agent()});
    Q_EMIT changed();
}

bool PlayMode::isDriven(int agent) const {
    const auto index = static_cast<std::size_t>(agent);
    return index >= m_undriven.size() || !m_undriven[index];
}

void PlayMode::setDriven(int agent, bool isDriven) {
    const auto index = static_cast<std::size_t>(agent);
    if (index >= m_undriven.size()) m_undriven.resize(index + 1);
    m_undriven[index] = !isDriven;
    Q_EMIT changed();
}

void PlayMode::driveAlone(int agent) {
    m_undriven.assign(static_cast<std::size_t>(m_session->world().numAgents()), true);
    m_undriven[static_cast<std::size_t>(agent)] = false;
    m_session->selection().setCurrent(AgentItem{agent});
    Q_EMIT changed();
}

void PlayMode::driveAll() {
    m_undriven.clear();
    Q_EMIT changed();
}

int PlayMode::numDriven() const {
    int count = 0;
    for (int agent = 0; m_session->isOpen() && agent < m_session->world().numAgents(); ++agent)
        count += isDriven(agent) ? 1 : 0;
    return count;
}

void PlayMode::setStepsOnKey(bool on) {
    m_stepsOnKey = on;
    Q_EMIT changed();
}

void PlayMode::setFollowsPolicies(bool on) {
    m_followsPolicies = on;
    Q_EMIT changed();
}

void PlayMode::setChoosesChance(bool on) {
    m_choosesChance = on;
    cancelChoice();
    Q_EMIT changed();
}

int PlayMode::agent() const {
    const int count = m_session->world().numAgents();
    const auto* current = m_session->selection().current<AgentItem>();
    if (current && current->agent < count) return current->agent;
    for (int agent = 0; agent < count; ++agent)
        if (isDriven(agent)) return agent;
    return 0;
}

void PlayMode::nextAgent(int direction) {
    const int count = m_session->world().numAgents();
    for (int i = 1; i <= count; ++i) {
        const int next = ((agent() + i * direction) % count + count) % count;
        if (!isDriven(next)) continue;
        m_session->selection().setCurrent(AgentItem{next});
        return;
    }
}

void PlayMode::act(int action) {
    if (m_session->isTerminal())
        return Q_EMIT refused(tr("This is the last step. Backspace goes back, R starts again."));
    if (!isDriven(agent()))
        return Q_EMIT refused(tr("%1 is not driven by keys. Tab takes the next driven agent.")
                                  .arg(m_session->letters()[static_cast<std::size_t>(agent())]));
    std::vector<int> chosen = m_session->actions();
    if (m_stepsOnKey)
        for (int other = 0; other < m_session->world().numAgents(); ++other)
            if (isDriven(other))
                chosen[static_cast<std::size_t>(other)] =
                    restingAction(m_session->world().agents()[static_cast<std::size_t>(other)]);
    chosen[static_cast<std::size_t>(agent())] = action;
    m_session->setActions(chosen);
    if (m_stepsOnKey) commit();
}

std::vector<bool> PlayMode::driven() const {
    std::vector<bool> driven(static_cast<std::size_t>(m_session->world().numAgents()));
    for (std::size_t agent = 0; agent < driven.size(); ++agent)
        driven[agent] = isDriven(static_cast<int>(agent));
    return driven;
}

PlayedBy PlayMode::playedBy() const {
    if (!m_followsPolicies || !m_session->values()) return PlayedBy::Person;
    const int count = numDriven();
    return count == 0                                ? PlayedBy::Policy
           : count == m_session->world().numAgents() ? PlayedBy::Person
                                                     : PlayedBy::Both;
}

void PlayMode::commit() {
    if (m_session->isTerminal())
        return Q_EMIT refused(tr("This is the last step. Backspace goes back, R starts again."));
    if (m_isChoosing)
        return Q_EMIT refused(
            tr("Choose what happens: click a ghost or press its number. Esc "
               "takes the step back."));
    if (m_followsPolicies) m_session->setActions(m_session->drawnActions(driven()));
    if (m_choosesChance && m_session->successors().size() > 1) {
        m_isChoosing = true;
        return Q_EMIT changed();
    }
    m_session->stepAs(playedBy());
}

void PlayMode::chooseOutcome(std::size_t row) {
    if (row >= m_session->successors().size()) return;
    m_isChoosing = false;
    m_session->follow(row);
    Q_EMIT changed();
}

void PlayMode::cancelChoice() {
    if (!m_isChoosing) return;
    m_isChoosing = false;
    Q_EMIT changed();
}

}  // namespace orrery
