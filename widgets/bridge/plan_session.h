#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/rng.h"
#include "core/solve/solution.h"
#include "core/world/world.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/selection.h"

namespace orrery {

struct Address;

/// One possible result of the chosen joint action.
struct SuccessorRow {
    double probability = 0;
    StateItem state;
    QString text;               ///< what it changes, in words
    std::optional<double> v_r;  ///< set if the world is solved
};

/// Who chose the joint action of a step.
enum class PlayedBy : std::uint8_t { Person, Policy, Both };

/// One state of the walk and how it was reached.
struct Moment {
    StateItem state;
    std::uint32_t profile = 0;  ///< joint action that led here; meaningless in the first moment
    double probability = 1;     ///< of this successor under it
    PlayedBy by = PlayedBy::Person;
    bool isChanceChosen = false;  ///< a person chose the successor among several
};

/// The action that does the least: "still" or "pass", else the first.
int restingAction(const AgentInfo& agent);

/// What a session shows, to show it again later. It keeps no solution in memory.
struct PlanPin {
    LoadedWorld loaded;  ///< `loaded.world` is null: nothing is open
    std::weak_ptr<const Solution> solution, ofRun;
    QString runId;
    std::vector<Moment> walk;  ///< at least one, if a world is open
    std::size_t walkIndex = 0;
    std::uint32_t profile = 0;
    Selection::Picked picked;
};

/// The world that a window shows, its exact solution if there is one, and the walk through its
/// states. What is current stands in the Selection; this object keeps what follows from it and
/// carries out the steps. Lives in the GUI thread; all members return at once.
///
/// A world, its solution and what is selected in it change as one step: all of it is there before
/// the first signal. Then come worldChanged, solutionChanged, stateChanged, the signals of the
/// selection and jointActionChanged. A state that is gone to is told before its selection, too.
///
/// A session of one view shows what the common one shows and hands on what is done, until it is
/// frozen. Then it keeps its world, solution and state: states that are picked in it, or in its
/// walk, are shown by the common session (if that has the same world), and steps are refused.
class PlanSession : public QObject {
    Q_OBJECT

public:
    explicit PlanSession(Selection* selection, QObject* parent = nullptr);
    /// The session of one view. Both live longer; `selection` is one of a view, too.
    PlanSession(PlanSession* common, Selection* selection, QObject* parent = nullptr);

    bool isFrozen() const { return m_isFrozen; }
    /// Of a view's session only.
    void setFrozen(bool isFrozen);
    PlanPin pin() const;
    /// Freezes a view's session at what a pin says; without its values where the solution is gone.
    void freezeAt(const PlanPin& pin);

    /// Shows a world in its initial state and forgets the former one. `loaded.world` is not null.
    void open(const LoadedWorld& loaded);
    /// Adds the values of a run. The walk stays if the solution is of the world that is open.
    void attach(std::shared_ptr<const Solution> solution, const QString& runId);
    /// Puts an edited world in place of the one that is open, in its initial state. The solution,
    /// which is of the world before the edit, is put aside and not lost: it and its walk come back
    /// when an edit leads back to its world. `loaded.world` is not null.
    void replaceWorld(const LoadedWorld& loaded);
    /// Shows a solution with other parameters on the graph of the run's in its place, until it is
    /// taken back or anything else is opened or attached. The walk stays. Needs a solution.
    void showVariant(std::shared_ptr<const Solution> variant);
    /// Shows the run's solution again.
    void endVariant();
    /// Keeps the solution as one of no run: its id means another one from here on.
    void forgetRun();
    bool showsVariant() const { return shown().m_ofRun != nullptr; }
    /// The run's own solution, whatever solution() is; null if not solved.
    std::shared_ptr<const Solution> runSolution() const {
        return shown().m_ofRun ? shown().m_ofRun : shown().m_solution;
    }
    /// The run whose solution that is; empty: none, or one that is not stored.
    const QString& runId() const { return shown().m_runId; }
    /// The open world was stored under another name; nothing else about it changed.
    void rename(const std::string& name, const std::string& text, const QString& title);
    /// True while there is a solution, but of the world before its edits.
    bool isStale() const { return !shown().m_solution && shown().m_aside.solution; }
    /// The solution that is out of date; null if isStale() is false.
    std::shared_ptr<const Solution> staleSolution() const {
        return isStale() ? shown().m_aside.solution : nullptr;
    }

    bool isOpen() const { return loaded().world != nullptr; }
    /// Whether a world of the same content is open.
    bool isOpen(const World& other) const {
        return isOpen() && world().contentHash() == other.contentHash();
    }
    const LoadedWorld& loaded() const { return shown().m_loaded; }
    const World& world() const { return *loaded().world; }
    std::shared_ptr<const Solution> solution() const { return shown().m_solution; }
    Selection& selection() const { return *m_selection; }
    const std::vector<QString>& letters() const { return shown().m_letters; }

