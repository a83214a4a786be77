#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/compare/run_sheet.h"

namespace orrery {

/// The runs that a filter leaves as lines of a table, grouped if wished: a group's line has its
/// name, n, what differs in it, and the means of its results. Nothing is kept a cell, so 10^4 runs
/// cost a few integers each. Column 0 is the run with its check box; the others are chosen. No
/// TableModel: cells are edited and checked, headings and how a cell stands come from the sheet.
/// GUI thread only.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        GroupRole = Qt::UserRole + 1,  ///< bool: the line of a group
        OpenRole,                      ///< bool: a group that shows its runs
        CountRole,                     ///< n of a group
        DifferenceRole,                ///< " · differ in beta_r", of a group; empty if in nothing
        ColorRole,                     ///< palette index of a compared run or group; -1: none
        RowRole,                       ///< row of the sheet; -1: a group
        NumberRole,                    ///< bool: set in the number face at the right
        CurrentRole,                   ///< bool
        TrashRole,                     ///< bool: in the trash
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setSheet(std::shared_ptr<const RunSheet> sheet);
    const std::shared_ptr<const RunSheet>& sheet() const { return m_sheet; }
    /// Rows of the sheet that are shown, in its order.
    void setShown(std::vector<int> rows);
    const std::vector<int>& shown() const { return m_shown; }
    /// Keys of the columns right of the run.
    void setColumns(const QStringList& keys);
    const QStringList& columns() const { return m_columns; }
    /// Key to group by; empty: no groups.
    void setGroup(const QString& key);
    const QString& group() const { return m_group; }
    void setSort(const QString& key, Qt::SortOrder order);
    const QString& sortKey() const { return m_sortKey; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    void setChecked(const QSet<QString>& runIds);
    const QSet<QString>& checked() const { return m_checked; }
    void setColors(const QHash<int, int>& colorOfRow);
    void setCurrent(const QString& runId);
    void toggleOpen(int line);

    /// Row of the sheet; -1 for a group's line.
    int rowOf(int line) const { return m_lines[static_cast<std::size_t>(line)].row; }
    int lineOf(int row) const;  ///< -1 if it is not shown
    /// Rows of the group that a line begins, or the one row of a run's line.
    std::vector<int> rowsOf(int line) const;
    /// Numbers as one of their means, in the column's style.
    static QString numberText(const SheetColumn& column, double value);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void checkedByPerson(const QSet<QString>& runIds);
    /// A person typed another text; `key` is "name", "note" or "tag".
    void edited(const QString& runId, const QString& key, const QString& text);
    void sortChanged();

private:
    struct Group {
        QString name;
        std::vector<int> rows;
        bool isOpen = true;
        /// " · differ in world, beta_r"; empty if in the seed alone, none: not asked for yet.
        mutable std::optional<QString> difference = {};
    };
    struct Line {
        int group = -1;
        int row = -1;
    };

    void rebuild();
    void makeGroups();
    void sortRows(std::vector<int>& rows) const;
    const SheetColumn* columnAt(int section) const;
    QString idOf(int row) const;
    double meanOf(const Group& group, const SheetColumn& column) const;
    QString commonText(const Group& group, const SheetColumn& column) const;
    const QString& differenceText(const Group& group) const;
    QVariant groupData(const Group& group, int section, int role) const;
    QVariant runData(int row, int section, int role) const;
    void dataOfAllChanged();

    std::shared_ptr<const RunSheet> m_sheet;
    std::vector<int> m_shown;
    QStringList m_columns;
    QString m_group, m_sortKey, m_current;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    QSet<QString> m_checked, m_closed;  ///< ids; names of closed groups
    QHash<int, int> m_colors;
    std::vector<Group> m_groups;
    std::vector<Line> m_lines;
};

}  // namespace orrery
