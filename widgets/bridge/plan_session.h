#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
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

/// One state of the walk and how it was reached.
struct Moment {
    StateItem state;
    std::uint32_t profile = 0;  ///< joint action that led here; meaningless in the first moment
    double probability = 1;     ///< of this successor under it
};

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
    const std::vector<SuccessorRow>& successors() const { return m_successors; }

    const std::vector<Moment>& walk() const { return m_walk; }
    std::size_t walkIndex() const { return m_walkIndex; }

    /// Goes to one successor (an index into successors()).
    void follow(std::size_t row);
    /// Carries out the joint action: draws a successor by its probability.
    void step();
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

private:
    StateItem itemOf(int step, std::vector<std::uint64_t> words) const;
    void moveTo(StateItem state, std::uint32_t profile, double probability);
    void select(const StateItem& state);
    void selectionChanged(SelectionKind kind);
    void refreshState();
    void refreshSuccessors();
    std::size_t drawn(const std::vector<double>& probabilities);

    Selection* m_selection;
    LoadedWorld m_loaded;
    std::vector<QString> m_letters;
    std::shared_ptr<const Solution> m_solution;
    std::optional<StateValues> m_values;
    std::uint32_t m_profile = 0;
    std::vector<SuccessorRow> m_successors;
    std::vector<Moment> m_walk{1};
    std::size_t m_walkIndex = 0;
    bool m_isMoving = false;  ///< the walk was brought up to date before the selection
    Rng m_rng{0};
};

}  // namespace orrery
