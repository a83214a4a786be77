#include "widgets/common/selection.h"

#include <algorithm>
#include <utility>

namespace orrery {

namespace {

constexpr std::size_t kMaxPlaces = 500;

bool makesPlace(SelectionKind kind) {
    switch (kind) {
        case SelectionKind::Run:
        case SelectionKind::State:
        case SelectionKind::Step:
        case SelectionKind::Level:
        case SelectionKind::Human:
        case SelectionKind::Goal:
            return true;
        case SelectionKind::JointAction:
        case SelectionKind::Agent:
        case SelectionKind::Cell:
        case SelectionKind::Env:
        case SelectionKind::Entity:
            return false;
    }
    return false;
}

std::size_t indexOf(SelectionKind kind) {
    return static_cast<std::size_t>(kind);
}

}  // namespace

SelectionKind kindOf(const SelectionItem& item) {
    return static_cast<SelectionKind>(item.index());
}

Selection::Selection(QObject* parent) : QObject(parent), m_places(1) {}

Selection::Selection(Selection* common, QObject* parent)
    : QObject(parent), m_common(common), m_places(1) {
    connect(common, &Selection::hoverChanged, this, [this] {
        if (!m_isFrozen) Q_EMIT hoverChanged();
    });
    connect(common, &Selection::historyChanged, this, [this] {
        if (!m_isFrozen) Q_EMIT historyChanged();
    });
    connect(common, &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (!m_isFrozen) Q_EMIT currentChanged(kind);
    });
    connect(common, &Selection::setChanged, this, [this](SelectionKind kind) {
        if (!m_isFrozen) Q_EMIT setChanged(kind);
    });
}

void Selection::setFrozen(bool isFrozen) {
    if (!m_common || isFrozen == m_isFrozen) return;
    const Picked before = picked();
    if (isFrozen) {
        m_current = before.current;
        m_sets = before.sets;
        m_stateMarks = before.stateMarks;
        m_stateMarksText = before.stateMarksText;
        m_places.assign(1, Place{.current = m_current});
        m_place = 0;
        m_hover.reset();
    }
    m_isFrozen = isFrozen;
    tellDifferences(before);
    tellHover();
}

/// Items picked in a frozen selection: places go to the common selection, the rest stays.
void Selection::pickFrozen(const std::vector<SelectionItem>& items) {
    std::vector<SelectionItem> away;
    std::vector<SelectionKind> changed;
    for (const SelectionItem& item : items) {
        const SelectionKind kind = kindOf(item);
        const bool isPlace = kind == SelectionKind::State || kind == SelectionKind::Step ||
                             kind == SelectionKind::Level;
        if (isPlace || kind == SelectionKind::Run) away.push_back(item);
        if (isPlace || m_current[item.index()] == item) continue;
        m_current[item.index()] = item;
        changed.push_back(kind);
    }
    m_places[m_place].current = m_current;
    tellCurrent(changed);
    if (!away.empty() && m_reachesCommon) m_common->setCurrent(away);
}

void Selection::setHover(std::optional<SelectionItem> item) {
    if (m_common && (!m_isFrozen || m_reachesCommon)) m_common->setHover(item);
    if (m_common && !m_isFrozen) return;
    if (item == m_hover) return;
    m_hover = std::move(item);
    tellHover();
}

void Selection::setCurrent(const std::vector<SelectionItem>& items) {
    if (m_isFrozen) return pickFrozen(items);
    if (m_common) return m_common->setCurrent(items);
    std::vector<SelectionKind> changed;
    bool isNewPlace = false;
    for (const SelectionItem& item : items) {
        auto& slot = m_current[item.index()];
        if (slot == item) {
            slot = item;  // the index of a state may have become known
            continue;
        }
        slot = item;
        changed.push_back(kindOf(item));
        isNewPlace = isNewPlace || makesPlace(kindOf(item));
    }
    if (isNewPlace && m_places[m_place].current != Current{}) {
        addPlace({.current = m_current});
    } else {
        m_places[m_place].current = m_current;
    }
    tellCurrent(changed);
    if (!changed.empty()) tellHistory();
}

void Selection::addPlace(Place place) {
    m_places.resize(m_place + 1);
    m_places.push_back(std::move(place));
    if (m_places.size() > kMaxPlaces) m_places.erase(m_places.begin());
    m_place = m_places.size() - 1;
}

void Selection::clearCurrent(SelectionKind kind) {
    if (m_common && !m_isFrozen) return m_common->clearCurrent(kind);
    auto& slot = m_current[indexOf(kind)];
    if (!slot) return;
    slot.reset();
    m_places[m_place].current = m_current;
    tellCurrent({kind});
}

const std::vector<SelectionItem>& Selection::set(SelectionKind kind) const {
    return shown().m_sets[indexOf(kind)];
}

Selection::PickedSet Selection::pickedSet(SelectionKind kind) const {
    if (kind != SelectionKind::State) return {m_sets[indexOf(kind)], nullptr, {}};
    return {m_sets[indexOf(kind)], m_stateMarks, m_stateMarksText};
}

void Selection::putSet(SelectionKind kind, PickedSet set) {
    m_sets[indexOf(kind)] = std::move(set.items);
    if (kind == SelectionKind::State) {
        m_stateMarks = std::move(set.marks);
        m_stateMarksText = std::move(set.marksText);
    }
    tellSet(kind);
}

/// A person changes a set: the former one, if it had any items, is a step back.
void Selection::pickSet(SelectionKind kind, PickedSet set) {
    PickedSet before = pickedSet(kind);
    const bool isAnew = set.marks && !set.marksText.isEmpty() && set.marksText == before.marksText;
    const bool isNewPlace = makesPlace(kind) && !before.isEmpty() && !isAnew;
    if (isNewPlace) addPlace({m_current, kind, std::move(before), set});
    if (isAnew && m_places[m_place].setKind == kind) m_places[m_place].setAfter = set;
    putSet(kind, std::move(set));
    if (isNewPlace) tellHistory();
}

