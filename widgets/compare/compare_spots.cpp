#include "widgets/compare/difference_view.h"

namespace orrery {

std::vector<NamedSpot> DifferenceCanvas::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (!m_scene || !m_scene->heat) return spots;
    const WorldLayout layout = layoutNow();
    for (int y = 0; y < m_scene->height; ++y)
        for (int x = 0; x < m_scene->width; ++x) {
            const HeatCell& cell = m_scene->heat->at(x, y);
            if (cell.count == 0) continue;
            spots.push_back(
                {QStringLiteral("cell %1,%2").arg(x).arg(y),
                 layout.cellRect(x, y).toAlignedRect(),
                 {{QStringLiteral("value"), cell.value},
                  {QStringLiteral("color"), heatColor(*m_scene->heat, cell.value).name()}}});
        }
    if (!layout.colorBar.isEmpty())
        spots.push_back({QStringLiteral("color bar"),
                         layout.colorBar.toAlignedRect(),
                         {{QStringLiteral("low"), m_scene->heat->low},
                          {QStringLiteral("high"), m_scene->heat->high}}});
    return spots;
}

}  // namespace orrery
