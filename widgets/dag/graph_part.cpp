#include "widgets/dag/graph_part.h"

#include <QJsonArray>
#include <algorithm>

#include "core/solve/solution.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/dag/episode_values.h"
#include "widgets/dag/hit_list.h"
#include "widgets/dag/hit_model.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/path_list.h"
#include "widgets/dag/path_sampler.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/part/command_text.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

constexpr std::size_t kMostKeptNodes = 1000;  ///< of the graph around the state

}  // namespace

GraphPart::GraphPart(Workbench& bench, ScopePart* scopes, WorldPart* world)
    : WindowPart(bench),
      m_scopes(scopes),
      m_world(world),
      m_hits(new HitModel(&session(), &frame())) {
    connect(m_hits, &HitModel::listed, this, [this] { refreshCommands(); });
}

void GraphPart::bindCommands() {
    Commands& c = commands();
    c.bind("edit.search", [this] {
        showPerspective(kPlanPerspective);
        showView(QStringLiteral("stateGraph"));
        m_search->edit()->setFocus(Qt::ShortcutFocusReason);
    });
    c.bind("analyze.hits", [this] { showHits(); });
    c.bind("analyze.nextHit", [this] { m_hits->walk(true); });
    c.bind("analyze.previousHit", [this] { m_hits->walk(false); });
    c.bind("analyze.episode", [this] { showInPlan(QStringLiteral("episode")); });
    c.bind("analyze.simulate", [this] { showInPlan(QStringLiteral("simulate")); });
    c.bind("world.statesHere", [this] { findStatesHere(); });
}

void GraphPart::refreshCommands() {
    for (const char* id : {"analyze.nextHit", "analyze.previousHit"})
        commands().setEnabled(id, m_hits->rowCount() > 0,
                              tr("No states are found: ask for some in the search field (Ctrl+F)"));
}

bool GraphPart::isSettled() const {
    return std::ranges::none_of(frame().findChildren<LevelBands*>(), &LevelBands::isWorking) &&
           !(m_search && m_search->isWorking()) && !(m_episode && m_episode->isWorking()) &&
           !(m_sampler && m_sampler->isWorking());
}

bool GraphPart::isSearching() const {
    return (m_paths && m_paths->isWorking()) ||
           std::ranges::any_of(frame().findChildren<StateCanvas*>(), [](const StateCanvas* canvas) {
               return canvas->isWorking() || canvas->isMoving();
           });
}

void GraphPart::saveSession(QJsonObject& state) const {
    if (!session().isOpen()) return;
    QJsonObject document = state.value(u"document").toObject();
    document.insert(QStringLiteral("plan"), viewsState());
    state.insert(QStringLiteral("document"), document);
}

void GraphPart::restoreSession(const QJsonObject& state, bool hasOtherWorld) {
    if (!hasOtherWorld) m_keptViews = state.value(u"document")[u"plan"].toObject();
}

QJsonObject GraphPart::viewsState() const {
    QJsonObject kept = m_keptViews;
    kept.insert(QStringLiteral("run"), session().runId());
    if (m_search)
        kept.insert(QStringLiteral("questions"), QJsonArray::fromStringList(m_search->history()));
    if (!session().solution()) return kept;
    if (m_bands) {
        QJsonObject bands = m_bands->figureState();
        bands.remove(QStringLiteral("kin"));  // its buttons are not kept
        kept.insert(QStringLiteral("bands"), bands);
    }
    if (m_states && m_states->canvas()->graph().nodes().size() <= kMostKeptNodes)
        kept.insert(QStringLiteral("graph"), m_states->figureState());
    return kept;
}

void GraphPart::restoreViews() {
    frame().restorePictures();
    if (m_world->hasKept()) return;  // not yet
    if (m_search && m_keptViews.contains(u"questions")) {
        QStringList questions;
        for (const QJsonValue question : m_keptViews.take(QStringLiteral("questions")).toArray())
            questions << question.toString();
        m_search->setHistory(questions);
    }
    if (!session().solution() || m_keptViews.value(u"run").toString() != session().runId()) return;
    if (m_bands && m_keptViews.contains(u"bands"))
        m_bands->restoreFigure(m_keptViews.take(QStringLiteral("bands")).toObject());
    if (m_states && m_keptViews.contains(u"graph"))
        m_states->restoreFigure(m_keptViews.take(QStringLiteral("graph")).toObject());
}

void GraphPart::showInPlan(const QString& view) {
    leaveHome(kPlanPerspective);
    showView(view);
}

void GraphPart::showHits() {
    showInPlan(QStringLiteral("hits"));
    if (auto* list = frame().view<HitList>(QStringLiteral("hits")))
        list->setFocus(Qt::ShortcutFocusReason);
}

void GraphPart::ask(const QString& predicate) {
    frame().view(QStringLiteral("stateGraph"));  // makes the search
    m_search->ask(predicate);
}

void GraphPart::findStatesHere() {
    const auto* cell = selection().current<CellItem>();
    if (!session().isOpen() || cell == nullptr)
        return say(MessageKind::Info, tr("Click a cell of the world first."));
    const auto* chosen = selection().current<AgentItem>();
    QStringList parts;
    for (int agent = 0; agent < session().world().numAgents(); ++agent)
        if (chosen == nullptr || chosen->agent == agent)
            parts << QStringLiteral("%1.at(%2,%3)")
                         .arg(QString::fromStdString(
                             session().world().agents()[static_cast<std::size_t>(agent)].name))
                         .arg(cell->x)
                         .arg(cell->y);
    ask(parts.join(QStringLiteral(" or ")));
}

void GraphPart::noteSearch() {
    if (m_search->history().isEmpty() || !session().isOpen()) return;
    const QString asked = m_search->history().first();
    bench().note(tr("Search %1").arg(asked),
                 m_world->isModified()
                     ? QStringList()
                     : findArguments(QString::fromStdString(session().loaded().name), asked));
}

}  // namespace orrery
