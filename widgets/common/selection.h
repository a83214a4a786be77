#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace orrery {

class StateMarks;

/// A run of the workspace.
struct RunItem {
    QString id;
    bool operator==(const RunItem&) const = default;
};

/// A state: a configuration (its packed words) at a step. `index` is its number in the state graph
/// where one is open, else -1; it does not take part in comparisons.
struct StateItem {
    int step = 0;
    std::vector<std::uint64_t> words;
    std::int64_t index = -1;
    bool operator==(const StateItem& other) const {
        return step == other.step && words == other.words;
    }
};

/// A moment of the walk that the episode strip shows.
struct StepItem {
    int step = 0;
    bool operator==(const StepItem&) const = default;
};

/// All states of one step.
struct LevelItem {
    int step = 0;
    bool operator==(const LevelItem&) const = default;
};

/// One action per agent, as a World's action profile index.
struct JointActionItem {
    std::uint32_t profile = 0;
    bool operator==(const JointActionItem&) const = default;
};

struct AgentItem {
    int agent = 0;  ///< agent index
    bool operator==(const AgentItem&) const = default;
};

struct HumanItem {
    int human = 0;  ///< index into World::goals()
    bool operator==(const HumanItem&) const = default;
};

struct GoalItem {
    int human = 0;  ///< index into World::goals()
    int goal = 0;   ///< index into that human's goals
    bool operator==(const GoalItem&) const = default;
};

struct CellItem {
    int x = 0, y = 0;
    bool operator==(const CellItem&) const = default;
};

/// One of several environments that are shown side by side: a batch of them, those of a training.
struct EnvItem {
    int env = 0;
    bool operator==(const EnvItem&) const = default;
};

/// A thing of an environment.
struct EntityItem {
    int env = 0;
    int entity = 0;  ///< index into the things of its frame, in the order of the spaces
    bool operator==(const EntityItem&) const = default;
};

using SelectionItem = std::variant<RunItem, StateItem, StepItem, LevelItem, JointActionItem,
                                   AgentItem, HumanItem, GoalItem, CellItem, EnvItem, EntityItem>;

/// The position of an item's type in SelectionItem.
enum class SelectionKind {
    Run,
    State,
    Step,
    Level,
    JointAction,
    Agent,
    Human,
    Goal,
    Cell,
    Env,
    Entity
};
inline constexpr std::size_t kNumSelectionKinds = std::variant_size_v<SelectionItem>;

SelectionKind kindOf(const SelectionItem& item);

/// What the person means, for every view of a window: each kind has one current item and one set,
/// and one item of any kind is under the pointer. Views write what was picked here and show what
/// stands here; they never tell each other. Lives in the GUI thread.
///
/// Back and forward walk through what was picked. Picking a run, state, step, level, human or goal
/// makes a new place, and so does changing a filled set of those; the other kinds change the
/// present place. Nothing of it is on the undo stack.
///
/// A selection of one view shows what the common one shows and hands on what is picked, until it is
/// frozen. Then it keeps what it shows: states, steps and levels that are picked go to the common
/// selection only, runs to both, and all else counts here only.
class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(QObject* parent = nullptr);
    /// The selection of one view. `common` lives longer.
    Selection(Selection* common, QObject* parent);

    bool isFrozen() const { return m_isFrozen; }
    /// Of a view's selection only.
    void setFrozen(bool isFrozen);
    /// Whether picks in a frozen selection reach the common one; off while that is of another
    /// world.
    void setReachesCommon(bool reaches) { m_reachesCommon = reaches; }
    const std::optional<SelectionItem>& hover() const { return shown().m_hover; }
    void setHover(std::optional<SelectionItem> item);

    /// The current item of a type; null if there is none.
    template <typename T>
    const T* current() const {
        const auto& item = shown().m_current[kindIndex<T>()];
        return item ? &std::get<T>(*item) : nullptr;
    }
    /// Makes items current, all as one step of the history. At most one item of each kind.
    void setCurrent(const std::vector<SelectionItem>& items);
    void setCurrent(const SelectionItem& item) { setCurrent(std::vector<SelectionItem>{item}); }
    void clearCurrent(SelectionKind kind);

    const std::vector<SelectionItem>& set(SelectionKind kind) const;
    /// Items of other kinds than `kind` are a mistake of the caller.
    void setSet(SelectionKind kind, std::vector<SelectionItem> items);

    /// All states of the set of states where a search found them: set(State) then holds only the
    /// first ones. Null if the set is no more than its list.
    const std::shared_ptr<const StateMarks>& stateMarks() const { return shown().m_stateMarks; }
    /// What the states of stateMarks() have in common, as a person wrote it: "step < 4".
    const QString& stateMarksText() const { return shown().m_stateMarksText; }
    /// Makes found states the set of states. `first` becomes set(State). Null marks clear the set.
    /// The same question answered anew is no new place.
    void setStateMarks(std::shared_ptr<const StateMarks> marks, const QString& text,
                       std::vector<SelectionItem> first);

    // The history is the common selection's.
    bool canGoBack() const { return origin().m_place > 0; }
    bool canGoForward() const { return origin().m_place + 1 < origin().m_places.size(); }
    void goBack();
    void goForward();

    /// While it is held, all changes are made at once and told by nobody; tellHeld() then tells
    /// each kind once. Holds may be nested.
    void hold() { ++m_numHolds; }
    void tellHeld();

    /// All that is current and all sets, to bring them back later. Bringing them back is a step of
    /// the history like any other.
    struct Picked {
        std::array<std::optional<SelectionItem>, kNumSelectionKinds> current;
        std::array<std::vector<SelectionItem>, kNumSelectionKinds> sets;
        std::shared_ptr<const StateMarks> stateMarks;
        QString stateMarksText;
        bool operator==(const Picked&) const = default;
    };
    Picked picked() const;
    /// Of a frozen selection: makes this selection itself show it.
    void setPicked(const Picked& picked);

    /// Forgets everything, the history too: another world was opened.
    void reset();
    /// Forgets the sets of states, those of the history too: they are of another graph.
    void forgetStateSets();

    /// All that is selected as text, current items and sets: "orrery:run/20260301-1200/t6/s1204".
    /// See selection_address.h.
    QString address() const;

