#include "widgets/explore/outcome_heat_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/common/color_map.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"

namespace orrery {

namespace {

constexpr qsizetype kNumAxes = 2;

/// The values of a parameter, numbers by size, texts after them by the alphabet.
QStringList valuesOf(const OutcomeTable& table, int axis) {
    std::vector<std::pair<double, QString>> values;
    for (const OutcomeTable::Run& run : table.runs) {
        const double number = run.numbers[axis];
        values.emplace_back(std::isnan(number) ? std::numeric_limits<double>::infinity() : number,
                            run.texts[axis]);
    }
    std::ranges::sort(values);
    QStringList texts;
    for (const auto& [number, text] : values)
        if (!texts.contains(text)) texts << text;
    return texts;
}

QString whyMissing(const OutcomeTable::Run& run) {
    if (!run.state || *run.state == RunState::Finished) return QObject::tr("no value");
    return runStateText(run.state);
}

}  // namespace

void OutcomeHeatModel::setContent(const OutcomeTable& table, const QString& resultKey,
                                  bool isTurned) {
    beginResetModel();
    m_axes = {QString(), QString()};
    for (QStringList& values : m_values) values.clear();
    m_cells.clear();
    m_texts.clear();
    m_result.clear();
    m_low = m_high = 0;
    m_numKnown = m_numMissing = 0;
    if (table.axes.size() == kNumAxes) fill(table, resultKey, isTurned);
    setColumns(std::vector<TableColumn>(static_cast<std::size_t>(m_values[1].size())));
    endResetModel();
}

void OutcomeHeatModel::fill(const OutcomeTable& table, const QString& resultKey, bool isTurned) {
    const auto result = std::ranges::find(table.results, resultKey, &OutcomeTable::Result::key);
    if (result == table.results.end()) return;
    m_result = result->title;
    const int axis[2] = {isTurned ? 1 : 0, isTurned ? 0 : 1};
    for (int k = 0; k < 2; ++k) {
        m_axes[k] = table.axes[axis[k]];
        m_values[k] = valuesOf(table, axis[k]);
    }
    const auto columns = static_cast<std::size_t>(m_values[1].size());
    m_cells.resize(static_cast<std::size_t>(m_values[0].size()) * columns);
    for (const OutcomeTable::Run& run : table.runs) {
        const auto row = static_cast<std::size_t>(m_values[0].indexOf(run.texts[axis[0]]));
        const auto column = static_cast<std::size_t>(m_values[1].indexOf(run.texts[axis[1]]));
        Cell& cell = m_cells[row * columns + column];
        ++cell.numRuns;
        if (!run.id.isEmpty()) cell.runIds << run.id;
        const auto known = run.results.find(resultKey);
        if (known != run.results.end() && std::isfinite(*known)) {
            cell.value += (*known - cell.value) / ++cell.numKnown;
        } else if (cell.missing.isEmpty()) {
            cell.missing = known == run.results.end() ? whyMissing(run) : valueText(*known);
        }
    }
    std::vector<double> values;
    for (Cell& cell : m_cells) {
        if (cell.numKnown > 0) values.push_back(cell.value);
        if (cell.numRuns == 0) cell.missing = tr("no run");
    }
    m_numKnown = static_cast<int>(values.size());
    m_numMissing = static_cast<int>(m_cells.size() - values.size());
    if (!values.empty()) {
        const auto [least, most] = std::ranges::minmax(values);
        m_low = least;
        m_high = most;
    }
    const NumberFormat format = columnFormat(values);
    for (const Cell& cell : m_cells)
        m_texts.push_back(cell.numKnown > 0 ? valueText(cell.value, format) : cell.missing);
}

QColor OutcomeHeatModel::colorOf(double value) const {
    return sequentialColor(m_high > m_low ? (value - m_low) / (m_high - m_low) : 1);
}

QModelIndex OutcomeHeatModel::indexOf(const QString& runId) const {
    if (runId.isEmpty()) return {};
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (cell(row, column).runIds.contains(runId)) return index(row, column);
    return {};
}

QString OutcomeHeatModel::tsv() const {
    QStringList lines;
    QStringList head{QStringLiteral("%1 \\ %2").arg(rowAxis(), columnAxis())};
    lines << (head + m_values[1]).join(u'\t');
    for (int row = 0; row < rowCount(); ++row) {
        QStringList line{rowValue(row)};
        for (int column = 0; column < columnCount(); ++column) {
            const Cell& one = cell(row, column);
            line << (one.numKnown > 0 ? QString::number(one.value, 'g', 17) : QString());
        }
        lines << line.join(u'\t');
    }
    return lines.join(u'\n') + u'\n';
}

/// "beta_r 5, zeta 2: V_r −5.151, exact, mean of 5 runs".
QString OutcomeHeatModel::describe(int row, int column) const {
    const Cell& one = cell(row, column);
    const QString where = QStringLiteral("%1 %2, %3 %4")
                              .arg(rowAxis(), rowValue(row), columnAxis(), columnValue(column));
    if (one.numKnown == 0) return QStringLiteral("%1: %2").arg(where, one.missing);
    const QString text =
        QStringLiteral("%1: %2 %3, %4").arg(where, m_result, valueText(one.value, 6), tr("exact"));
    if (one.numRuns == 1)
        return one.runIds.isEmpty() ? text : text + tr(", run %1").arg(one.runIds.front());
    if (one.numKnown == one.numRuns) return text + tr(", mean of %1 runs").arg(one.numRuns);
    return text + tr(", mean of %1 of %2 runs").arg(one.numKnown).arg(one.numRuns);
}

QVariant OutcomeHeatModel::extra(int row, int column, int role) const {
    const Cell& one = cell(row, column);
    switch (role) {
        case Qt::EditRole:  // for tables in files
            return one.numKnown > 0 ? QVariant(one.value) : QVariant();
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignCenter);
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return describe(row, column);
        case FillRole:
            return one.numKnown > 0 ? QVariant(colorOf(one.value)) : QVariant();
        case CountRole:
            if (one.numKnown == 0 || one.numRuns == 1) return {};
            return one.numKnown == one.numRuns ? tr("n %1").arg(one.numRuns)
                                               : tr("%1 of %2").arg(one.numKnown).arg(one.numRuns);
        case RunRole:
            return one.runIds.isEmpty() ? QString() : one.runIds.front();
        default:
            return {};
    }
}

QVariant OutcomeHeatModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const QStringList& values = m_values[orientation == Qt::Vertical ? 0 : 1];
    if (section < 0 || section >= values.size()) return {};
    if (role == Qt::DisplayRole) return values[section];
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return QStringLiteral("%1 %2").arg(orientation == Qt::Vertical ? rowAxis() : columnAxis(),
                                           values[section]);
    return {};
}

}  // namespace orrery
