#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "widgets/replay/replay_source.h"

namespace orrery {

/// The transitions of a frozen buffer that a filter leaves, the newest first. Nothing is kept a
/// row but its place, and nothing at all without a filter; TD errors are kept of the rows that
/// somebody looked at. GUI thread only.
class ReplayModel : public QAbstractTableModel {
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
    };

    using QAbstractTableModel::QAbstractTableModel;

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
    bool hasError(std::size_t place) const {
        return m_errors.contains(static_cast<std::uint32_t>(place));
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    struct TdErrorAt {
        double error = 0;
        std::int64_t step = 0;  ///< training step of the values
    };
    QString text(std::size_t place, int column) const;
    QString errorTip(std::size_t place) const;

    std::shared_ptr<const ReplaySource> m_source;
    std::optional<std::vector<std::uint32_t>> m_places;     ///< descending
    std::unordered_map<std::uint32_t, TdErrorAt> m_errors;  ///< by place
};

/// True for columns of numbers, which stand at the right.
bool isNumberColumn(int column);

}  // namespace orrery
