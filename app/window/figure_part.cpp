#include "app/window/figure_part.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include "app/pictures/figure_source.h"
#include "core/base/error.h"
#include "widgets/bridge/archive.h"
#include "widgets/common/commands.h"
#include "widgets/common/draws_figure.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/explore/sweep_panel.h"
#include "widgets/figure/figure_dialog.h"
#include "widgets/frame/centre_area.h"
#include "widgets/part/plan_scope.h"
#include "widgets/plots/chart_defaults.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/settings/preferences.h"

namespace orrery {

namespace {

ChartDefaults chartDefaultsOf(const Preferences& preferences) {
    const auto text = [&](const char* key) {
        return preferences.value(QLatin1String(key)).toString();
    };
    return {.smoothing = {smoothingKindOf(text("charts/smoothing")).value_or(SmoothingKind::None),
                          preferences.value(QStringLiteral("charts/smoothingWindow")).toDouble()},
            .bands = bandKindOf(text("charts/bands")).value_or(BandKind::Deviation)};
}

/// Whether no figure file can bring a view's pictures back: they are of one moment of a training.
bool isOfTraining(const ViewSpec* spec) {
    return spec != nullptr &&
           (spec->id == QLatin1String("trainCharts") || spec->id == QLatin1String("learned") ||
            spec->id == QLatin1String("pipeline") || spec->id == QLatin1String("profile") ||
            spec->id.startsWith(QLatin1String("entity")));
}

/// The widget of a class that another is or lies in; null if there is none.
template <typename Kind, typename Widget>
Widget* around(Widget* widget) {
    while (widget != nullptr && dynamic_cast<const Kind*>(widget) == nullptr)
        widget = widget->parentWidget();
    return widget;
}

}  // namespace

void FigurePart::bindCommands() {
    commands().bind("file.exportFigure", [this] { open(nullptr); });
    connect(&bench(), &Workbench::figureWanted, this, &FigurePart::open);
    const auto refresh = [this] {
        if (m_dialog != nullptr) m_dialog->refresh();
    };
    for (const auto signal : {&PlanSession::stateChanged, &PlanSession::solutionChanged,
                              &PlanSession::jointActionChanged})
        connect(&session(), signal, this, refresh);
    for (const auto signal : {&Selection::currentChanged, &Selection::setChanged})
        connect(&selection(), signal, this, refresh);
    const auto offerAgain = [this] {
        if (m_dialog != nullptr && m_dialog->isVisible()) open(nullptr);
    };
    for (const auto signal : {&Frame::perspectiveChanged, &Frame::currentViewChanged})
        connect(&frame(), signal, this, offerAgain);
}

void FigurePart::applyPreference(const QString& key) {
    const QVariant value = preferences().value(key);
    if (key.startsWith(QLatin1String("charts/"))) {
        setChartsAsPreferred(key == QLatin1String("charts/bands"));
    } else if (key == QLatin1String("export/widthMm")) {
        if (auto* width = frame().findChild<QDoubleSpinBox*>(QStringLiteral("figureWidth")))
            width->setValue(value.toDouble());
    } else if (key == QLatin1String("export/dpi")) {
        if (auto* dpi = frame().findChild<QSpinBox*>(QStringLiteral("figureDpi")))
            dpi->setValue(value.toInt());
    }
}

void FigurePart::setChartsAsPreferred(bool isOfBands) {
    setChartDefaults(chartDefaultsOf(preferences()));
    for (ChartGrid* grid : frame().findChildren<ChartGrid*>()) {
        if (isOfBands)
            grid->setBands(chartDefaults().bands);
        else
            grid->setSmoothing(chartDefaults().smoothing);
    }
}

/// Made when it is first wanted: most starts do without.
FigureDialog& FigurePart::dialog() {
    if (m_dialog == nullptr) {
        m_dialog =
            new FigureDialog([this](const DrawsFigure& view,
                                    const QString& folder) { return sourceOf(view, folder); },
                             &frame());
        for (const char* key : {"export/widthMm", "export/dpi"})
            applyPreference(QLatin1String(key));
    }
    return *m_dialog;
}

void FigurePart::open(QWidget* wanted) {
    std::vector<QWidget*> drawers;
    for (QWidget* widget : frame().findChildren<QWidget*>())
        if (widget->isVisible() && dynamic_cast<DrawsFigure*>(widget) != nullptr)
            drawers.push_back(widget);
    if (drawers.empty()) {
        frame().say(MessageKind::Info,
                    tr("Nothing that can be put on paper is shown here. Open World, Plan, Train or "
                       "Compare."));
        return;
    }
    if (wanted == nullptr) wanted = around<DrawsFigure>(QApplication::focusWidget());
    if (wanted == nullptr)
        if (QWidget* current = frame().view(frame().centre().currentView()))
            for (QWidget* drawer : drawers)
                if (wanted == nullptr && (drawer == current || current->isAncestorOf(drawer)))
                    wanted = drawer;
    dialog().offer(drawers, wanted);
    dialog().show();
    dialog().raise();
    dialog().activateWindow();
}

QJsonObject FigurePart::sourceOf(const DrawsFigure& view, const QString& folder) {
    const Workspace* workspace = archive().workspace();
    const auto home = workspace == nullptr ? std::filesystem::path() : workspace->folder();
    const auto* widget = dynamic_cast<const QWidget*>(&view);
    if (isOfTraining(frame().viewAround(widget)))
        throw Error(
            "A picture of a training is of one moment, which no figure file can bring back. Export "
            "the picture itself, and its numbers with File > Export.");
    if (const auto* sweep = static_cast<const SweepPanel*>(around<SweepPanel>(widget)))
        return runsFigureSource(sweep->runIds(), home, folder);
    PlanScope* scope = scopeAround(frame(), widget);
    const auto* compare = static_cast<const CompareView*>(around<CompareView>(widget));
    if (compare == nullptr)
        return figureSource(scope == nullptr ? session() : scope->session(), home, folder);
    return runsFigureSource(const_cast<CompareView&>(*compare),
                            scope == nullptr ? selection() : scope->selection(), home, folder);
}

}  // namespace orrery
