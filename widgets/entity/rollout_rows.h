#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/filter/filter_fields.h"
#include "core/filter/filter_tree.h"
#include "core/train/rollout_desk.h"

namespace orrery {

/// What a row of a rollout says.
enum class RolloutColumn : std::uint8_t {
    Row,
    Env,
    Step,
    Reward,
    Done,
    Truncated,
    Value,
    Return,
    Advantage,
    Ratio,
    Entropy,
};
inline constexpr int kNumRolloutColumns = 11;

QString rolloutHeading(RolloutColumn column);
/// NaN where it is not known; truths are 1 and 0.
double rolloutNumber(const RolloutCopy& rollout, std::uint32_t row, RolloutColumn column);

/// A condition on rows, such as "done and advantage < 0" (core/filter/read_filter.h). Empty text:
/// all rows. Immutable; any thread.
class RolloutFilter {
public:
    /// @throws FilterError
    explicit RolloutFilter(const QString& text);

    static const FilterFields& fields();
    bool holds(const RolloutCopy& rollout, std::uint32_t row) const;
    bool isEmpty() const { return !m_root; }

private:
    std::optional<FilterNode> m_root;
};

/// How rows are ordered; what is not known comes last.
struct RolloutOrder {
    RolloutColumn column = RolloutColumn::Row;
    bool isDown = false;
    bool operator==(const RolloutOrder&) const = default;
};

/// The rows for which a filter holds, in an order. @return nothing if stopped
std::optional<std::vector<std::uint32_t>> shownRows(const RolloutCopy& rollout,
                                                    const RolloutFilter& filter,
                                                    const RolloutOrder& order,
                                                    const std::stop_token& stop);

}  // namespace orrery
