// What the session keeps of Plan, and how that comes back.
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/jobs/solve_job.h"
#include "widgets/bridge/archive.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/plan_part.h"
#include "widgets/dag/predicate_bar.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/dag/state_canvas.h"
#include "widgets/dag/state_view.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

constexpr std::size_t kMostKeptNodes = 1000;  ///< of the graph around the state

}  // namespace

void PlanPart::saveSession(QJsonObject& state) const {
    if (!session().isOpen()) return;
    if (!session().runId().isEmpty() && archive().workspace()) {
        state.insert(QStringLiteral("run"), session().runId());
        state.insert(QStringLiteral("workspace"), bench().workspaceFolder());
    }
    RunSpec form = formSpec();
    form.job.as<SolveJob>().world.text.reset();
    QJsonObject document = state.value(u"document").toObject();
    document.insert(QStringLiteral("form"),
                    QJsonDocument::fromJson(QByteArray::fromStdString(toJson(form))).object());
    document.insert(QStringLiteral("plan"), viewsState());
    state.insert(QStringLiteral("document"), document);
}

void PlanPart::restoreSession(const QJsonObject& state, bool hasOtherWorld) {
    if (hasOtherWorld) return;
    const QJsonObject document = state.value(u"document").toObject();
    m_keptForm = document.value(u"form").toObject();
    m_keptViews = document.value(u"plan").toObject();
    m_keptRun = state.value(u"run").toString();
    m_keptWorkspace = state.value(u"workspace").toString();
}

/// The run of the last session comes back when its workspace is open; without it, the state that
/// was shown cannot be found again.
void PlanPart::reopenKept() {
    const QString id = std::exchange(m_keptRun, {});
    if (id.isEmpty()) return;
    const auto& runs = archive().runs();
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    if (run != runs.end() && run->state == RunState::Finished &&
        bench().workspaceFolder() == m_keptWorkspace)
        archive().reopen(id);
    else
        restoreDocument();
}

/// Form, walk and place of the last session, when its world and its run are there.
void PlanPart::restoreDocument() {
    const QJsonObject form = std::exchange(m_keptForm, {});
    if (!session().isOpen()) return;
    if (!form.isEmpty()) {
        try {
            const RunSpec spec = runSpecFromJson(
                QJsonDocument(form).toJson(QJsonDocument::Compact).toStdString(), "session");
            requireSolve(spec, "session");
            m_form->setSpec(spec);
        } catch (const Error&) {
            // Of another version: the form keeps what it has.
        }
    }
    if (const std::string where = m_world->restorePlace(); !where.empty())
        ask(QString::fromStdString(where));
    restoreViews();
    undoStack().clear();
}

QJsonObject PlanPart::viewsState() const {
    QJsonObject kept = m_keptViews;
    kept.insert(QStringLiteral("run"), session().runId());
    if (m_search)
        kept.insert(QStringLiteral("questions"), QJsonArray::fromStringList(m_search->history()));
    if (!session().solution() || session().showsVariant()) return kept;
    if (m_bands) {
        QJsonObject bands = m_bands->figureState();
        bands.remove(QStringLiteral("kin"));  // its buttons are not kept
        kept.insert(QStringLiteral("bands"), bands);
    }
    if (m_states && m_states->canvas()->graph().nodes().size() <= kMostKeptNodes)
        kept.insert(QStringLiteral("graph"), m_states->figureState());
    return kept;
}

/// Gives the views what the last session kept of them, as far as they are made and their values
/// are there.
void PlanPart::restoreViews() {
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

}  // namespace orrery
