#include "app/window/figure_part.h"

#include <QApplication>

#include "app/pictures/figure_source.h"
#include "app/window/plan_scope.h"
#include "core/base/error.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/common/draws_figure.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/explore/sweep_panel.h"
#include "widgets/figure/figure_dialog.h"
#include "widgets/frame/centre_area.h"
#include "widgets/plots/chart_grid.h"

namespace orrery {

namespace {

/// Whether no figure file can bring a view's pictures back: they are of one moment of a training.
bool isOfTraining(const ViewSpec* spec) {
    return spec != nullptr &&
           (spec->id == QLatin1String("trainCharts") || spec->id == QLatin1String("learned") ||
            spec->id == QLatin1String("pipeline") || spec->id == QLatin1String("profile"));
}

bool draws(QWidget* widget) {
    return dynamic_cast<DrawsFigure*>(widget) != nullptr;
}

/// The drawing view that a widget is or lies in; null if there is none.
QWidget* drawerAround(QWidget* widget) {
    while (widget != nullptr && !draws(widget)) widget = widget->parentWidget();
    return widget;
}

/// The view of a class that a widget is or lies in; null if there is none.
template <typename View>
const View* around(const QWidget* widget) {
    while (widget != nullptr && qobject_cast<const View*>(widget) == nullptr)
        widget = widget->parentWidget();
    return qobject_cast<const View*>(widget);
}

}  // namespace

void FigurePart::bindCommands() {
    commands().bind("file.exportFigure", [this] { open(nullptr); });
    m_dialog = new FigureDialog(
        [this](const DrawsFigure& view, const QString& folder) { return sourceOf(view, folder); },
        &frame());
    const auto refresh = [this] { m_dialog->refresh(); };
    for (const auto signal : {&PlanSession::stateChanged, &PlanSession::solutionChanged,
                              &PlanSession::jointActionChanged})
        connect(&session(), signal, this, refresh);
    for (const auto signal : {&Selection::currentChanged, &Selection::setChanged})
        connect(&selection(), signal, this, refresh);
    const auto offerAgain = [this] {
        if (m_dialog->isVisible()) open(nullptr);
    };
    for (const auto signal : {&Frame::perspectiveChanged, &Frame::currentViewChanged})
        connect(&frame(), signal, this, offerAgain);
}

void FigurePart::serve(ChartGrid* grid) {
    connect(grid, &ChartGrid::figureRequested, this,
            [this, grid](const QString& id) { open(grid->chart(id)); });
}

void FigurePart::open(QWidget* wanted) {
    std::vector<QWidget*> drawers;
    for (QWidget* widget : frame().findChildren<QWidget*>())
        if (widget->isVisible() && draws(widget)) drawers.push_back(widget);
    if (drawers.empty()) {
        frame().say(MessageKind::Info,
                    tr("Nothing that can be put on paper is shown here. Open World, Plan, Train or "
                       "Compare."));
        return;
    }
    if (wanted == nullptr) wanted = drawerAround(QApplication::focusWidget());
    if (wanted == nullptr)
        if (QWidget* current = frame().view(frame().centre().currentView()))
            for (QWidget* drawer : drawers)
                if (wanted == nullptr && (drawer == current || current->isAncestorOf(drawer)))
                    wanted = drawer;
    m_dialog->offer(drawers, wanted);
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

QJsonObject FigurePart::sourceOf(const DrawsFigure& view, const QString& folder) {
    const Workspace* workspace = archive().workspace();
    const auto home = workspace == nullptr ? std::filesystem::path() : workspace->folder();
    const auto* widget = dynamic_cast<const QWidget*>(&view);
    if (isOfTraining(frame().viewAround(widget)))
        throw Error(
            "A picture of a training is of one moment, which no figure file can bring back. Export "
            "the picture itself, and its numbers with File > Export.");
    if (const auto* sweep = around<SweepPanel>(widget))
        return runsFigureSource(sweep->runIds(), home, folder);
    PlanScope* scope = scopeAround(frame(), widget);
    const auto* compare = around<CompareView>(widget);
    if (compare == nullptr)
        return figureSource(scope == nullptr ? session() : scope->session(), home, folder);
    return runsFigureSource(const_cast<CompareView&>(*compare),
                            scope == nullptr ? selection() : scope->selection(), home, folder);
}

}  // namespace orrery
