// What a WorkCanvas tells of itself: its places on the screen and its figures.
#include "widgets/imgui/work_canvas.h"

namespace orrery {

std::vector<NamedSpot> WorkCanvas::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (m_scene.isEmpty()) return spots;
    spots.push_back({QStringLiteral("plot"), m_scene.plot().toAlignedRect()});
    spots.push_back({QStringLiteral("overview"), m_scene.overview().toAlignedRect()});
    for (int thread = 0; thread < m_scene.numLanes(); ++thread) {
        const QRectF lane = m_scene.lane(thread);
        for (const WorkScene::Box& box : m_scene.boxes(thread)) {
            const WorkInterval& i =
                m_scene.timeline()->intervals[static_cast<std::size_t>(box.interval)];
            const QRectF rect =
                QRectF(box.left, lane.top() + 4, box.right - box.left, lane.height() - 8)
                    .intersected(lane);
            spots.push_back({QStringLiteral("block %1").arg(box.interval),
                             rect.toAlignedRect(),
                             {{QStringLiteral("thread"), thread},
                              {QStringLiteral("kind"), QString::fromLatin1(nameOf(i.kind))},
                              {QStringLiteral("level"), i.level},
                              {QStringLiteral("states"), static_cast<qint64>(i.states)},
                              {QStringLiteral("current"), i.holds(currentLevel())}}});
        }
    }
    return spots;
}

QJsonObject WorkCanvas::spotFacts() const {
    return {{QStringLiteral("threads"), m_scene.numLanes()},
            {QStringLiteral("intervals"),
             m_scene.timeline() ? static_cast<qint64>(m_scene.timeline()->intervals.size()) : 0},
            {QStringLiteral("beginNs"), m_scene.beginNs()},
            {QStringLiteral("endNs"), m_scene.endNs()},
            {QStringLiteral("live"), m_isLive},
            {QStringLiteral("frames"), static_cast<qint64>(numFrames())}};
}

}  // namespace orrery
