#include "widgets/entity/thing_table.h"

#include <algorithm>

#include "widgets/common/selection.h"
#include "widgets/entity/entity_session.h"

namespace orrery {

ThingTable::ThingTable(EntitySession* session, QWidget* parent)
    : CellTable(QStringLiteral("entityThings"), parent), m_session(session) {
    setAccessibleName(tr("Things"));
    setSelectionMode(SingleSelection);
    for (const auto signal :
         {&EntitySession::changed, &EntitySession::advised, &EntitySession::attentionChanged})
        connect(session, signal, this, &ThingTable::refresh);
    connect(&session->selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Entity) refresh();
    });
    refresh();
}

void ThingTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    CellTable::currentChanged(current, previous);
    if (m_isFilling || !current.isValid()) return;
    const auto& rows = cellModel()->rows();
    const auto thing =
        static_cast<std::size_t>(rows[static_cast<std::size_t>(current.row())].cells[0].number);
    // The rows may be made anew, which a view does not stand in the middle of its event.
    QMetaObject::invokeMethod(
        this, [this, thing] { m_session->pickThing(thing); }, Qt::QueuedConnection);
}

void ThingTable::showPicked() {
    const auto picked = m_session->pickedThing();
    const auto& rows = cellModel()->rows();
    const auto row = std::ranges::find_if(rows, [&](const CellModel::Row& one) {
        return picked && one.cells[0].number == static_cast<double>(*picked);
    });
    if (row == rows.end())
        clearSelection();
    else if (currentIndex().row() != row - rows.begin() || !selectionModel()->hasSelection())
        selectRow(static_cast<int>(row - rows.begin()));
}

void ThingTable::refresh() {
    m_isFilling = true;
    const EntityFrame* frame = m_session->frame();
    if (frame == nullptr) {
        setTable({}, {});
        m_isFilling = false;
        return;
    }
    const EnvironmentSpaces& spaces = m_session->spaces();
    QStringList headers{tr("#"), tr("Type")};
    std::vector<std::string> features;
    for (const ObservedSpace& space : spaces.observations)
        if (space.kind == ObservedSpace::Kind::Entities)
            for (const std::string& feature : space.features)
                if (std::ranges::find(features, feature) == features.end())
                    features.push_back(feature);
    for (const std::string& feature : features) headers << QString::fromStdString(feature);
    headers << tr("Acts") << tr("Seen");
    const auto picked = m_session->pickedThing();
    const std::vector<float> looks = picked ? m_session->looksOf(*picked) : std::vector<float>();
    if (!looks.empty()) headers << tr("Looked at (learned)");
    std::vector<CellModel::Row> rows;
    const std::vector<ObservedThing>& things = frame->things;
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
                std::ranges::count(frame->seen.offers[action].actors,
                                   static_cast<std::int64_t>(i)) > 0)
                acts << QString::fromStdString(spaces.actions[action].name);
        row.cells.push_back(CellModel::word(acts.join(QStringLiteral(", "))));
        row.cells.push_back(CellModel::word(thing.isHidden ? tr("by the value alone") : tr("yes")));
        if (!looks.empty())
            row.cells.push_back(i < looks.size() ? CellModel::value(static_cast<double>(looks[i]))
                                                 : CellModel::word({}));
    }
    setTable(headers, std::move(rows));
    showPicked();
    m_isFilling = false;
}

}  // namespace orrery
