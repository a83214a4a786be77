#include "widgets/learned/learned_errors.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "widgets/common/agent_letters.h"
#include "widgets/common/number_text.h"

namespace orrery {

namespace {

QString errorText(const char* text) {
    return QCoreApplication::translate("LearnedErrors", text);
}

/// Column of a human's first goal among all goals.
std::size_t goalBegin(const World& world, int human) {
    std::size_t begin = 0;
    for (int h = 0; h < human; ++h)
        begin += world.goals()[static_cast<std::size_t>(h)].goals.size();
    return begin;
}

QString letterOf(const World& world, int human) {
    const auto agent =
        static_cast<std::size_t>(world.goals()[static_cast<std::size_t>(human)].agent);
    return agentLetters(world)[agent];
}

QString goalName(const World& world, int human, int goal) {
    const HumanGoals& goals = world.goals()[static_cast<std::size_t>(human)];
    return letterOf(world, human) + QStringLiteral(", ") +
           QString::fromStdString(goalText(goals.goals[static_cast<std::size_t>(goal)]));
}

/// Which numbers of ExactError a quantity takes: columns [begin, begin + each) of `width`.
struct Columns {
    const std::vector<float>* learned = nullptr;
    const std::vector<float>* exact = nullptr;
    std::size_t width = 0, begin = 0, each = 0;
};

Columns columnsOf(const LearnedErrors& errors, const ValueOf& quantity) {
    const ExactError& e = errors.error;
    const auto goals = errors.world->goals();
    switch (quantity.kind) {
        case ValueKind::V_h_e: {
            const std::size_t all = goalBegin(*errors.world, static_cast<int>(goals.size()));
            if (quantity.human < 0) return {&e.learned.v_h_e, &e.exact.v_h_e, all, 0, all};
            const std::size_t at =
                goalBegin(*errors.world, quantity.human) + static_cast<std::size_t>(quantity.goal);
            return {&e.learned.v_h_e, &e.exact.v_h_e, all, at, 1};
        }
        case ValueKind::X_h:
            if (quantity.human < 0)
                return {&e.learned.x_h, &e.exact.x_h, goals.size(), 0, goals.size()};
            return {&e.learned.x_h, &e.exact.x_h, goals.size(),
                    static_cast<std::size_t>(quantity.human), 1};
        case ValueKind::V_r:
            return {&e.learned.v_r, &e.exact.v_r, 1, 0, 1};
        case ValueKind::U_r:
            return {&e.learned.u_r, &e.exact.u_r, 1, 0, 1};
        default:
            break;
    }
    const std::size_t actions =
        e.learned.pi_r.size() / std::max<std::size_t>(1, errors.numStates());
    if (quantity.kind == ValueKind::Q_r) return {&e.learned.q_r, &e.exact.q_r, actions, 0, actions};
    return {&e.learned.pi_r, &e.exact.pi_r, actions, 0, actions};
}

std::vector<QString> namesOf(const World& world, const ValueOf& quantity) {
    std::vector<QString> names;
    const auto numHumans = static_cast<int>(world.goals().size());
    switch (quantity.kind) {
        case ValueKind::V_h_e:
            if (quantity.human >= 0) return {goalName(world, quantity.human, quantity.goal)};
            for (int h = 0; h < numHumans; ++h)
                for (int g = 0; g < std::ssize(world.goals()[static_cast<std::size_t>(h)].goals);
                     ++g)
                    names.push_back(goalName(world, h, g));
            return names;
        case ValueKind::X_h:
            if (quantity.human >= 0) return {letterOf(world, quantity.human)};
            for (int h = 0; h < numHumans; ++h) names.push_back(letterOf(world, h));
            return names;
        case ValueKind::V_r:
        case ValueKind::U_r:
            return {QString()};
        default:
            break;
    }
    for (const std::string& name : robotProfiles(world).names)
        names.push_back(QString::fromStdString(name));
    return names;
}

/// The error of one state by its pairs.
float errorOf(ValueKind kind, const float* learned, const float* exact, std::size_t each) {
    double sum = 0;
    const bool isRelative = !factsOf(kind).isProbability;
    for (std::size_t i = 0; i < each; ++i)
        sum += isRelative ? std::abs(learned[i] / exact[i] - 1) : std::abs(learned[i] - exact[i]);
    const double parts = kind == ValueKind::Pi_r ? 2.0 : static_cast<double>(each);
    return static_cast<float>(sum / parts);
}

void addTo(ErrorBin& bin, const ExactError::StateError& state, double error) {
    if (state.visits > 0) {
        bin.visited += error;
        ++bin.numVisited;
    } else {
        bin.unvisited += error;
        ++bin.numUnvisited;
    }
}

void finish(ErrorBin& bin, const QString& what) {
    if (bin.numVisited > 0) bin.visited /= static_cast<double>(bin.numVisited);
    if (bin.numUnvisited > 0) bin.unvisited /= static_cast<double>(bin.numUnvisited);
    QStringList parts{what};
    if (bin.numVisited > 0)
        parts << errorText("%1 visited states: mean error %2")
                     .arg(countText(bin.numVisited), valueText(bin.visited, 4));
    if (bin.numUnvisited > 0)
        parts << errorText("%1 never visited: mean error %2")
                     .arg(countText(bin.numUnvisited), valueText(bin.unvisited, 4));
    bin.tip = parts.join(QStringLiteral(" · "));
}

}  // namespace

const StateGraph& LearnedErrors::graph() const {
    return exact->graph();
}

std::int64_t LearnedErrors::indexOf(const State& state) const {
    const auto isBefore = [](const ExactError::StateError& a, const State& b) {
        return a.state.step != b.step ? a.state.step < b.step : a.state.config < b.config;
    };
    const auto at = std::lower_bound(error.byState.begin(), error.byState.end(), state, isBefore);
    const bool isThere = at != error.byState.end() && at->state.step == state.step &&
                         at->state.config == state.config;
    return isThere ? at - error.byState.begin() : -1;
}

std::size_t LearnedPairs::worstOf(std::size_t state) const {
    std::size_t worst = state * each;
    for (std::size_t i = worst; i < (state + 1) * each; ++i)
        if (std::abs(learned[i] - exact[i]) > std::abs(learned[worst] - exact[worst])) worst = i;
    return worst;
}

std::size_t LearnedPairs::worstSeenOf(std::size_t state) const {
    const auto distance = [&](std::size_t i) { return std::abs(learned[i] - exact[i]); };
    std::optional<std::size_t> worst;
    for (std::size_t i = state * each; i < (state + 1) * each; ++i)
        if (isSeen[i] != 0 && (!worst || distance(i) > distance(*worst))) worst = i;
    return worst ? *worst : worstOf(state);
}

NumbersOfState numbersOf(const LearnedErrors& errors, const ValueOf& quantity, std::size_t state) {
    const Columns columns = columnsOf(errors, quantity);
    NumbersOfState numbers;
    numbers.names = namesOf(*errors.world, quantity);
    const std::size_t begin = state * columns.width + columns.begin;
    for (std::size_t i = begin; i < begin + columns.each; ++i) {
        numbers.exact.push_back((*columns.exact)[i]);
        numbers.learned.push_back((*columns.learned)[i]);
        numbers.isSeen.push_back(quantity.kind == ValueKind::V_h_e
                                     ? errors.error.isSeen_v_h_e[i] != 0
                                     : errors.error.isSeen[state] != 0);
    }
    return numbers;
}

LearnedPairs pairsOf(const LearnedErrors& errors, const ValueOf& quantity) {
    const Columns columns = columnsOf(errors, quantity);
    LearnedPairs pairs{.quantity = quantity, .each = columns.each};
    pairs.names = namesOf(*errors.world, quantity);
    const std::size_t numStates = errors.numStates();
    pairs.learned.reserve(numStates * columns.each);
    pairs.exact.reserve(numStates * columns.each);
    pairs.isSeen.reserve(numStates * columns.each);
    pairs.error.reserve(numStates);
    pairs.seenError.reserve(numStates);
    std::vector<float> seenLearned, seenExact;
    for (std::size_t s = 0; s < numStates; ++s) {
        const std::size_t begin = s * columns.width + columns.begin;
        seenLearned.clear();
        seenExact.clear();
        for (std::size_t i = begin; i < begin + columns.each; ++i) {
            pairs.learned.push_back((*columns.learned)[i]);
            pairs.exact.push_back((*columns.exact)[i]);
            const bool isSeen = quantity.kind == ValueKind::V_h_e
                                    ? errors.error.isSeen_v_h_e[i] != 0
                                    : errors.error.isSeen[s] != 0;
            pairs.isSeen.push_back(isSeen ? 1 : 0);
            if (!isSeen) {
                ++pairs.numUnseen;
                continue;
            }
            seenLearned.push_back(pairs.learned.back());
            seenExact.push_back(pairs.exact.back());
        }
        pairs.error.push_back(errorOf(quantity.kind, pairs.learned.data() + s * columns.each,
                                      pairs.exact.data() + s * columns.each, columns.each));
        pairs.seenError.push_back(seenExact.empty() ? -1
                                                    : errorOf(quantity.kind, seenLearned.data(),
                                                              seenExact.data(), seenExact.size()));
    }
    return pairs;
}

std::vector<ValueOf> learnedQuantities(const LearnedErrors& errors) {
    std::vector<ValueOf> all{
        {ValueKind::V_h_e}, {ValueKind::Pi_r}, {ValueKind::X_h}, {ValueKind::V_r}};
    if (!errors.error.exact.q_r.empty()) all.push_back({ValueKind::Q_r});
    if (!errors.error.exact.u_r.empty()) all.push_back({ValueKind::U_r});
    const auto addEach = [&](ValueKind kind) {
        for (const ValueOf& each : valuesOfKind(*errors.world, kind)) all.push_back(each);
    };
    addEach(ValueKind::V_h_e);
    if (errors.world->goals().size() > 1) addEach(ValueKind::X_h);
    return all;
}

QString textOf(const ValueOf& quantity, const World& world) {
    QString name = plainSymbol(QLatin1String(factsOf(quantity.kind).symbol));
    switch (quantity.kind) {
        case ValueKind::V_h_e:
            return quantity.human < 0
                       ? errorText("%1 of all goals").arg(name)
                       : errorText("%1 of %2")
                             .arg(name, goalName(world, quantity.human, quantity.goal));
        case ValueKind::X_h:
            return quantity.human < 0
                       ? errorText("%1 of all humans").arg(name)
                       : errorText("%1 of %2").arg(name, letterOf(world, quantity.human));
        default:
            return name;
    }
}

QString errorUnit(ValueKind kind) {
    switch (kind) {
        case ValueKind::V_h_e:
            return errorText("|learned − exact|");
        case ValueKind::Pi_r:
            return errorText("total variation");
        default:
            return errorText("|learned / exact − 1|");
    }
}

ErrorSummary summaryOf(const LearnedErrors& errors, const LearnedPairs& pairs) {
    ErrorSummary summary;
    summary.states = static_cast<std::int64_t>(pairs.numStates());
    if (summary.states == 0) return summary;
    std::vector<float> sorted = pairs.error;
    const std::size_t count = std::max<std::size_t>(1, sorted.size() / 100);
    std::ranges::partial_sort(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(count),
                              std::ranges::greater{});
    summary.mean =
        std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
    summary.worst =
        std::accumulate(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
        static_cast<double>(count);
    summary.unvisited =
        std::ranges::count(errors.error.byState, 0U, &ExactError::StateError::visits);
    return summary;
}

std::vector<ErrorBin> errorByLevel(const LearnedErrors& errors, const LearnedPairs& pairs) {
    std::vector<ErrorBin> bins;
    for (std::size_t s = 0; s < pairs.numStates(); ++s) {
        const ExactError::StateError& state = errors.error.byState[s];
        const auto step = static_cast<std::size_t>(state.state.step);
        while (bins.size() <= step) {
            ErrorBin bin;
            bin.step = static_cast<int>(bins.size());
            bin.label = QString::number(bin.step);
            bins.push_back(bin);
        }
        addTo(bins[step], state, pairs.error[s]);
    }
    for (ErrorBin& bin : bins) finish(bin, errorText("Step %1").arg(bin.step));
    return bins;
}

std::vector<ErrorBin> errorByVisits(const LearnedErrors& errors, const LearnedPairs& pairs) {
    std::vector<ErrorBin> bins;
    for (std::size_t s = 0; s < pairs.numStates(); ++s) {
        const ExactError::StateError& state = errors.error.byState[s];
        std::size_t place = 0;
        for (std::uint32_t left = state.visits; left > 0; left /= 2) ++place;
        if (bins.size() <= place) bins.resize(place + 1);
        addTo(bins[place], state, pairs.error[s]);
    }
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const std::int64_t low = i == 0 ? 0 : std::int64_t{1} << (i - 1);
        const std::int64_t high = 2 * low - 1;
        bins[i].label = low >= 1000 ? QString::number(low / 1000) + u'k' : QString::number(low);
        finish(bins[i],
               i == 0 ? errorText("Never visited")
               : low == high
                   ? errorText("Visited once")
                   : errorText("Visited %1 to %2 times").arg(countText(low), countText(high)));
    }
    return bins;
}

ErrorField errorByCell(const LearnedErrors& errors, const LearnedPairs& pairs, int agent,
                       std::pair<int, int> steps) {
    ErrorField field{.width = errors.world->width(), .height = errors.world->height()};
    const std::size_t cells =
        static_cast<std::size_t>(field.width) * static_cast<std::size_t>(field.height);
    field.mean.assign(cells, 0);
    field.states.assign(cells, 0);
    field.worst.assign(cells, -1);
    const StateGraph& graph = errors.graph();
    for (std::size_t s = 0; s < pairs.numStates(); ++s) {
        const State& state = errors.error.byState[s].state;
        if (state.step < steps.first || state.step > steps.second) continue;
        const int cell = errors.world->cellOf(graph.configuration(state.config), agent);
        if (cell < 0) continue;
        const auto at = static_cast<std::size_t>(cell);
        field.mean[at] += pairs.error[s];
        ++field.states[at];
        if (field.worst[at] < 0 ||
            pairs.error[s] > pairs.error[static_cast<std::size_t>(field.worst[at])])
            field.worst[at] = static_cast<std::int64_t>(s);
    }
    for (std::size_t i = 0; i < cells; ++i) {
        if (field.states[i] == 0) continue;
        field.mean[i] /= static_cast<double>(field.states[i]);
        field.high = std::max(field.high, field.mean[i]);
    }
    return field;
}

std::vector<std::int64_t> worstStates(std::span<const float> errors, std::size_t count) {
    std::vector<std::int64_t> states(errors.size());
    std::iota(states.begin(), states.end(), std::int64_t{0});
    std::erase_if(states, [&](std::int64_t s) { return errors[static_cast<std::size_t>(s)] < 0; });
    count = std::min(count, states.size());
    const auto isWorse = [&](std::int64_t a, std::int64_t b) {
        const float left = errors[static_cast<std::size_t>(a)];
        const float right = errors[static_cast<std::size_t>(b)];
        return left != right ? left > right : a < b;
    };
    std::ranges::partial_sort(states, states.begin() + static_cast<std::ptrdiff_t>(count), isWorse);
    states.resize(count);
    return states;
}

}  // namespace orrery
