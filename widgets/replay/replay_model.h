#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "widgets/common/table_model.h"
#include "widgets/replay/replay_source.h"

namespace orrery {

/// A TD error and the training step of the values that it is of.
struct TdErrorAt {
    double error = 0;
    std::int64_t step = 0;
};

/// Transitions from the same state with the same joint robot action have one TD error.
inline std::uint64_t tdErrorKey(const StoredTransition& row) {
    return std::uint64_t{row.model} << 32U | static_cast<std::uint32_t>(row.robotAction);
}
using TdErrorTable = std::unordered_map<std::uint64_t, TdErrorAt>;

/// The transitions of a frozen buffer that a filter leaves, the newest first or in another order.
/// Nothing is kept a row but its place, and nothing at all without a filter and an order; TD errors
/// are kept of the transitions that were asked for. GUI thread only.
class ReplayModel : public TableModel {
    Q_OBJECT

public:
    enum Column {
        Number,
        Before,
        RobotAction,
        HumanActions,
        After,
        Goals,
        Actor,
        Episode,
        Step,
        Age,
        Stage,
        Alike,
        TdError,
        Ends,
        NumColumns
    };
    enum Role {
        StateRole = Qt::UserRole + 1,  ///< uint: state of Before and After
        LayoutRole,                    ///< int: its world
        ErrorShareRole,                ///< double in [0, 1]: its TD error beside the largest known
    };

    explicit ReplayModel(QObject* parent = nullptr);

    /// Null: no rows.
    void setSource(std::shared_ptr<const ReplaySource> source);
    /// Places in the source of the rows that are shown; nothing: all of them.
    void setShown(std::optional<std::vector<std::uint32_t>> places);
    const std::shared_ptr<const ReplaySource>& source() const { return m_source; }
    bool isFiltered() const { return m_places.has_value(); }

    /// Its place in the source, 0 the oldest.
    std::size_t placeOf(int row) const {
        return m_places ? (*m_places)[static_cast<std::size_t>(row)]
                        : m_source->size() - 1 - static_cast<std::size_t>(row);
    }
    /// The row of a place; -1 if it is not shown.
    int rowOf(std::size_t place) const;

    /// TD errors of transitions as of a training step; they stay until another source is set.
    void addErrors(std::span<const std::uint32_t> places, std::span<const double> errors,
                   std::int64_t step);
    bool hasError(std::size_t place) const { return errorOf(place) != nullptr; }
    const TdErrorTable& errors() const { return m_errors; }

protected:
    int numRows() const override;
    QString text(int row, int column) const override;
    QVariant extra(int row, int column, int role) const override;

private:
    const TdErrorAt* errorOf(std::size_t place) const;
    QString errorTip(std::size_t place) const;

    std::shared_ptr<const ReplaySource> m_source;
    std::optional<std::vector<std::uint32_t>> m_places;
    TdErrorTable m_errors;
    double m_largestError = 0;  ///< of their sizes
};

/// How the rows are ordered; as it is made: the newest first.
struct ReplayOrder {
    int column = ReplayModel::Number;
    Qt::SortOrder order = Qt::DescendingOrder;
    bool operator==(const ReplayOrder&) const = default;
};

/// True for columns of numbers, which stand at the right.

}  // namespace orrery
