#include "widgets/replay/replay_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

namespace orrery {

namespace {

constexpr std::size_t kStopEvery = 4096;

double numberOf(const ReplaySource& source, std::uint32_t place, int column,
                const TdErrorTable& errors) {
    const StoredTransition& row = source.at(place);
    const StoredModel& model = source.replay->modelOf(place);
    switch (column) {
        case ReplayModel::Before:
            return model.state;
        case ReplayModel::After:
            return model.successors()[row.reached];
        case ReplayModel::Actor:
            return row.collector;
        case ReplayModel::Episode:
            return static_cast<double>(row.episode);
        case ReplayModel::Step:
            return row.step;
        case ReplayModel::Age:
            return static_cast<double>(source.ageOf(place));
        case ReplayModel::Stage:
            return source.stageIndexOf(place);
        case ReplayModel::Alike:
            return source.alikeOf(place);
        case ReplayModel::TdError: {
            const auto known = errors.find(tdErrorKey(row));
            return known != errors.end() ? std::abs(known->second.error) : 0;
        }
        default:
            return place;
    }
}

QString textOf(const ReplaySource& source, std::uint32_t place, int column) {
    switch (column) {
        case ReplayModel::RobotAction:
            return robotActionText(source.worldOf(place), source.factsOf(place),
                                   source.at(place).robotAction);
        case ReplayModel::HumanActions:
            return humanActionsText(source, place);
        case ReplayModel::Goals:
            return goalsText(source, place);
        default:
            return endText(source, place);
    }
}

bool isText(int column) {
    return column == ReplayModel::RobotAction || column == ReplayModel::HumanActions ||
           column == ReplayModel::Goals || column == ReplayModel::Ends;
}

/// The places of the rows by ascending or descending keys.
template <typename Key>
std::optional<std::vector<std::uint32_t>> sorted(const std::vector<std::uint32_t>& places,
                                                 const std::vector<Key>& keys, Qt::SortOrder order,
                                                 const std::stop_token& stop) {
    if (stop.stop_requested()) return std::nullopt;
    std::vector<std::uint32_t> rows(places.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const auto key = [&](std::uint32_t row) -> const Key& { return keys[row]; };
    if (order == Qt::AscendingOrder)
        std::ranges::stable_sort(rows, std::ranges::less{}, key);
    else
        std::ranges::stable_sort(rows, std::ranges::greater{}, key);
    for (std::uint32_t& row : rows) row = places[row];
    return rows;
}

template <typename Key, typename KeyOf>
std::optional<std::vector<Key>> keysOf(const std::vector<std::uint32_t>& places, KeyOf keyOf,
                                       const std::stop_token& stop) {
    std::vector<Key> keys;
    keys.reserve(places.size());
    for (const std::uint32_t place : places) {
        if (keys.size() % kStopEvery == 0 && stop.stop_requested()) return std::nullopt;
        keys.push_back(keyOf(place));
    }
    return keys;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> inOrder(const ReplaySource& source,
                                                  std::vector<std::uint32_t> places,
                                                  const ReplayOrder& order,
                                                  const TdErrorTable& errors,
                                                  const std::stop_token& stop) {
    if (order == ReplayOrder()) return places;
    if (isText(order.column)) {
        const auto keys = keysOf<QString>(
            places, [&](std::uint32_t place) { return textOf(source, place, order.column); }, stop);
        if (!keys) return std::nullopt;
        return sorted(places, *keys, order.order, stop);
    }
    // What is no number has no place in an order: it comes last.
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double last = order.order == Qt::AscendingOrder ? kInfinity : -kInfinity;
    const auto keyOf = [&](std::uint32_t place) {
        const double number = numberOf(source, place, order.column, errors);
        return std::isnan(number) ? last : number;
    };
    const auto keys = keysOf<double>(places, keyOf, stop);
    if (!keys) return std::nullopt;
    return sorted(places, *keys, order.order, stop);
}

std::vector<std::uint32_t> withoutError(const ReplaySource& source,
                                        const std::vector<std::uint32_t>& places,
                                        const TdErrorTable& errors) {
    std::unordered_set<std::uint64_t> kinds;
    std::vector<std::uint32_t> missing;
    for (const std::uint32_t place : places) {
        const std::uint64_t key = tdErrorKey(source.at(place));
        if (!errors.contains(key) && kinds.insert(key).second) missing.push_back(place);
    }
    return missing;
}

}  // namespace orrery
