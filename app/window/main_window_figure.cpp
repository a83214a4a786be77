// Figures: which views draw, what they draw from, and the dialog that puts them on paper.
#include <QApplication>

#include "app/pictures/figure_source.h"
#include "app/window/main_window.h"
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

}  // namespace

void MainWindow::bindFigure() {
    commands().bind("file.exportFigure", [this] { openFigure(nullptr); });
    m_figureDialog =
        new FigureDialog([this](const DrawsFigure& view,
                                const QString& folder) { return figureSourceOf(view, folder); },
                         this);
    const auto refresh = [this] { m_figureDialog->refresh(); };
    connect(&m_session, &PlanSession::stateChanged, m_figureDialog, refresh);
    connect(&m_session, &PlanSession::solutionChanged, m_figureDialog, refresh);
    connect(&m_session, &PlanSession::jointActionChanged, m_figureDialog, refresh);
    connect(&m_selection, &Selection::currentChanged, m_figureDialog, refresh);
    connect(&m_selection, &Selection::setChanged, m_figureDialog, refresh);
    const auto offerAgain = [this] {
        if (m_figureDialog->isVisible()) openFigure(nullptr);
    };
    connect(this, &Frame::perspectiveChanged, m_figureDialog, offerAgain);
    connect(this, &Frame::currentViewChanged, m_figureDialog, offerAgain);
}

/// Charts ask for their figure themselves.
void MainWindow::connectFigures(CompareView* compare) {
    ChartGrid* grid = compare->charts()->grid();
    connect(grid, &ChartGrid::figureRequested, this,
            [this, grid](const QString& id) { openFigure(grid->chart(id)); });
}

void MainWindow::openFigure(QWidget* wanted) {
    std::vector<QWidget*> drawers;
    for (QWidget* widget : findChildren<QWidget*>())
        if (widget->isVisible() && draws(widget)) drawers.push_back(widget);
    if (drawers.empty()) {
        say(MessageKind::Info,
            tr("Nothing that can be put on paper is shown here. Open World, Plan, Train or "
               "Compare."));
        return;
    }
    if (wanted == nullptr) wanted = drawerAround(QApplication::focusWidget());
    if (wanted == nullptr)
        if (QWidget* current = view(centre().currentView()))
            for (QWidget* drawer : drawers)
                if (wanted == nullptr && (drawer == current || current->isAncestorOf(drawer)))
                    wanted = drawer;
    m_figureDialog->offer(drawers, wanted);
    m_figureDialog->show();
    m_figureDialog->raise();
    m_figureDialog->activateWindow();
}

QJsonObject MainWindow::figureSourceOf(const DrawsFigure& view, const QString& folder) {
    const Workspace* workspace = m_archive->workspace();
    const auto home = workspace == nullptr ? std::filesystem::path() : workspace->folder();
    const auto* widget = dynamic_cast<const QWidget*>(&view);
    if (isOfTraining(viewAround(widget)))
        throw Error(
            "A picture of a training is of one moment, which no figure file can bring back. Export "
            "the picture itself, and its numbers with File > Export.");
    if (m_sweep != nullptr && widget != nullptr && m_sweep->isAncestorOf(widget))
        return runsFigureSource(m_sweep->runIds(), home, folder);
    PlanScope* scope = scopeAround(widget);
    const QWidget* around = widget;
    while (around != nullptr && qobject_cast<const CompareView*>(around) == nullptr)
        around = around->parentWidget();
    if (around == nullptr)
        return figureSource(scope == nullptr ? m_session : scope->session(), home, folder);
    auto& compare = const_cast<CompareView&>(*qobject_cast<const CompareView*>(around));
    return runsFigureSource(compare, scope == nullptr ? m_selection : scope->selection(), home,
                            folder);
}

}  // namespace orrery
