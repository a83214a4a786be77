#include "widgets/entity/thing_table.h"

#include <algorithm>
#include <set>

#include "widgets/entity/entity_session.h"

namespace orrery {

ThingTable::ThingTable(EntitySession* session, QWidget* parent)
    : CellTable(QStringLiteral("entityThings"), parent), m_session(session) {
    setAccessibleName(tr("Things"));
    connect(session, &EntitySession::changed, this, &ThingTable::refresh);
    refresh();
}

void ThingTable::refresh() {
    const HandPlay* play = m_session->play();
    if (play == nullptr) return setTable({}, {});
    const EnvironmentSpaces& spaces = play->spaces();
    QStringList headers{tr("#"), tr("Type")};
    std::vector<std::string> features;
    for (const ObservedSpace& space : spaces.observations)
        if (space.kind == ObservedSpace::Kind::Entities)
            for (const std::string& feature : space.features)
                if (std::ranges::find(features, feature) == features.end())
                    features.push_back(feature);
    for (const std::string& feature : features) headers << QString::fromStdString(feature);
    headers << tr("Acts") << tr("Seen");
    std::vector<CellModel::Row> rows;
    const std::vector<ObservedThing>& things = play->things();
    for (std::size_t i = 0; i < things.size(); ++i) {
        const ObservedThing& thing = things[i];
        const ObservedSpace& space = spaces.observations[thing.space];
        CellModel::Row& row = rows.emplace_back();
        row.cells.push_back(CellModel::count(static_cast<double>(i)));
        row.cells.push_back(CellModel::word(QString::fromStdString(space.name)));
        for (const std::string& feature : features) {
            const auto own = std::ranges::find(space.features, feature);
            row.cells.push_back(
                own == space.features.end()
                    ? CellModel::word({})
                    : CellModel::value(static_cast<double>(
                          thing.features[static_cast<std::size_t>(own - space.features.begin())])));
        }
        QStringList acts;
        for (std::size_t action = 0; action < spaces.actions.size(); ++action)
            if (spaces.actions[action].isOfActors &&
                std::ranges::count(play->seen().offers[action].actors,
                                   static_cast<std::int64_t>(i)) > 0)
                acts << QString::fromStdString(spaces.actions[action].name);
        row.cells.push_back(CellModel::word(acts.join(QStringLiteral(", "))));
        row.cells.push_back(CellModel::word(thing.isHidden ? tr("by the value alone") : tr("yes")));
    }
    setTable(headers, std::move(rows));
}

}  // namespace orrery
