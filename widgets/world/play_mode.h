#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "widgets/bridge/plan_session.h"

namespace orrery {

/// Playing by hand: which agents the person drives, how a key becomes a step, who decides about
/// chance. The steps themselves are the session's. GUI thread; all members return at once.
class PlayMode : public QObject {
    Q_OBJECT

public:
    explicit PlayMode(PlanSession* session, QObject* parent = nullptr);

    bool isOn() const { return m_isOn; }
    void setOn(bool on);
    void toggle() { setOn(!m_isOn); }

    /// Driven agents do what their keys say; all are at first.
    bool isDriven(int agent) const;
    void setDriven(int agent, bool isDriven);
    /// Only this agent is driven.
    void driveAlone(int agent);
    void driveAll();
    int numDriven() const;

    /// Each action key carries out a step at once; the other driven agents rest in it. Else keys
    /// choose and commit() carries out.
    bool stepsOnKey() const { return m_stepsOnKey; }
    void setStepsOnKey(bool on);
    /// Agents that are not driven draw from their policies if the world is solved, else they rest.
    /// Off: they do what the inspector's buttons say.
    bool followsPolicies() const { return m_followsPolicies; }
    void setFollowsPolicies(bool on);
    /// Where a step may end in several states the person is asked for one. Else it is drawn.
    bool choosesChance() const { return m_choosesChance; }
    void setChoosesChance(bool on);

    /// The agent that the keys mean: the current one of the selection, else the first driven.
    int agent() const;
    /// Makes the next (or former, -1) driven agent current.
    void nextAgent(int direction);

    /// Chooses an action of agent(); with stepsOnKey() carries it out.
    void act(int action);
    /// Carries out the joint action.
    void commit();
    /// True while a committed step waits for chooseOutcome().
    bool isChoosing() const { return m_isChoosing; }
    /// Goes to one of the session's successors, chosen by the person.
    void chooseOutcome(std::size_t row);
    void cancelChoice();

Q_SIGNALS:
    void changed();
    /// Why a key did nothing.
    void refused(const QString& why);

private:
    std::vector<bool> driven() const;
    PlayedBy playedBy() const;

    PlanSession* m_session;
    bool m_isOn = false, m_stepsOnKey = false, m_followsPolicies = true, m_choosesChance = false;
    bool m_isChoosing = false;
    std::vector<bool> m_undriven;  ///< [agent] may be shorter: the others are driven
};

}  // namespace orrery