void Selection::setSet(SelectionKind kind, std::vector<SelectionItem> items) {
    if (m_common && !m_isFrozen) return m_common->setSet(kind, std::move(items));
    Q_ASSERT(std::ranges::all_of(items, [kind](const auto& i) { return kindOf(i) == kind; }));
    const bool hasMarks = kind == SelectionKind::State && m_stateMarks != nullptr;
    if (m_sets[indexOf(kind)] == items && !hasMarks) return;
    pickSet(kind, {std::move(items), nullptr, {}});
}

void Selection::setStateMarks(std::shared_ptr<const StateMarks> marks, const QString& text,
                              std::vector<SelectionItem> first) {
    if (!marks) return setSet(SelectionKind::State, {});
    if (m_common && !m_isFrozen)
        return m_common->setStateMarks(std::move(marks), text, std::move(first));
    Q_ASSERT(std::ranges::all_of(
        first, [](const auto& item) { return kindOf(item) == SelectionKind::State; }));
    pickSet(SelectionKind::State, {std::move(first), std::move(marks), text});
}

void Selection::forgetStateSets() {
    if (m_common && !m_isFrozen) return m_common->forgetStateSets();
    for (Place& place : m_places)
        if (place.setKind == SelectionKind::State) place.setBefore = place.setAfter = {};
    if (!pickedSet(SelectionKind::State).isEmpty()) putSet(SelectionKind::State, {});
}

void Selection::goBack() {
    if (m_common) return m_common->goBack();
    if (canGoBack()) goTo(m_place - 1);
}

void Selection::goForward() {
    if (m_common) return m_common->goForward();
    if (canGoForward()) goTo(m_place + 1);
}

/// To a neighbour of the present place.
void Selection::goTo(std::size_t place) {
    const Current before = m_current;
    const Place& stepped = m_places[std::max(place, m_place)];
    const bool isBack = place < m_place;
    m_place = place;
    m_current = m_places[place].current;
    std::vector<SelectionKind> changed;
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i)
        if (before[i] != m_current[i]) changed.push_back(static_cast<SelectionKind>(i));
    hold();
    tellCurrent(changed);
    if (stepped.setKind) putSet(*stepped.setKind, isBack ? stepped.setBefore : stepped.setAfter);
    tellHistory();
    tellHeld();
}

Selection::Picked Selection::picked() const {
    const Selection& from = shown();
    return {from.m_current, from.m_sets, from.m_stateMarks, from.m_stateMarksText};
}

void Selection::setPicked(const Picked& picked) {
    if (m_common && !m_isFrozen) return m_common->setPicked(picked);
    const Picked before = this->picked();
    m_current = picked.current;
    m_sets = picked.sets;
    m_stateMarks = picked.stateMarks;
    m_stateMarksText = picked.stateMarksText;
    if (m_places[m_place].current != m_current) addPlace({.current = m_current});
    tellDifferences(before);
}

/// Tells of all kinds in which what is shown now differs from `before`.
void Selection::tellDifferences(const Picked& before) {
    const Picked now = picked();
    hold();
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i) {
        const auto kind = static_cast<SelectionKind>(i);
        if (before.current[i] != now.current[i]) tellCurrent({kind});
        const bool marksDiffer =
            kind == SelectionKind::State && before.stateMarks != now.stateMarks;
        if (before.sets[i] != now.sets[i] || marksDiffer) tellSet(kind);
    }
    tellHistory();
    tellHeld();
}

/// The state first: who follows it is up to date when views hear of the rest.
void Selection::tellCurrent(const std::vector<SelectionKind>& kinds) {
    for (const SelectionKind kind : kinds) m_heldCurrent[indexOf(kind)] = true;
    if (m_numHolds > 0) return;
    const auto told = std::exchange(m_heldCurrent, {});
    if (told[indexOf(SelectionKind::State)]) Q_EMIT currentChanged(SelectionKind::State);
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i)
        if (told[i] && i != indexOf(SelectionKind::State))
            Q_EMIT currentChanged(static_cast<SelectionKind>(i));
}

void Selection::tellSet(SelectionKind kind) {
    if (m_numHolds > 0)
        m_heldSets[indexOf(kind)] = true;
    else
        Q_EMIT setChanged(kind);
}

void Selection::tellHover() {
    if (m_numHolds > 0)
        m_heldHover = true;
    else
        Q_EMIT hoverChanged();
}

void Selection::tellHistory() {
    if (m_numHolds > 0)
        m_heldHistory = true;
    else
        Q_EMIT historyChanged();
}

void Selection::tellHeld() {
    Q_ASSERT(m_numHolds > 0);
    if (--m_numHolds > 0) return;
    tellCurrent({});
    const auto sets = std::exchange(m_heldSets, {});
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i)
        if (sets[i]) Q_EMIT setChanged(static_cast<SelectionKind>(i));
    if (std::exchange(m_heldHover, false)) Q_EMIT hoverChanged();
    if (std::exchange(m_heldHistory, false)) Q_EMIT historyChanged();
}

void Selection::reset() {
    m_hover.reset();
    m_current = {};
    m_sets = {};
    m_stateMarks.reset();
    m_stateMarksText.clear();
    m_places.assign(1, Place{});
    m_place = 0;
    hold();
    // Equal items mean something else from now on, so all kinds are told of.
    m_heldCurrent.fill(true);
    m_heldSets.fill(true);
    m_heldHover = m_heldHistory = true;
    tellHeld();
}

}  // namespace orrery
