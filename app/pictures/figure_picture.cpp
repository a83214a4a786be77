#include "app/pictures/figure_picture.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QSet>
#include <memory>

#include "app/pictures/figure_source.h"
#include "app/pictures/offscreen.h"
#include "core/base/error.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/draws_figure.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/difference_view.h"
#include "widgets/compare/interval_plot.h"
#include "widgets/compare/metric_charts.h"
#include "widgets/compare/outcome_of_set.h"
#include "widgets/compare/parallel_plot.h"
#include "widgets/dag/level_bands.h"
#include "widgets/dag/state_view.h"
#include "widgets/explore/outcome_heat.h"
#include "widgets/figure/figure_file.h"
#include "widgets/figure/figure_writer.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/world/world_panel.h"

namespace orrery {

namespace {

/// Makes the view of a figure from its source, outside of any window.
class FigureStage {
public:
    FigureStage(const Figure& figure, std::filesystem::path workspace, QString folder,
                std::stop_token stop)
        : m_figure(figure),
          m_workspace(std::move(workspace)),
          m_folder(std::move(folder)),
          m_stop(std::move(stop)) {}

    /// The view as the figure shows it; null if stopped. Lives as long as the stage.
    DrawsFigure* view() {
        const QString id = m_figure.view;
        const bool isOfRuns = id.startsWith(QLatin1String("chart:")) ||
                              id == QLatin1String("interval") || id == QLatin1String("parallel") ||
                              id == QLatin1String("outcomeHeat") ||
                              id == QLatin1String("difference");
        if (!(isOfRuns ? makeOfRuns() : makeOfState())) return nullptr;
        if (!waitOffscreen([this] { return m_view->isFigureReady(); }, m_stop)) return nullptr;
        if (!m_view->hasFigure())
            throw Error("The figure has nothing to draw: its view '" + id.toStdString() +
                            "' is empty for this world or these runs.",
                        Error::Kind::BadInput);
        return m_view;
    }

private:
    template <typename T>
    T* keep(T* widget) {
        m_widget.reset(widget);
        m_view = widget;
        return widget;
    }

    bool makeOfState() {
        const QString id = m_figure.view;
        if (id != QLatin1String("world") && id != QLatin1String("levelBands") &&
            id != QLatin1String("states"))
            throw Error("This program has no view '" + id.toStdString() +
                            "'. Figures can be of world, levelBands, states, chart:METRIC, "
                            "chart:outcome, outcomeHeat, interval, parallel and difference.",
                        Error::Kind::BadInput);
        if (!openFigureSource(m_session, m_figure.source, m_workspace, m_folder, m_stop))
            return false;
        if (id == QLatin1String("world"))
            keep(new WorldPanel(&m_session));
        else if (id == QLatin1String("levelBands"))
            keep(new LevelBands(&m_session));
        else
            keep(new StateView(&m_session));
        m_view->restoreFigure(m_figure.state);
        return true;
    }

    bool makeOfRuns() {
        const CompareSet set = compared();
        if (!set.sheet) return false;
        const QString current = m_figure.source.value(QLatin1String("current")).toString();
        if (m_figure.view == QLatin1String("interval")) {
            keep(new IntervalPlot)->setCompareSet(set);
        } else if (m_figure.view == QLatin1String("parallel")) {
            auto* plot = keep(new ParallelPlot);
            plot->setCompareSet(set);
            plot->setCurrent(current);
        } else if (m_figure.view == QLatin1String("difference")) {
            keep(new DifferenceView(&m_selection, &m_session, &m_worker))->show(set, m_workspace);
        } else if (m_figure.view == QLatin1String("outcomeHeat")) {
            keep(new OutcomeHeat)->setTable(outcomeOfSet(set));
        } else if (m_figure.view == QLatin1String("chart:outcome")) {
            auto chart = std::make_unique<OutcomeChart>();
            chart->setTable(outcomeOfSet(set));
            m_view = chart->chart();
            m_widget = std::move(chart);
        } else {
            return makeChart(set, current);
        }
        m_view->restoreFigure(m_figure.state);
        return true;
    }

    bool makeChart(const CompareSet& set, const QString& current) {
        auto charts = std::make_unique<MetricCharts>(&m_worker);
        charts->restoreState({{QStringLiteral("metrics"),
                               m_figure.source.value(QLatin1String("metrics")).toArray()}});
        charts->show(set, m_workspace);
        if (!waitOffscreen([&] { return !charts->isWorking(); }, m_stop)) return false;
        charts->emphasize(current);
        const QString id = m_figure.view.section(u':', 1);
        m_view = charts->grid()->chart(id);
        if (m_view == nullptr)
            throw Error("The runs of the figure have no metric '" + id.toStdString() + "'.",
                        Error::Kind::BadInput);
        m_widget = std::move(charts);
        m_view->restoreFigure(m_figure.state);
        return true;
    }

    /// The runs that the figure compares; without a sheet if stopped.
    CompareSet compared() {
        QSet<QString> ids;
        for (const auto& id : m_figure.source.value(QLatin1String("runs")).toArray())
            ids.insert(id.toString());
        CompareSet set = readCompareSet(m_workspace, ids, m_stop);
        if (set.sheet && set.isEmpty())
            throw Error("The workspace " + m_workspace.string() +
                            " has none of the figure's runs. Name another one with --workspace.",
                        Error::Kind::BadInput);
        return set;
    }

    const Figure& m_figure;
    std::filesystem::path m_workspace;
    QString m_folder;
    std::stop_token m_stop;
    Selection m_selection;
    PlanSession m_session{&m_selection};
    BackgroundWorker m_worker;
    std::unique_ptr<QWidget> m_widget;  // before its session and worker go
    DrawsFigure* m_view = nullptr;
};

}  // namespace

std::filesystem::path pictureOf(const FigureOrder& order) {
    std::filesystem::path picture = order.picture;
    if (picture.empty())
        if (const QString named = readFigure(order.file).picture; !named.isEmpty())
            picture = std::filesystem::absolute(order.file).parent_path() / named.toStdString();
    if (picture.empty() || !figureFormatOf(QString::fromStdString(picture.string())))
        throw Error("Name the picture with --out FILE that ends in .png, .svg or .pdf" +
                        (picture.empty() ? std::string() : ", not " + picture.filename().string()) +
                        ".",
                    Error::Kind::BadInput);
    return picture;
}

std::filesystem::path drawFigure(const FigureOrder& order, std::stop_token stop) {
    Figure figure = readFigure(order.file);
    for (const std::string& change : order.changes) setFigureField(figure, change);
    const QString folder = QFileInfo(QString::fromStdString(order.file.string())).absolutePath();
    const std::filesystem::path picture = pictureOf(order);
    const Offscreen application;
    FigureStage stage(
        figure, order.workspace.empty() ? figureWorkspace(figure.source, folder) : order.workspace,
        folder, stop);
    DrawsFigure* view = stage.view();
    if (view == nullptr) return {};
    writeFigure(*view, figure, picture);
    return picture;
}

}  // namespace orrery
