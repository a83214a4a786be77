#pragma once

#include <QObject>
#include <QRect>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/solve/explain.h"
#include "widgets/bridge/plan_session.h"

class QWidget;

namespace orrery {

class BackgroundWorker;
class ReachTable;

/// What the parts of an inspector have in common: the values of the current state (B), of the
/// pinned one (A), and the number that is being asked about. GUI thread only.
class InspectorState : public QObject {
    Q_OBJECT

public:
    /// Neither may be null; both live longer.
    InspectorState(PlanSession* session, BackgroundWorker* worker, QObject* parent);
    ~InspectorState() override;

    PlanSession& session() const { return *m_session; }
    BackgroundWorker& worker() const { return *m_worker; }
    const std::optional<StateValues>& values() const { return m_session->values(); }
    /// The solution's numbers taken apart; null without a solution.
    std::shared_ptr<const Explainer> explainer() const { return m_explainer; }

    /// The pinned state A. It stays while its world is open.
    const std::optional<StateItem>& pinned() const { return m_pinned; }
    const std::optional<StateValues>& pinnedValues() const { return m_pinnedValues; }
    void pin();
    void unpin();
    /// A is pinned, has values, and another state is looked at: every number shows A, B, B - A.
    bool compares() const;

    /// The number whose sum is shown: what was asked, or Q_r of the most probable robot action.
    ValueOf question() const;
    void ask(const ValueOf& quantity);
    /// The same for a number that a person picked in a widget: its sum opens beside it.
    void askAt(const ValueOf& quantity, QWidget* by, const QRect& number);
    bool isAsked() const { return m_question.has_value(); }

    /// Numbers of the current and of the pinned state; nothing where there is none.
    std::optional<double> number(const ValueOf& quantity) const;
    std::optional<double> pinnedNumber(const ValueOf& quantity) const;

    /// Probability that an episode from the first state visits the current one under the policies;
    /// nothing until the worker has it, or where it would take too long.
    std::optional<double> reach() const;

    /// Other colours: everything is shown again.
    void refreshLook() { Q_EMIT changed(); }

    /// Goes to a state of the solution's graph, by the selection.
    void goTo(State state) const;
    StateItem itemOf(State state) const;
    void hover(std::optional<State> state) const;

    /// "t 6, s 1 204": a state in a table.
    static QString shortName(State state);
    /// The symbol for paintSymbol and symbolHtml: "Q_r", "V_h^e", "pi_r".
    static QString symbolOf(const ValueOf& quantity) {
        return QLatin1String(factsOf(quantity.kind).symbol);
    }
    /// With whom and what it is about: "forward", "A, goal 3,1", "A, goal 3,1, left"; or empty.
    QString nameOf(const ValueOf& quantity) const;

Q_SIGNALS:
    /// Comes before changed(): parts that are made for one world are made anew.
    void worldChanged();
    /// The state, the values, the pinned state or the world are other ones.
    void changed();
    void questionChanged();
    /// A number was picked; `number` is its place in `by`.
    void askedAt(QWidget* by, const QRect& number);
    void reachChanged();

private:
    void refresh();
    void takeSolution();
    void refreshPinned();
    void advanceReach();
    bool fits(const ValueOf& quantity) const;

    PlanSession* m_session;
    BackgroundWorker* m_worker;
    std::shared_ptr<const Explainer> m_explainer;
    std::optional<StateItem> m_pinned;
    std::optional<StateValues> m_pinnedValues;
    std::optional<ValueOf> m_question;
    std::shared_ptr<ReachTable> m_reach;
    bool m_hasReach = false;  ///< the table is whole: no job writes to it any more
};

/// Joint actions of the robots: "forward" for one robot, "forward, left" for several.
std::vector<QString> robotActionNames(const World& world);

}  // namespace orrery
