// The views of Plan.
#include "widgets/bridge/background_worker.h"
#include "widgets/dag/inspector_panel.h"
#include "widgets/dag/inspector_state.h"
#include "widgets/dag/plan_part.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/part/scope_part.h"
#include "widgets/world/joint_action_panel.h"

namespace orrery {

void PlanPart::addViews() {
    frame().addView(
        {.id = QStringLiteral("solver"),
         .title = tr("Solver"),
         .icon = QStringLiteral("plan"),
         .tip = tr("The parameters of the exact solve; on a solved world sliders move its "
                   "values at once"),
         .place = ViewPlace::Left,
         .make =
             [this](QWidget* parent) {
                 m_form->setParent(parent);
                 return m_form;
             },
         .help = QStringLiteral("solver")});
    frame().addView({.id = QStringLiteral("inspector"),
                     .title = tr("Inspector"),
                     .icon = QStringLiteral("table"),
                     .tip = tr("Everything about the current state"),
                     .place = ViewPlace::Right,
                     .makeScope = m_scopes->ofState(),
                     .makeScoped = [this](ViewScope& scope, int,
                                          QWidget* parent) { return makeInspector(scope, parent); },
                     .help = QStringLiteral("inspector")});
}

std::vector<PerspectiveSpec> PlanPart::perspectives() {
    return {{.id = kPlanPerspective,
             .name = tr("Plan"),
             .icon = QStringLiteral("plan"),
             .tip = tr("Solve exactly and walk the state graph"),
             .number = 3,
             .centre = R"({"split": "vertical", "sizes": [260, 480], "parts": [
             {"tabs": ["stateGraph"]},
             {"split": "horizontal", "sizes": [560, 360], "parts": [
                 {"tabs": ["states"]},
                 {"tabs": ["world", "paths", "hits", "solverTimeline"]}]}]})",
             .narrowCentre = R"({"split": "vertical", "sizes": [230, 400], "parts": [
             {"tabs": ["stateGraph"]},
             {"tabs": ["states", "world", "paths", "hits", "solverTimeline"]}]})",
             .panels = {QStringLiteral("solver"), QStringLiteral("levels"),
                        QStringLiteral("inspector")},
             .lowPanels = {QStringLiteral("solver"), QStringLiteral("inspector")},
             .widths = {240, 332},
             .heights = {480, 300},
             .smallCentre = R"({"tabs": ["stateGraph", "states", "world", "paths",
                                     "solverTimeline"]})",
             .smallPanels = {QStringLiteral("inspector")},
             .smallWidths = {220, 280},
             .smallHasTimeline = false}};
}

QWidget* PlanPart::makeInspector(ViewScope& scope, QWidget* parent) {
    auto* inspector = new InspectorPanel(sessionOf(scope), m_inspectorWorker.get(), parent);
    inspector->setJointActionPart(new JointActionPanel(sessionOf(scope), inspector));
    connect(inspector, &InspectorPanel::solveRequested, this, &PlanPart::solve);
    connect(&inspector->inspected(), &InspectorState::askedAt, &bench(), &Workbench::numberAsked);
    inspector->setSolvedNow(m_solvedNow);
    connect(this, &PlanPart::solvedNowChanged, inspector, &InspectorPanel::setSolvedNow);
    Q_EMIT inspectorMade(inspector->widget(), sessionOf(scope));
    return inspector;
}

}  // namespace orrery
