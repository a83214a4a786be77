#include "widgets/entity/rollout_rows.h"

#include <QObject>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/filter/read_filter.h"

namespace orrery {

namespace {

constexpr std::uint32_t kRowsBetweenLooks = 1 << 14;

/// In the order of the columns: what filters call them.
struct ColumnWords {
    const char* name = "";
    const char* heading = "";
    bool isTruth = false;
};
constexpr std::array<ColumnWords, kNumRolloutColumns> kColumns{{{"row", "Row"},
                                                                {"env", "Env"},
                                                                {"step", "Step"},
                                                                {"reward", "Reward"},
                                                                {"done", "Done", true},
                                                                {"truncated", "Truncated", true},
                                                                {"value", "Value"},
                                                                {"return", "Return"},
                                                                {"advantage", "Advantage"},
                                                                {"ratio", "Ratio"},
                                                                {"entropy", "Entropy"}}};

std::int64_t stepOf(const RolloutCopy& rollout, std::uint32_t row) {
    return row / rollout.environments;
}

FilterFields makeRolloutFields() {
    FilterFields fields;
    fields.example = "advantage < 0";
    for (int i = 0; i < kNumRolloutColumns; ++i) {
        const ColumnWords& column = kColumns[static_cast<std::size_t>(i)];
        fields.add({.name = column.name,
                    .type = column.isTruth ? FilterType::Truth : FilterType::Number,
                    .id = i,
                    .example = column.isTruth ? std::string(column.name)
                                              : column.name + std::string(" > 0")});
    }
    fields.hint = "there are " + fields.names();
    return fields;
}

}  // namespace

QString rolloutHeading(RolloutColumn column) {
    return QLatin1String(kColumns[static_cast<std::size_t>(column)].heading);
}

double rolloutNumber(const RolloutCopy& rollout, std::uint32_t row, RolloutColumn column) {
    const auto number = [row](const std::vector<float>& all) {
        return static_cast<double>(all[row]);
    };
    switch (column) {
        case RolloutColumn::Row:
            return row;
        case RolloutColumn::Env:
            return static_cast<double>(row % rollout.environments);
        case RolloutColumn::Step:
            return static_cast<double>(stepOf(rollout, row));
        case RolloutColumn::Reward:
            return number(rollout.reward);
        case RolloutColumn::Done:
            return rollout.done[row];
        case RolloutColumn::Truncated:
            return rollout.truncated[row];
        case RolloutColumn::Value:
            return number(rollout.value);
        case RolloutColumn::Return:
            return number(rollout.returns);
        case RolloutColumn::Advantage:
            return number(rollout.advantage);
        case RolloutColumn::Ratio:
            return number(rollout.ratio);
        case RolloutColumn::Entropy:
            return number(rollout.entropy);
    }
    return 0;
}

const FilterFields& RolloutFilter::fields() {
    static const FilterFields kFields = makeRolloutFields();
    return kFields;
}

RolloutFilter::RolloutFilter(const QString& text)
    : m_root(readFilter(text.toStdString(), fields())) {}

bool RolloutFilter::holds(const RolloutCopy& rollout, std::uint32_t row) const {
    if (!m_root) return true;
    const auto numberOf = [&](const FilterOperand& side) {
        return side.field < 0 ? side.number.value_or(0)
                              : rolloutNumber(rollout, row, static_cast<RolloutColumn>(side.field));
    };
    return filterHolds(*m_root, [&](const FilterNode& leaf) {
        const double left = numberOf(leaf.left);
        return !std::isnan(left) && compares(left, leaf.sign, numberOf(leaf.right));
    });
}

std::optional<std::vector<std::uint32_t>> shownRows(const RolloutCopy& rollout,
                                                    const RolloutFilter& filter,
                                                    const RolloutOrder& order,
                                                    const std::stop_token& stop) {
    const auto all = static_cast<std::uint32_t>(rollout.rows());
    std::vector<std::uint32_t> rows;
    if (filter.isEmpty()) rows.reserve(all);
    for (std::uint32_t row = 0; row < all; ++row) {
        if (row % kRowsBetweenLooks == 0 && stop.stop_requested()) return std::nullopt;
        if (filter.holds(rollout, row)) rows.push_back(row);
    }
    if (order == RolloutOrder()) return rows;
    // Numbers beside their rows: sorting does not look into the rollout again.
    std::vector<std::pair<double, std::uint32_t>> keys;
    keys.reserve(rows.size());
    std::vector<std::uint32_t> unknown;
    for (const std::uint32_t row : rows) {
        const double number = rolloutNumber(rollout, row, order.column);
        if (std::isnan(number))
            unknown.push_back(row);
        else
            keys.emplace_back(order.isDown ? -number : number, row);
    }
    if (stop.stop_requested()) return std::nullopt;
    std::ranges::sort(keys);
    rows.clear();
    for (const auto& [number, row] : keys) rows.push_back(row);
    rows.insert(rows.end(), unknown.begin(), unknown.end());
    return rows;
}

}  // namespace orrery
