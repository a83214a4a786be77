#include <QJsonArray>

#include "widgets/bridge/plan_session.h"
#include "widgets/world/edit_view.h"
#include "widgets/world/episode_strip.h"
#include "widgets/world/key_strip.h"
#include "widgets/world/palette.h"
#include "widgets/world/spec_edit.h"

namespace orrery {

std::vector<NamedSpot> EditView::namedSpots() const {
    std::vector<NamedSpot> spots;
    if (!m_editor->isOpen()) return spots;
    const WorldLayout layout = worldLayout();
    for (int y = 0; y < m_scene.height; ++y)
        for (int x = 0; x < m_scene.width; ++x) {
            const QRect cell = layout.cellRect(x, y).toAlignedRect();
            if (!cell.intersects(rect())) continue;
            const std::string code = codeAt(m_editor->spec(), QPoint(x, y));
            spots.push_back({QStringLiteral("cell %1,%2").arg(x).arg(y),
                             cell,
                             {{QStringLiteral("code"), QString::fromStdString(code)}}});
        }
    return spots;
}

std::vector<NamedSpot> Palette::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QString code = QString::fromStdString(codeOf(m_entries[i]));
        spots.push_back({.name = code,
                         .rect = entryRect(i).toAlignedRect(),
                         .tip = tr("%1  (%2)").arg(m_editor->nameOf(codeOf(m_entries[i])), code)});
    }
    return spots;
}

std::vector<NamedSpot> EpisodeStrip::namedSpots() const {
    std::vector<NamedSpot> spots;
    for (std::size_t i = 0; i < m_session->walk().size(); ++i)
        if (const QRectF box = momentRect(i); !box.isNull())
            spots.push_back({QStringLiteral("moment %1").arg(i), box.toAlignedRect()});
    return spots;
}

QJsonObject EpisodeStrip::spotFacts() const {
    return {{QStringLiteral("moments"), static_cast<qint64>(m_session->walk().size())},
            {QStringLiteral("previews"), static_cast<qint64>(numPreviews())}};
}

QJsonObject KeyStrip::spotFacts() const {
    QJsonArray entries;
    for (const Entry& entry : m_entries) entries.append(entry.caps + u' ' + entry.text);
    return {{QStringLiteral("keys"), entries}};
}

}  // namespace orrery
