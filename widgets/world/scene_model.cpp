#include "widgets/world/scene_model.h"

#include <QStringList>

#include "widgets/common/number_text.h"

namespace orrery {

namespace {

struct CellLists {
    QStringList things, agents, goals;
};

/// [height * width], row by row.
std::vector<CellLists> listsOf(const WorldScene& scene) {
    std::vector<CellLists> cells(static_cast<std::size_t>(scene.width) *
                                 static_cast<std::size_t>(scene.height));
    const auto at = [&](int x, int y) -> CellLists& {
        return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(scene.width) +
                     static_cast<std::size_t>(x)];
    };
    for (const Piece& piece : scene.pieces) {
        if (piece.kind == PieceKind::Floor) continue;
        CellLists& cell = at(piece.x, piece.y);
        if (piece.kind == PieceKind::Agent)
            cell.agents << scene.letters[static_cast<std::size_t>(piece.agent)];
        else if (piece.kind == PieceKind::Number)
            cell.things << SceneModel::tr("density %1").arg(piece.number);
        else
            cell.things << QString::fromLatin1(pieceName(piece.kind));
    }
    for (const GoalMark& goal : scene.goals)
        for (int y = goal.where.y1; y <= goal.where.y2; ++y)
            for (int x = goal.where.x1; x <= goal.where.x2; ++x)
                at(x, y).goals << goal.letter + QString::number(goal.goal + 1);
    return cells;
}

}  // namespace

void SceneModel::setScene(const WorldScene& scene, const QString& valueName) {
    beginResetModel();
    m_rows.clear();
    m_valueName = valueName;
    const std::vector<CellLists> cells = listsOf(scene);
    for (int y = 0; y < scene.height; ++y)
        for (int x = 0; x < scene.width; ++x) {
            const CellLists& cell =
                cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(scene.width) +
                      static_cast<std::size_t>(x)];
            const HeatCell heat = scene.heat ? scene.heat->at(x, y) : HeatCell{};
            const HeatCell visits = scene.visits ? scene.visits->at(x, y) : HeatCell{};
            if (cell.things.isEmpty() && cell.agents.isEmpty() && cell.goals.isEmpty() &&
                heat.count == 0 && visits.count == 0)
                continue;
            CellRow row;
            row.text[X] = QString::number(x);
            row.text[Y] = QString::number(y);
            row.text[Things] = cell.things.join(QStringLiteral(", "));
            row.text[Agents] = cell.agents.join(QStringLiteral(", "));
            row.text[Goals] = cell.goals.join(QStringLiteral(", "));
            if (heat.count > 0) {
                row.text[Value] = valueText(heat.value);
                row.text[States] = QString::number(heat.count);
            }
            if (visits.count > 0) row.text[Visits] = valueText(visits.value);
            m_rows.push_back(std::move(row));
        }
    endResetModel();
}

int SceneModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SceneModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : NumColumns;
}

QVariant SceneModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !checkIndex(index)) return {};
    if (role == Qt::DisplayRole)
        return m_rows[static_cast<std::size_t>(index.row())].text[index.column()];
    const bool isText =
        index.column() == Things || index.column() == Agents || index.column() == Goals;
    if (role == Qt::TextAlignmentRole && !isText)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant SceneModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case X:
            return tr("x");
        case Y:
            return tr("y");
        case Things:
            return tr("things");
        case Agents:
            return tr("agents");
        case Goals:
            return tr("goals");
        case Value:
            return m_valueName.isEmpty() ? tr("value") : m_valueName;
        case States:
            return tr("states");
        case Visits:
            return tr("visits");
        default:
            return {};
    }
}

}  // namespace orrery
