#include "widgets/common/selection.h"

#include <algorithm>

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
        m_places.assign(1, m_current);
        m_place = 0;
        m_hover.reset();
    }
    m_isFrozen = isFrozen;
    tellDifferences(before);
    Q_EMIT hoverChanged();
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
    m_places[m_place] = m_current;
    for (const SelectionKind kind : changed) Q_EMIT currentChanged(kind);
    if (!away.empty() && m_reachesCommon) m_common->setCurrent(away);
}

void Selection::setHover(std::optional<SelectionItem> item) {
    if (m_common && (!m_isFrozen || m_reachesCommon)) m_common->setHover(item);
    if (m_common && !m_isFrozen) return;
    if (item == m_hover) return;
    m_hover = std::move(item);
    Q_EMIT hoverChanged();
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
    if (isNewPlace && m_places[m_place] != Place{}) {
        addPlace();
    } else {
        m_places[m_place] = m_current;
    }
    for (const SelectionKind kind : changed) Q_EMIT currentChanged(kind);
    if (!changed.empty()) Q_EMIT historyChanged();
}

void Selection::addPlace() {
    m_places.resize(m_place + 1);
    m_places.push_back(m_current);
    if (m_places.size() > kMaxPlaces) m_places.erase(m_places.begin());
    m_place = m_places.size() - 1;
}

void Selection::clearCurrent(SelectionKind kind) {
    if (m_common && !m_isFrozen) return m_common->clearCurrent(kind);
    auto& slot = m_current[indexOf(kind)];
    if (!slot) return;
    slot.reset();
    m_places[m_place] = m_current;
    Q_EMIT currentChanged(kind);
}

const std::vector<SelectionItem>& Selection::set(SelectionKind kind) const {
    return shown().m_sets[indexOf(kind)];
}

void Selection::setSet(SelectionKind kind, std::vector<SelectionItem> items) {
    if (m_common && !m_isFrozen) return m_common->setSet(kind, std::move(items));
    Q_ASSERT(std::ranges::all_of(items, [kind](const auto& i) { return kindOf(i) == kind; }));
    auto& slot = m_sets[indexOf(kind)];
    const bool hadMarks = kind == SelectionKind::State && m_stateMarks != nullptr;
    if (slot == items && !hadMarks) return;
    slot = std::move(items);
    if (hadMarks) {
        m_stateMarks.reset();
        m_stateMarksText.clear();
    }
    Q_EMIT setChanged(kind);
}

void Selection::setStateMarks(std::shared_ptr<const StateMarks> marks, const QString& text,
                              std::vector<SelectionItem> first) {
    if (!marks) return setSet(SelectionKind::State, {});
    if (m_common && !m_isFrozen)
        return m_common->setStateMarks(std::move(marks), text, std::move(first));
    Q_ASSERT(std::ranges::all_of(
        first, [](const auto& item) { return kindOf(item) == SelectionKind::State; }));
    m_sets[indexOf(SelectionKind::State)] = std::move(first);
    m_stateMarks = std::move(marks);
    m_stateMarksText = text;
    Q_EMIT setChanged(SelectionKind::State);
}

void Selection::goBack() {
    if (m_common) return m_common->goBack();
    if (canGoBack()) goTo(m_place - 1);
}

void Selection::goForward() {
    if (m_common) return m_common->goForward();
    if (canGoForward()) goTo(m_place + 1);
}

void Selection::goTo(std::size_t place) {
    const Place before = m_current;
    m_place = place;
    m_current = m_places[place];
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i)
        if (before[i] != m_current[i]) Q_EMIT currentChanged(static_cast<SelectionKind>(i));
    Q_EMIT historyChanged();
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
    if (m_places[m_place] != m_current) addPlace();
    tellDifferences(before);
}

/// Tells of all kinds in which what is shown now differs from `before`.
void Selection::tellDifferences(const Picked& before) {
    const Picked now = picked();
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i) {
        const auto kind = static_cast<SelectionKind>(i);
        if (before.current[i] != now.current[i]) Q_EMIT currentChanged(kind);
        const bool marksDiffer =
            kind == SelectionKind::State && before.stateMarks != now.stateMarks;
        if (before.sets[i] != now.sets[i] || marksDiffer) Q_EMIT setChanged(kind);
    }
    Q_EMIT historyChanged();
}

void Selection::reset() {
    m_hover.reset();
    m_current = {};
    m_sets = {};
    m_stateMarks.reset();
    m_stateMarksText.clear();
    m_places.assign(1, Place{});
    m_place = 0;
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i) {
        Q_EMIT currentChanged(static_cast<SelectionKind>(i));
        Q_EMIT setChanged(static_cast<SelectionKind>(i));
    }
    Q_EMIT hoverChanged();
    Q_EMIT historyChanged();
}

}  // namespace orrery
