#include "widgets/explore/sweep_model.h"

#include <cmath>

#include "widgets/common/number_text.h"
#include "widgets/common/run_mark.h"

namespace orrery {

namespace {

/// The key of a human's X_h, as stored runs have it.
QString powerKey(std::size_t human) {
    return human == 0 ? QStringLiteral("x_h") : QStringLiteral("x_h_%1").arg(human + 1);
}

/// After the parameters.
enum Column { kState, kValue, kSeconds };

double numberOf(const FieldValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return *number;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::nan("");
}

}  // namespace

void SweepModel::setSweep(const std::vector<SweepAxis>& axes, const std::vector<RunSpec>& specs) {
    beginResetModel();
    m_axes.clear();
    std::vector<TableColumn> columns;
    for (const SweepAxis& axis : axes) {
        m_axes << QString::fromStdString(axis.field);
        columns.push_back({m_axes.back(), CellFace::Number});
    }
    columns.push_back({tr("State")});
    columns.push_back({QStringLiteral("Vᵣ"), CellFace::Number});
    columns.push_back({tr("Time"), CellFace::Number});
    setColumns(std::move(columns));
    m_texts.assign(specs.size(), {});
    m_numbers.assign(specs.size(), {});
    m_members.assign(specs.size(), {});
    m_humans.clear();
    for (std::size_t k = 0; k < specs.size(); ++k)
        for (const SweepAxis& axis : axes) {
            const FieldValue value = findField("solve", axis.field)->get(specs[k]);
            const double number = numberOf(value);
            m_texts[k] << (std::isfinite(number) ? QString::number(number, 'g', 12)
                                                 : QString::fromStdString(fieldText(value)));
            m_numbers[k] << number;
        }
    endResetModel();
}

void SweepModel::setSnapshot(const QueueSnapshot& snapshot) {
    if (snapshot.members.size() != m_members.size()) return;
    m_members = snapshot.members;
    m_humans.clear();
    if (snapshot.world)
        for (const HumanGoals& goals : snapshot.world->goals())
            m_humans << QString::fromStdString(
                snapshot.world->agents()[static_cast<std::size_t>(goals.agent)].name);
    tellCells();
}

bool SweepModel::isLive(int row) const {
    return row >= 0 && row < rowCount() &&
           orrery::isLive(m_members[static_cast<std::size_t>(row)].state);
}

QStringList SweepModel::runIds() const {
    QStringList ids;
    for (const QueueMember& member : m_members)
        if (!member.id.empty()) ids << QString::fromStdString(member.id);
    return ids;
}

OutcomeTable SweepModel::outcome() const {
    OutcomeTable table;
    table.axes = m_axes;
    table.results = {{QStringLiteral("v_r"), QStringLiteral("V_r")},
                     {QStringLiteral("u_r"), QStringLiteral("U_r")}};
    for (qsizetype h = 0; h < m_humans.size(); ++h)
        table.results.push_back(
            {powerKey(static_cast<std::size_t>(h)), QStringLiteral("X_h %1").arg(m_humans[h])});
    for (std::size_t k = 0; k < m_members.size(); ++k) {
        const QueueMember& member = m_members[k];
        OutcomeTable::Run run{
            QString::fromStdString(member.id), m_texts[k], m_numbers[k], {}, member.state};
        if (member.root) {
            run.results.insert(QStringLiteral("v_r"), member.root->v_r);
            run.results.insert(QStringLiteral("u_r"), member.root->u_r);
            for (std::size_t h = 0; h < member.root->x_h.size(); ++h)
                run.results.insert(powerKey(h), member.root->x_h[h]);
        }
        table.runs.push_back(std::move(run));
    }
    return table;
}

QString SweepModel::text(int row, int column) const {
    const QueueMember& member = m_members[static_cast<std::size_t>(row)];
    if (column < m_axes.size()) return m_texts[static_cast<std::size_t>(row)][column];
    switch (column - m_axes.size()) {
        case kState:
            return runStateText(member.state);
        case kValue:
            return member.root ? valueText(member.root->v_r) : QString();
        default:
            return member.seconds > 0 ? durationText(member.seconds) : QString();
    }
}

QVariant SweepModel::extra(int row, int column, int role) const {
    Q_UNUSED(column)
    if (role != Qt::ToolTipRole) return {};
    const QueueMember& member = m_members[static_cast<std::size_t>(row)];
    return QString::fromStdString(member.text.empty() ? member.name
                                                      : member.name + ": " + member.text);
}

}  // namespace orrery