    const StateItem& state() const { return walk()[walkIndex()].state; }
    bool isTerminal() const { return state().step >= world().maxSteps(); }
    /// The current state in the solution's graph; nothing without one.
    std::optional<State> graphState() const;
    /// All values of the current state; nothing without a solution.
    const std::optional<StateValues>& values() const { return shown().m_values; }

    /// The chosen joint action and what it may lead to, most probable first; empty at the end.
    std::uint32_t profile() const { return shown().m_profile; }
    std::vector<int> actions() const;
    void setAction(int agent, int action);
    void setActions(std::span<const int> actions);
    /// A joint action in which the driven agents keep their chosen actions and the others draw
    /// from their policies (the robots together, given what driven robots do). Without values the
    /// others stay: "still" or "pass", else their first action. `isDriven` is [agent].
    std::vector<int> drawnActions(const std::vector<bool>& isDriven);
    const std::vector<SuccessorRow>& successors() const { return shown().m_successors; }

    /// A joint action that is only looked at, and what it may lead to. It is forgotten when the
    /// state changes; nothing else of the session depends on it.
    void setTrial(std::optional<std::uint32_t> profile);
    const std::optional<std::uint32_t>& trial() const { return shown().m_trial; }
    const std::vector<SuccessorRow>& trialSuccessors() const { return shown().m_trialSuccessors; }

    const std::vector<Moment>& walk() const { return shown().m_walk; }
    std::size_t walkIndex() const { return shown().m_walkIndex; }

    /// Goes to one successor (an index into successors()).
    void follow(std::size_t row) { followAs(row, PlayedBy::Person); }
    void followAs(std::size_t row, PlayedBy by);
    /// Goes to a state that may follow under some joint action, which becomes the chosen one: the
    /// likeliest of those that lead there. False, and nothing is changed, if none does.
    bool followTo(const StateItem& next);
    /// Carries out the joint action: draws a successor by its probability.
    void step() { stepAs(PlayedBy::Person); }
    void stepAs(PlayedBy by);
    /// Draws a joint action from the humans' and the robots' policies and carries it out.
    void followPolicy();
    void stepBack();
    void restart();
    /// Goes to the first state of the world; a walk that began there is kept.
    void showStart();
    /// Goes to a moment of the walk.
    void showMoment(std::size_t index);
    /// Goes to the first state of a level of the solution's graph.
    void showLevel(int step);
    /// Selects what an address names. False, and nothing is changed, if this world has no such
    /// thing; the run and the predicate of the address are not looked at.
    bool goTo(const Address& address);

Q_SIGNALS:
    void worldChanged();
    /// It is the same world, from another file or under another title.
    void renamed();
    void solutionChanged();
    void stateChanged();
    void jointActionChanged();
    void trialChanged();
    /// A step was asked of a session that is frozen.
    void refused();

private:
    const PlanSession& shown() const { return m_common && !m_isFrozen ? *m_common : *this; }
    bool follows() const { return m_common && !m_isFrozen; }
    /// True, and says so, if the session is frozen.
    bool refuses();
    void take(const PlanSession& from);
    void noteReach();
    bool isReachable(const SelectionItem& item) const;
    std::optional<StateItem> stateNamed(int step, std::int64_t index,
                                        const std::vector<std::uint64_t>& words) const;
    /// What was shown before the world was edited.
    struct Aside {
        std::shared_ptr<const Solution> solution;
        QString runId;
        std::vector<Moment> walk;
        std::size_t walkIndex = 0;
    };

    StateItem itemOf(int step, std::vector<std::uint64_t> words) const;
    void showWorld(const LoadedWorld& loaded);
    void selectFirst();
    void tellWorld();
    void tellSolution();
    void replaceValues(std::shared_ptr<const Solution> solution);
    void moveTo(Moment moment);
    void select(const StateItem& state);
    void tellState();
    void selectionChanged(SelectionKind kind);
    void refreshState();
    void refreshSuccessors();
    std::vector<SuccessorRow> successorsUnder(std::uint32_t profile) const;
    std::optional<std::uint32_t> likeliestActionTo(ConfigIndex next) const;
    double policyProbability(std::uint32_t profile) const;
    std::size_t drawn(const std::vector<double>& probabilities);

    Selection* m_selection;
    PlanSession* m_common = nullptr;  ///< of a view's session
    bool m_isFrozen = false;
    LoadedWorld m_loaded;
    std::vector<QString> m_letters;
    std::shared_ptr<const Solution> m_solution;
    std::shared_ptr<const Solution> m_ofRun;  ///< while a variant is shown: the run's own
    QString m_runId;                          ///< of the solution
    Aside m_aside;
    std::optional<StateValues> m_values;
    std::uint32_t m_profile = 0;
    std::vector<SuccessorRow> m_successors;
    std::optional<std::uint32_t> m_trial;
    std::vector<SuccessorRow> m_trialSuccessors;
    std::vector<Moment> m_walk{1};
    std::size_t m_walkIndex = 0;
    Rng m_rng{0};
};

}  // namespace orrery
