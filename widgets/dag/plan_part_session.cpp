// What the session keeps of Plan, and how that comes back.
#include <QJsonDocument>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/jobs/solve_job.h"
#include "widgets/bridge/archive.h"
#include "widgets/dag/graph_part.h"
#include "widgets/dag/plan_part.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/world/world_part.h"

namespace orrery {

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
    state.insert(QStringLiteral("document"), document);
}

void PlanPart::restoreSession(const QJsonObject& state, bool hasOtherWorld) {
    if (hasOtherWorld) return;
    const QJsonObject document = state.value(u"document").toObject();
    m_keptForm = document.value(u"form").toObject();
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
        m_graph->ask(QString::fromStdString(where));
    m_graph->restoreViews();
    undoStack().clear();
}

}  // namespace orrery
