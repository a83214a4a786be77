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

/// The world that a window shows, its exact solution if there is one, and the walk through its
/// states. What is current stands in the Selection; this object keeps what follows from it and
/// carries out the steps. Lives in the GUI thread; all members return at once.
class PlanSession : public QObject {
    Q_OBJECT

public:
    explicit PlanSession(Selection* selection, QObject* parent = nullptr);

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
    bool showsVariant() const { return m_ofRun != nullptr; }
    /// The run's own solution, whatever solution() is; null if not solved.
    std::shared_ptr<const Solution> runSolution() const { return m_ofRun ? m_ofRun : m_solution; }
    /// The run whose solution that is; empty: none, or one that is not stored.
    const QString& runId() const { return m_runId; }
    /// The open world was stored under another name; nothing else about it changed.
    void rename(const std::string& name, const std::string& text, const QString& title);
    /// True while there is a solution, but of the world before its edits.
    bool isStale() const { return !m_solution && m_aside.solution; }
    /// The solution that is out of date; null if isStale() is false.
    std::shared_ptr<const Solution> staleSolution() const {
        return m_solution ? nullptr : m_aside.solution;
    }

    bool isOpen() const { return m_loaded.world != nullptr; }
    const LoadedWorld& loaded() const { return m_loaded; }
    const World& world() const { return *m_loaded.world; }
    std::shared_ptr<const Solution> solution() const { return m_solution; }
    Selection& selection() const { return *m_selection; }
    const std::vector<QString>& letters() const { return m_letters; }

    const StateItem& state() const { return m_walk[m_walkIndex].state; }
    bool isTerminal() const { return state().step >= world().maxSteps(); }
    /// The current state in the solution's graph; nothing without one.
    std::optional<State> graphState() const;
    /// All values of the current state; nothing without a solution.
    const std::optional<StateValues>& values() const { return m_values; }

    /// The chosen joint action and what it may lead to, most probable first; empty at the end.
    std::uint32_t profile() const { return m_profile; }
    std::vector<int> actions() const;
    void setAction(int agent, int action);
    void setActions(std::span<const int> actions);
    /// A joint action in which the driven agents keep their chosen actions and the others draw
    /// from their policies (the robots together, given what driven robots do). Without values the
    /// others stay: "still" or "pass", else their first action. `isDriven` is [agent].
    std::vector<int> drawnActions(const std::vector<bool>& isDriven);
    const std::vector<SuccessorRow>& successors() const { return m_successors; }

    /// A joint action that is only looked at, and what it may lead to. It is forgotten when the
    /// state changes; nothing else of the session depends on it.
    void setTrial(std::optional<std::uint32_t> profile);
    const std::optional<std::uint32_t>& trial() const { return m_trial; }
    const std::vector<SuccessorRow>& trialSuccessors() const { return m_trialSuccessors; }

    const std::vector<Moment>& walk() const { return m_walk; }
    std::size_t walkIndex() const { return m_walkIndex; }

    /// Goes to one successor (an index into successors()).
    void follow(std::size_t row) { followAs(row, PlayedBy::Person); }
    void followAs(std::size_t row, PlayedBy by);
    /// Carries out the joint action: draws a successor by its probability.
    void step() { stepAs(PlayedBy::Person); }
    void stepAs(PlayedBy by);
    /// Draws a joint action from the humans' and the robots' policies and carries it out.
    void followPolicy();
    void stepBack();
    void restart();
    /// Goes to a moment of the walk.
    void showMoment(std::size_t index);
    /// Goes to the first state of a level of the solution's graph.
    void showLevel(int step);
    /// Goes to the state of an address. False if this world has no such state; the run of the
    /// address is not looked at.
    bool goTo(const SelectionAddress& address);

Q_SIGNALS:
    void worldChanged();
    void solutionChanged();
    void stateChanged();
    void jointActionChanged();
    void trialChanged();

private:
    /// What was shown before the world was edited.
    struct Aside {
        std::shared_ptr<const Solution> solution;
        QString runId;
        std::vector<Moment> walk;
        std::size_t walkIndex = 0;
    };

    StateItem itemOf(int step, std::vector<std::uint64_t> words) const;
    void showWorld(const LoadedWorld& loaded);
    void replaceValues(std::shared_ptr<const Solution> solution);
    void moveTo(Moment moment);
    void select(const StateItem& state);
    void selectionChanged(SelectionKind kind);
    void refreshState();
    void refreshSuccessors();
    std::vector<SuccessorRow> successorsUnder(std::uint32_t profile) const;
    std::size_t drawn(const std::vector<double>& probabilities);

    Selection* m_selection;
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
    bool m_isMoving = false;  ///< the walk was brought up to date before the selection
    Rng m_rng{0};
};

}  // namespace orrery
