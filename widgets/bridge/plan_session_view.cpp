// The session of one view: it follows the common one until it is frozen.
#include "widgets/bridge/plan_session.h"
#include "widgets/common/agent_letters.h"

namespace orrery {

PlanSession::PlanSession(PlanSession* common, Selection* selection, QObject* parent)
    : PlanSession(selection, parent) {
    m_common = common;
    for (const auto signal :
         {&PlanSession::worldChanged, &PlanSession::renamed, &PlanSession::solutionChanged,
          &PlanSession::stateChanged, &PlanSession::jointActionChanged, &PlanSession::trialChanged})
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
    m_selection->setReachesCommon(m_isFrozen && isOpen() && m_common->isOpen(world()));
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
    m_selection->hold();
    m_isFrozen = false;
    m_selection->setFrozen(false);
    take(PlanSession(m_selection));  // what it kept is let go
    if (formerWorld != loaded().world) Q_EMIT worldChanged();
    if (formerSolution != solution()) Q_EMIT solutionChanged();
    Q_EMIT stateChanged();
    m_selection->tellHeld();
    Q_EMIT jointActionChanged();
}

PlanPin PlanSession::pin() const {
    const PlanSession& from = shown();
    return {from.m_loaded, from.m_solution,  from.m_ofRun,   from.m_runId,
            from.m_walk,   from.m_walkIndex, from.m_profile, m_selection->picked()};
}

void PlanSession::freezeAt(const PlanPin& pin) {
    Q_ASSERT(m_common);
    m_selection->hold();
    m_isFrozen = true;
    take(PlanSession(m_selection));
    m_loaded = pin.loaded;
    m_solution = pin.solution.lock();
    m_ofRun = m_solution ? pin.ofRun.lock() : nullptr;
    m_runId = pin.runId;
    m_profile = 0;
    if (isOpen()) {
        if (pin.profile < world().profileCount()) m_profile = pin.profile;
        m_letters = agentLetters(world());
        m_walk.clear();
        for (const Moment& moment : pin.walk) {
            m_walk.push_back(moment);
            m_walk.back().state = itemOf(moment.state.step, moment.state.words);
        }
        m_walkIndex = pin.walkIndex;
        refreshState();
    }
    m_selection->setFrozen(true);
    Selection::Picked picked = pin.picked;
    if (isOpen()) {
        for (auto& item : picked.current)
            if (item && !isReachable(*item)) item.reset();
        picked.current[static_cast<std::size_t>(SelectionKind::State)] = state();
        if (m_profile != 0)
            picked.current[static_cast<std::size_t>(SelectionKind::JointAction)] =
                JointActionItem{m_profile};
    }
    if (!m_solution) picked.stateMarks.reset();  // they are of its graph
    m_selection->setPicked(picked);
    noteReach();
    tellWorld();
}

}  // namespace orrery
