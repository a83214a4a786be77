#include "widgets/bridge/plan_session.h"
#include "widgets/common/selection.h"
#include "widgets/world/play_mode.h"
#include "widgets/world/timeline_ruler.h"
#include "widgets/world/world_view.h"

namespace orrery {

std::vector<NamedSpot> WorldView::namedSpots() const {
    std::vector<NamedSpot> spots;
    const WorldLayout layout = worldLayout();
    for (int y = 0; y < m_scene.height; ++y)
        for (int x = 0; x < m_scene.width; ++x) {
            const QRect cell = layout.cellRect(x, y).toAlignedRect();
            if (!cell.intersects(rect())) continue;
            QJsonObject facts{{QStringLiteral("text"), cellText(QPoint(x, y))}};
            if (m_scene.heat && m_scene.heat->at(x, y).count > 0) {
                const double value = m_scene.heat->at(x, y).value;
                facts.insert(QStringLiteral("value"), value);
                facts.insert(QStringLiteral("color"), heatColor(*m_scene.heat, value).name());
            }
            for (const Piece& piece : m_scene.pieces)
                if (piece.kind == PieceKind::Agent && piece.x == x && piece.y == y)
                    facts.insert(QStringLiteral("agent"), piece.agent);
            for (const QPoint& changed : m_scene.changed)
                if (changed == QPoint(x, y)) facts.insert(QStringLiteral("changed"), true);
            if (m_scene.current == QPoint(x, y)) facts.insert(QStringLiteral("current"), true);
            spots.push_back({QStringLiteral("cell %1,%2").arg(x).arg(y), cell, facts});
        }
    if (m_scene.heat && !layout.colorBar.isEmpty())
        spots.push_back({QStringLiteral("color bar"),
                         layout.colorBar.toAlignedRect(),
                         {{QStringLiteral("low"), m_scene.heat->low},
                          {QStringLiteral("high"), m_scene.heat->high}}});
    int ghost = 0;
    for (const Ghost& each : m_scene.ghosts)
        spots.push_back({QStringLiteral("ghost %1").arg(ghost++),
                         layout.cellRect(each.piece.x, each.piece.y).toAlignedRect(),
                         {{QStringLiteral("probability"), each.probability},
                          {QStringLiteral("agent"), each.piece.agent}}});
    return spots;
}

QJsonObject WorldView::spotFacts() const {
    return {
        {QStringLiteral("width"), m_scene.width},
        {QStringLiteral("height"), m_scene.height},
        {QStringLiteral("zoom"), m_zoom},
        {QStringLiteral("playing"), m_play->isOn()},
        {QStringLiteral("trial"), m_session->trial().has_value()},
        {QStringLiteral("ghosts"), static_cast<qint64>(m_scene.ghosts.size())},
        {QStringLiteral("heat"),
         m_scene.heat ? QString::fromLatin1(symbolOf(m_scene.heat->request.quantity)) : QString()},
        {QStringLiteral("arrows"), m_scene.arrows != nullptr},
        {QStringLiteral("working"), isComputingHeat()}};
}

std::vector<NamedSpot> TimelineRuler::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (std::size_t k = 0; k < m_session->walk().size(); ++k) {
        const int step = m_session->walk()[k].state.step;
        const int x = static_cast<int>(positionOf(step));
        spots.push_back({QStringLiteral("step %1").arg(step),
                         QRect(x - 2, 0, 5, height()),
                         {{QStringLiteral("current"), k == m_session->walkIndex()}}});
    }
    return spots;
}

QJsonObject TimelineRuler::spotFacts() const {
    return {{QStringLiteral("moments"), static_cast<qint64>(m_session->walk().size())},
            {QStringLiteral("current"), static_cast<qint64>(m_session->walkIndex())}};
}

}  // namespace orrery
