// The session of one view: it follows the common one until it is frozen.
#include "widgets/bridge/plan_session.h"
#include "widgets/common/agent_letters.h"

namespace orrery {

PlanSession::PlanSession(PlanSession* common, Selection* selection, QObject* parent)
    : PlanSession(selection, parent) {
    m_common = common;
    for (const auto signal :
         {&PlanSession::worldChanged, &PlanSession::solutionChanged, &PlanSession::stateChanged,
          &PlanSession::jointActionChanged, &PlanSession::trialChanged})
        connect(common, signal, this, [this, signal] {
            if (signal == &PlanSession::worldChanged) noteReach();
            if (!m_isFrozen) Q_EMIT(this->*signal)();
        });
}

void PlanSession::take(const PlanSession& from) {
    m_loaded = from.m_loaded;
    m_letters = from.m_letters;
    m_solution = from.m_solution;
    m_ofRun = from.m_ofRun;
    m_runId = from.m_runId;
    m_aside = from.m_aside;
    m_values = from.m_values;
    m_profile = from.m_profile;
    m_successors = from.m_successors;
    m_trial.reset();
    m_trialSuccessors.clear();
    m_walk = from.m_walk;
    m_walkIndex = from.m_walkIndex;
}

/// What is picked in a frozen session means something elsewhere only in the same world.
void PlanSession::noteReach() {
    m_selection->setReachesCommon(m_isFrozen && isOpen() && m_common->isOpen() &&
                                  world().contentHash() == m_common->world().contentHash());
}

bool PlanSession::refuses() {
    if (m_isFrozen) Q_EMIT refused();
    return m_isFrozen;
}

void PlanSession::setFrozen(bool isFrozen) {
    Q_ASSERT(m_common);
    if (isFrozen == m_isFrozen) return;
    if (isFrozen) {
        take(*m_common);
        m_isFrozen = true;
        m_selection->setFrozen(true);
        return noteReach();
    }
    const auto formerWorld = m_loaded.world;
    const auto formerSolution = m_solution;
    m_isFrozen = false;
    m_selection->setFrozen(false);
    take(PlanSession(m_selection));  // what it kept is let go
    if (formerWorld != loaded().world) Q_EMIT worldChanged();
    if (formerSolution != solution()) Q_EMIT solutionChanged();
    Q_EMIT stateChanged();
    Q_EMIT jointActionChanged();
}

PlanPin PlanSession::pin() const {
    const PlanSession& from = shown();
    return {from.m_loaded, from.m_solution,  from.m_ofRun,   from.m_runId,
            from.m_walk,   from.m_walkIndex, from.m_profile, m_selection->picked()};
}

void PlanSession::freezeAt(const PlanPin& pin) {
    Q_ASSERT(m_common);
    m_isFrozen = true;
    take(PlanSession(m_selection));
    m_loaded = pin.loaded;
    m_solution = pin.solution.lock();
    m_ofRun = m_solution ? pin.ofRun.lock() : nullptr;
    m_runId = pin.runId;
    m_profile = pin.profile;
    if (isOpen()) {
        m_letters = agentLetters(world());
        m_walk.clear();
        for (const Moment& moment : pin.walk) {
            m_walk.push_back(moment);
            m_walk.back().state = itemOf(moment.state.step, moment.state.words);
        }
        m_walkIndex = pin.walkIndex;
        refreshState();
    }
    m_isMoving = true;
    m_selection->setFrozen(true);
    Selection::Picked picked = pin.picked;
    if (isOpen()) picked.current[static_cast<std::size_t>(SelectionKind::State)] = state();
    m_selection->setPicked(picked);
    m_isMoving = false;
    noteReach();
    Q_EMIT worldChanged();
    Q_EMIT solutionChanged();
    Q_EMIT stateChanged();
    Q_EMIT jointActionChanged();
}

}  // namespace orrery
