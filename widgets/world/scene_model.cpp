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
    std::vector<QStringList> rows;
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
            QStringList row(NumColumns);
            row[X] = QString::number(x);
            row[Y] = QString::number(y);
            row[Things] = cell.things.join(QStringLiteral(", "));
            row[Agents] = cell.agents.join(QStringLiteral(", "));
            row[Goals] = cell.goals.join(QStringLiteral(", "));
            if (heat.count > 0) {
                row[Value] = valueText(heat.value);
                row[States] = QString::number(heat.count);
            }
            if (visits.count > 0) row[Visits] = valueText(visits.value);
            rows.push_back(std::move(row));
        }
    setContent({{tr("x"), CellFace::Number},
                {tr("y"), CellFace::Number},
                {tr("things")},
                {tr("agents")},
                {tr("goals")},
                {valueName.isEmpty() ? tr("value") : valueName, CellFace::Number},
                {tr("states"), CellFace::Number},
                {tr("visits"), CellFace::Number}},
               std::move(rows));
}

}  // namespace orrery
