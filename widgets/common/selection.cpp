#include "widgets/common/selection.h"

#include <QRegularExpression>
#include <QStringList>
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

void Selection::setHover(std::optional<SelectionItem> item) {
    if (item == m_hover) return;
    m_hover = std::move(item);
    Q_EMIT hoverChanged();
}

void Selection::setCurrent(const std::vector<SelectionItem>& items) {
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
    auto& slot = m_current[indexOf(kind)];
    if (!slot) return;
    slot.reset();
    m_places[m_place] = m_current;
    Q_EMIT currentChanged(kind);
}

const std::vector<SelectionItem>& Selection::set(SelectionKind kind) const {
    return m_sets[indexOf(kind)];
}

void Selection::setSet(SelectionKind kind, std::vector<SelectionItem> items) {
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
    Q_ASSERT(std::ranges::all_of(
        first, [](const auto& item) { return kindOf(item) == SelectionKind::State; }));
    m_sets[indexOf(SelectionKind::State)] = std::move(first);
    m_stateMarks = std::move(marks);
    m_stateMarksText = text;
    Q_EMIT setChanged(SelectionKind::State);
}

void Selection::goBack() {
    if (canGoBack()) goTo(m_place - 1);
}

void Selection::goForward() {
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
    return {m_current, m_sets, m_stateMarks, m_stateMarksText};
}

void Selection::setPicked(const Picked& picked) {
    const Picked before = this->picked();
    m_current = picked.current;
    m_sets = picked.sets;
    m_stateMarks = picked.stateMarks;
    m_stateMarksText = picked.stateMarksText;
    if (m_places[m_place] != m_current) addPlace();
    for (std::size_t i = 0; i < kNumSelectionKinds; ++i) {
        const auto kind = static_cast<SelectionKind>(i);
        if (before.current[i] != m_current[i]) Q_EMIT currentChanged(kind);
        const bool marksDiffer = kind == SelectionKind::State && before.stateMarks != m_stateMarks;
        if (before.sets[i] != m_sets[i] || marksDiffer) Q_EMIT setChanged(kind);
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

QString Selection::address() const {
    QStringList parts;
    if (const auto* run = current<RunItem>()) parts << QStringLiteral("run") << run->id;
    if (const auto* state = current<StateItem>()) {
        parts << QStringLiteral("t%1").arg(state->step);
        if (state->index >= 0) {
            parts << QStringLiteral("s%1").arg(state->index);
        } else {
            QStringList words;
            for (const std::uint64_t word : state->words) words << QString::number(word, 16);
            parts << QStringLiteral("k") + words.join(QLatin1Char('-'));
        }
    }
    return QStringLiteral("orrery:") + parts.join(QLatin1Char('/'));
}

std::optional<SelectionAddress> parseAddress(const QString& text) {
    static const QRegularExpression kForm(
        QStringLiteral("^orrery:(?:run/(?<run>[A-Za-z0-9._-]+))?/?"
                       "(?:t(?<step>\\d{1,9})(?:/(?:s(?<state>\\d{1,18})|"
                       "k(?<words>[0-9a-f]{1,16}(?:-[0-9a-f]{1,16})*)))?)?$"));
    const QRegularExpressionMatch match = kForm.match(text.trimmed());
    if (!match.hasMatch()) return std::nullopt;
    SelectionAddress address;
    address.run = match.captured(QStringLiteral("run"));
    const QString step = match.captured(QStringLiteral("step"));
    if (!step.isEmpty()) address.step = step.toInt();
    const QString state = match.captured(QStringLiteral("state"));
    if (!state.isEmpty()) address.stateIndex = state.toLongLong();
    const QString words = match.captured(QStringLiteral("words"));
    if (!words.isEmpty())
        for (const QString& word : words.split(QLatin1Char('-')))
            address.words.push_back(word.toULongLong(nullptr, 16));
    if (address.run.isEmpty() && address.step < 0) return std::nullopt;
    return address;
}

}  // namespace orrery
