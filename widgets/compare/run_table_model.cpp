#include "widgets/compare/run_table_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/compare/compare_set.h"

namespace orrery {

namespace {

std::size_t place(int index) {
    return static_cast<std::size_t>(index);
}

/// The keys under which a run stands in a grouped table: one each of its tags.
QStringList groupNames(const RunSheet& sheet, const SheetColumn& column, int row) {
    if (column.kind != SheetKind::Tags) return {column.text[place(row)]};
    QStringList names;
    for (const std::string& tag : sheet.runs[place(row)].tags) names << QString::fromStdString(tag);
    return names.isEmpty() ? QStringList{QString()} : names;
}

}  // namespace

void RunTableModel::setSheet(std::shared_ptr<const RunSheet> sheet) {
    m_sheet = std::move(sheet);
    std::erase_if(m_shown, [&](int row) { return !m_sheet || row >= m_sheet->size(); });
    rebuild();
}

void RunTableModel::setShown(std::vector<int> rows) {
    m_shown = std::move(rows);
    rebuild();
}

void RunTableModel::setColumns(const QStringList& keys) {
    if (keys == m_columns) return;
    beginResetModel();
    m_columns = keys;
    endResetModel();
}

void RunTableModel::setGroup(const QString& key) {
    if (key == m_group) return;
    m_group = key;
    m_closed.clear();
    rebuild();
}

void RunTableModel::setSort(const QString& key, Qt::SortOrder order) {
    if (key == m_sortKey && order == m_sortOrder) return;
    m_sortKey = key;
    m_sortOrder = order;
    rebuild();
    Q_EMIT sortChanged();
}

void RunTableModel::setChecked(const QSet<QString>& runIds) {
    if (runIds == m_checked) return;
    m_checked = runIds;
    dataOfAllChanged();
}

void RunTableModel::setColors(const QHash<int, int>& colorOfRow) {
    if (colorOfRow == m_colors) return;
    m_colors = colorOfRow;
    dataOfAllChanged();
}

void RunTableModel::setCurrent(const QString& runId) {
    if (runId == m_current) return;
    m_current = runId;
    dataOfAllChanged();
}

void RunTableModel::dataOfAllChanged() {
    if (!m_lines.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void RunTableModel::toggleOpen(int line) {
    const Line& at = m_lines[place(line)];
    if (at.row >= 0) return;
    const QString& name = m_groups[place(at.group)].name;
    if (!m_closed.remove(name)) m_closed.insert(name);
    rebuild();
}

void RunTableModel::rebuild() {
    beginResetModel();
    makeGroups();
    m_lines.clear();
    for (int g = 0; g < static_cast<int>(m_groups.size()); ++g) {
        const Group& group = m_groups[place(g)];
        if (!m_group.isEmpty()) m_lines.push_back({g, -1});
        if (!group.isOpen) continue;
        for (const int row : group.rows) m_lines.push_back({g, row});
    }
    endResetModel();
}

void RunTableModel::makeGroups() {
    m_groups.clear();
    if (!m_sheet) return;
    const SheetColumn* column = m_group.isEmpty() ? nullptr : m_sheet->column(m_group);
    if (column == nullptr) {
        m_groups.push_back({{}, m_shown, true});
    } else {
        QHash<QString, std::size_t> known;
        for (const int row : m_shown)
            for (const QString& name : groupNames(*m_sheet, *column, row)) {
                const auto found = known.find(name);
                if (found == known.end()) {
                    known.insert(name, m_groups.size());
                    m_groups.push_back({name, {row}, !m_closed.contains(name)});
                } else {
                    m_groups[*found].rows.push_back(row);
                }
            }
        const bool isNumber = column->kind == SheetKind::Number;
        std::ranges::stable_sort(m_groups, [&](const Group& a, const Group& b) {
            if (!isNumber) return a.name.localeAwareCompare(b.name) < 0;
            return column->number[place(a.rows[0])] > column->number[place(b.rows[0])];
        });
    }
    for (Group& group : m_groups) sortRows(group.rows);
    const SheetColumn* sorted = m_sheet->column(m_sortKey);
    if (column != nullptr && sorted != nullptr && sorted->kind == SheetKind::Number)
        std::ranges::stable_sort(m_groups, [&](const Group& a, const Group& b) {
            const double left = meanOf(a, *sorted), right = meanOf(b, *sorted);
            return m_sortOrder == Qt::AscendingOrder ? left < right : left > right;
        });
}

void RunTableModel::sortRows(std::vector<int>& rows) const {
    const SheetColumn* column = m_sheet->column(m_sortKey);
    if (column == nullptr) return;
    const bool isUp = m_sortOrder == Qt::AscendingOrder;
    if (column->number.empty() || column->kind == SheetKind::Text) {
        std::ranges::stable_sort(rows, [&](int a, int b) {
            const int order = QString::compare(column->text[place(a)], column->text[place(b)],
                                               Qt::CaseInsensitive);
            return isUp ? order < 0 : order > 0;
        });
        return;
    }
    std::ranges::stable_sort(rows, [&](int a, int b) {  // runs without a number come last
        const double left = column->number[place(a)], right = column->number[place(b)];
        if (std::isnan(left) || std::isnan(right)) return !std::isnan(left) && std::isnan(right);
        return isUp ? left < right : left > right;
    });
}

int RunTableModel::lineOf(int row) const {
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        if (m_lines[line].row == row) return static_cast<int>(line);
    return -1;
}

std::vector<int> RunTableModel::rowsOf(int line) const {
    const Line& at = m_lines[place(line)];
    if (at.row >= 0) return {at.row};
    return m_groups[place(at.group)].rows;
}

QString RunTableModel::numberText(const SheetColumn& column, double value) {
    if (column.decimals == 0) return countText(static_cast<std::int64_t>(std::llround(value)));
    return column.decimals > 0 ? valueText(value, column.decimals)
                               : QString::number(value, 'g', 6).replace(u'-', u'−');
}

const SheetColumn* RunTableModel::columnAt(int section) const {
    if (!m_sheet) return nullptr;
    return m_sheet->column(section == 0 ? QStringLiteral("name") : m_columns[section - 1]);
}

QString RunTableModel::idOf(int row) const {
    return QString::fromStdString(m_sheet->runs[place(row)].id);
}

double RunTableModel::meanOf(const Group& group, const SheetColumn& column) const {
    double sum = 0;
    int count = 0;
    for (const int row : group.rows)
        if (!std::isnan(column.number[place(row)])) {
            sum += column.number[place(row)];
            ++count;
        }
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / count;
}

/// A parameter has no mean that would say anything: its value, or the ends of its range.
QString RunTableModel::commonText(const Group& group, const SheetColumn& column) const {
    const QString& first = column.text[place(group.rows.front())];
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    bool isOne = true;
    for (const int row : group.rows) {
        isOne = isOne && column.text[place(row)] == first;
        const double number = column.number[place(row)];
        if (std::isnan(number)) continue;
        low = std::min(low, number);
        high = std::max(high, number);
    }
    if (isOne) return first;
    if (column.kind != SheetKind::Number || !(low < high)) return tr("differs");
    return tr("%1 to %2").arg(numberText(column, low), numberText(column, high));
}

const QString& RunTableModel::differenceText(const Group& group) const {
    if (!group.difference) {
        const QStringList keys = differingKeys(*m_sheet, group.rows);
        group.difference =
            keys.isEmpty() ? QString() : tr(" · differ in %1").arg(keys.join(QStringLiteral(", ")));
    }
    return *group.difference;
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_columns.size());
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Line& line = m_lines[place(index.row())];
    return line.row < 0 ? groupData(m_groups[place(line.group)], index.column(), role)
                        : runData(line.row, index.column(), role);
}

QVariant RunTableModel::groupData(const Group& group, int section, int role) const {
    const SheetColumn* column = columnAt(section);
    const bool isNumber = column != nullptr && column->kind == SheetKind::Number;
    const auto isChecked = [&](int row) { return m_checked.contains(idOf(row)); };
    switch (role) {
        case Qt::DisplayRole:
            if (section == 0) {
                const SheetColumn* by = m_sheet->column(m_group);
                const bool isNamed = by != nullptr && by->part != SheetPart::Identity;
                const QString name = group.name.isEmpty() ? tr("none") : group.name;
                return isNamed ? by->title + u' ' + name : name;
            }
            if (column == nullptr) return QString();
            if (column->part == SheetPart::Parameter) return commonText(group, *column);
            if (!isNumber || std::isnan(meanOf(group, *column))) return QString();
            return numberText(*column, meanOf(group, *column));
        case Qt::CheckStateRole:
            if (section != 0) return {};
            if (std::ranges::all_of(group.rows, isChecked)) return Qt::Checked;
            return std::ranges::any_of(group.rows, isChecked) ? Qt::PartiallyChecked
                                                              : Qt::Unchecked;
        case Qt::ToolTipRole:
            if (section == 0) return tr("n = %1").arg(group.rows.size()) + differenceText(group);
            if (column == nullptr || !isNumber) return {};
            return column->part == SheetPart::Parameter ? tr("values in the group")
                                                        : tr("mean of the group");
        case DifferenceRole:
            return differenceText(group);
        case GroupRole:
            return true;
        case OpenRole:
            return group.isOpen;
        case CountRole:
            return static_cast<int>(group.rows.size());
        case ColorRole: {
            const int color = m_colors.value(group.rows[0], -1);
            const bool isOne = std::ranges::all_of(
                group.rows, [&](int row) { return m_colors.value(row, -1) == color; });
            return isOne ? color : -1;
        }
        case RowRole:
            return -1;
        case NumberRole:
            return isNumber;
        default:
            return {};
    }
}

QVariant RunTableModel::runData(int row, int section, int role) const {
    const SheetColumn* column = columnAt(section);
    const RunRecord& run = m_sheet->runs[place(row)];
    switch (role) {
        case Qt::DisplayRole:
            if (section == 0) return m_sheet->nameOf(row);
            return column == nullptr ? QString() : column->text[place(row)];
        case Qt::EditRole:
            if (section == 0) return QString::fromStdString(run.name);
            return column == nullptr ? QString() : column->text[place(row)];
        case Qt::CheckStateRole:
            if (section != 0) return {};
            return m_checked.contains(idOf(row)) ? Qt::Checked : Qt::Unchecked;
        case Qt::ToolTipRole:
            return section == 0 ? QStringLiteral("%1%2").arg(
                                      runTitle(run.name, run.id),
                                      run.note.empty() ? QString()
                                                       : u'\n' + QString::fromStdString(run.note))
                                : QVariant();
        case GroupRole:
            return false;
        case ColorRole:
            return m_colors.value(row, -1);
        case RowRole:
            return row;
        case NumberRole:
            return column != nullptr && column->kind == SheetKind::Number;
        case CurrentRole:
            return idOf(row) == m_current;
        case TrashRole:
            return !run.trashedUtc.empty();
        default:
            return {};
    }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid()) return false;
    if (role == Qt::CheckStateRole && index.column() == 0) {
        QSet<QString> checked = m_checked;
        for (const int row : rowsOf(index.row())) {
            if (value.toInt() == Qt::Unchecked)
                checked.remove(idOf(row));
            else
                checked.insert(idOf(row));
        }
        setChecked(checked);
        Q_EMIT checkedByPerson(m_checked);
        return true;
    }
    const int row = rowOf(index.row());
    const SheetColumn* column = columnAt(index.column());
    if (role != Qt::EditRole || row < 0 || column == nullptr) return false;
    const QString text = value.toString().trimmed();
    if (text != data(index, Qt::EditRole).toString()) Q_EMIT edited(idOf(row), column->key, text);
    return true;
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == 0) flags |= Qt::ItemIsUserCheckable;
    const SheetColumn* column = columnAt(index.column());
    if (rowOf(index.row()) < 0 || column == nullptr) return flags;
    for (const char* key : {"name", "note", "tag"})
        if (column->key == QLatin1String(key)) flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const SheetColumn* column = columnAt(section);
    if (role == Qt::DisplayRole) {
        if (section == 0) return tr("Run");
        return column == nullptr ? m_columns[section - 1] : column->title;
    }
    if (role == NumberRole) return column != nullptr && column->kind == SheetKind::Number;
    return {};
}

void RunTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0) return;
    setSort(column == 0 ? QStringLiteral("name") : m_columns[column - 1], order);
}

}  // namespace orrery