Q_SIGNALS:
    void hoverChanged();
    void currentChanged(orrery::SelectionKind kind);
    void setChanged(orrery::SelectionKind kind);
    void historyChanged();

private:
    using Current = std::array<std::optional<SelectionItem>, kNumSelectionKinds>;
    struct PickedSet {
        std::vector<SelectionItem> items;
        std::shared_ptr<const StateMarks> marks;
        QString marksText;
        bool operator==(const PickedSet&) const = default;
        bool isEmpty() const { return items.empty() && !marks; }
    };
    /// One step of the history. The other sets stay as they are when it is gone to.
    struct Place {
        Current current;
        std::optional<SelectionKind> setKind = {};  ///< the set that was changed to come here
        PickedSet setBefore = {}, setAfter = {};
    };
    const Selection& shown() const { return m_common && !m_isFrozen ? *m_common : *this; }
    const Selection& origin() const { return m_common ? *m_common : *this; }
    void pickFrozen(const std::vector<SelectionItem>& items);
    void tellDifferences(const Picked& before);
    void tellCurrent(const std::vector<SelectionKind>& kinds);
    void tellSet(SelectionKind kind);
    void tellHover();
    void tellHistory();
    /// A place becomes the newest of the history; those ahead of it are gone.
    void addPlace(Place place);
    PickedSet pickedSet(SelectionKind kind) const;
    void putSet(SelectionKind kind, PickedSet set);
    void pickSet(SelectionKind kind, PickedSet set);

    template <typename T, std::size_t I = 0>
    static constexpr std::size_t kindIndex() {
        if constexpr (std::is_same_v<T, std::variant_alternative_t<I, SelectionItem>>)
            return I;
        else
            return kindIndex<T, I + 1>();
    }
    void goTo(std::size_t place);

    Selection* m_common = nullptr;  ///< of a view's selection
    bool m_isFrozen = false, m_reachesCommon = true;
    std::optional<SelectionItem> m_hover;
    Current m_current;
    std::array<std::vector<SelectionItem>, kNumSelectionKinds> m_sets;
    std::shared_ptr<const StateMarks> m_stateMarks;
    QString m_stateMarksText;
    std::vector<Place> m_places;  ///< the history; m_places[m_place].current equals m_current
    std::size_t m_place = 0;
    int m_numHolds = 0;
    /// What is told when the last hold ends.
    std::array<bool, kNumSelectionKinds> m_heldCurrent{}, m_heldSets{};
    bool m_heldHover = false, m_heldHistory = false;
};

}  // namespace orrery
