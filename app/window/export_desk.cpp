#include "app/window/export_desk.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QPointer>
#include <QTableView>
#include <algorithm>

#include "app/window/export_chart.h"
#include "app/window/export_formats.h"
#include "core/base/error.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/number_text.h"
#include "widgets/common/written_file.h"
#include "widgets/export/episode_film.h"
#include "widgets/export/table_feed.h"
#include "widgets/frame/centre_area.h"
#include "widgets/frame/frame.h"
#include "widgets/frame/job_list.h"
#include "widgets/frame/message_log.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/plots/chart.h"
#include "widgets/world/world_view.h"

namespace orrery {

namespace {

const QString kEpisode = QStringLiteral("episode"), kMetrics = QStringLiteral("metrics");

FilmKind filmKindOf(const QString& id) {
    if (id == QLatin1String("mp4")) return FilmKind::Mp4;
    if (id == QLatin1String("webm")) return FilmKind::WebM;
    return id == QLatin1String("png") ? FilmKind::PngSequence : FilmKind::Gif;
}

char separatorOf(const ExportRequest& request) {
    return request.format == QLatin1String("tsv") ? '\t' : ',';
}

[[noreturn]] void refuseGone(const QString& what) {
    throw Error(what.toStdString() + " is not shown any more. Open it and export again.",
                Error::Kind::BadInput);
}

}  // namespace

ExportDesk::ExportDesk(Parts parts)
    : QObject(parts.frame),
      m_parts(std::move(parts)),
      m_queue(new ExportQueue(&m_parts.frame->jobs(), this)) {
    connect(m_queue, &ExportQueue::written, this, &ExportDesk::sayWritten);
    connect(m_queue, &ExportQueue::stopped, this, [this](const QString& target) {
        m_parts.frame->say(MessageKind::Info,
                           tr("The export to %1 was cancelled; nothing was written.").arg(target));
    });
    connect(m_queue, &ExportQueue::failed, this,
            [this](const QString& text) { m_parts.frame->say(MessageKind::Error, text); });
}

void ExportDesk::open() {
    show(collect(), {});
}

void ExportDesk::openForVideo() {
    collect();
    show(kEpisode, QStringLiteral("mp4"));
}

void ExportDesk::show(const QString& item, const QString& format) {
    if (m_offers.empty())
        return m_parts.frame->say(MessageKind::Info,
                                  tr("There is nothing to export here: open a world or a run."));
    if (!m_form) {
        m_form = new ExportForm(m_parts.frame);
        connect(m_form, &ExportForm::requested, this, &ExportDesk::start);
    }
    std::vector<ExportItem> items;
    for (const Offer& offer : m_offers) items.push_back(offer.item);
    m_form->offer(std::move(items), item, format);
    m_form->show();
    m_form->raise();
    m_form->activateWindow();
}

QString ExportDesk::collect() {
    m_offers.clear();
    const QString viewId = m_parts.frame->centre().currentView();
    QWidget* view = viewId.isEmpty() ? nullptr : m_parts.frame->view(viewId);
    QString prominent;
    if (view) {
        prominent = addCharts(view);
        const QString table = addTables(view, viewId);
        if (prominent.isEmpty()) prominent = table;
    }
    addEpisode();
    addEpisodeData();
    addSolution();
    addGraph();
    if (m_parts.frame->perspective() == kTrainPerspective) {
        // What is checked or current elsewhere is not what a person sees here.
        return addRun(m_parts.training().toStdString()) ? kMetrics : prominent;
    }
    if (const auto* current = m_parts.session->selection().current<RunItem>())
        addRun(current->id.toStdString());
    addRuns();
    return viewId == QLatin1String("world") ? kEpisode : prominent;
}

QString ExportDesk::addCharts(QWidget* view) {
    QString prominent;
    const QWidget* focus = QApplication::focusWidget();
    for (Chart* chart : view->findChildren<Chart*>()) {
        if (!chart->isVisible() || chart->content().numPoints() == 0) continue;
        const QString id = QStringLiteral("chart:") + chart->id();
        const QString title = chart->content().title;
        const QPointer<Chart> shown = chart;
        const bool hasFocus = focus && (focus == chart || chart->isAncestorOf(focus));
        if (prominent.isEmpty() || hasFocus) prominent = id;
        auto formats = textFormats();
        formats.push_back(formatSpec("npz", tr("NumPy arrays")));
        m_offers.push_back({{.id = id,
                             .title = tr("Points of %1").arg(title),
                             .stem = title,
                             .formats = std::move(formats),
                             .remark = tr("%1 points in the visible range, %2 in all")
                                           .arg(countText(pointsOf(*chart, false).rows()),
                                                countText(chart->content().numPoints())),
                             .hasRange = true},
                            [shown, title](const ExportRequest& request) -> ExportWork {
                                if (!shown) refuseGone(QObject::tr("The chart %1").arg(title));
                                const auto points = std::make_shared<const ChartPoints>(
                                    pointsOf(*shown, request.isAll));
                                return [points, request](const std::stop_token& stop,
                                                         const ProgressSink& progress) {
                                    const std::filesystem::path file = request.target.toStdString();
                                    return request.format == QLatin1String("npz")
                                               ? writeChartArrays(*points, file, stop, progress)
                                               : writeChartTable(*points, separatorOf(request),
                                                                 file, stop, progress);
                                };
                            }});
    }
    return prominent;
}

QString ExportDesk::addTables(QWidget* view, const QString& viewId) {
    QString prominent;
    const auto add = [&](const QString& id, const QString& title, QAbstractItemModel* model,
                         QTableView* table) {
        const QPointer<QAbstractItemModel> shown = model;
        const QPointer<QTableView> tableView = table;
        if (prominent.isEmpty()) prominent = id;
        m_offers.push_back(
            {{.id = id,
              .title = tr("Table of %1").arg(title),
              .stem = title,
              .formats = textFormats(),
              .remark = tr("%1 rows").arg(countText(model->rowCount()))},
             [shown, tableView, title,
              isView = table != nullptr](const ExportRequest& request) -> ExportWork {
                 if (!shown || (isView && !tableView)) refuseGone(QObject::tr("The table"));
                 const auto lines = isView ? TableFeed::start(tableView, separatorOf(request))
                                           : TableFeed::start(shown, separatorOf(request));
                 return [lines, file = request.target.toStdString()](const std::stop_token& stop,
                                                                     const ProgressSink& progress) {
                     return writeTable(*lines, file, stop, progress);
                 };
             }});
    };
    const auto& views = m_parts.frame->views();
    const auto spec = std::ranges::find(views, viewId, &ViewSpec::id);
    if (spec != views.end() && spec->table)
        if (QAbstractItemModel* model = spec->table(view))
            add(QStringLiteral("table:") + viewId, spec->title, model, nullptr);
    for (QTableView* table : view->findChildren<QTableView*>()) {
        if (!table->isVisible() || !table->model() || table->model()->rowCount() == 0) continue;
        const QString name =
            table->accessibleName().isEmpty() ? spec->title : table->accessibleName();
        add(QStringLiteral("table:") + table->objectName(), name, table->model(), table);
    }
    return prominent;
}

FilmEpisode ExportDesk::episode(bool hasOverlay) const {
    const PlanSession& session = *m_parts.session;
    const WorldView& view = *m_parts.worldView();
    std::vector<std::vector<std::uint64_t>> configurations;
    for (const Moment& moment : session.walk()) configurations.push_back(moment.state.words);
    FilmEpisode film = filmOf(session.loaded().world, std::move(configurations), view.showsGoals());
    for (const Moment& moment : session.walk()) {
        std::optional<State> state;
        if (session.solution() && moment.state.index >= 0)
            state = State{moment.state.step, static_cast<ConfigIndex>(moment.state.index)};
        film.states.push_back(state);
    }
    if (!hasOverlay || !session.solution()) return film;
    film.overlay.solution = session.solution();
    film.overlay.heatRange = view.heatRange();
    if (view.scene().heat && view.heatQuantity() != kVisitHeat)
        film.overlay.heat = view.scene().heat->request;
    if (view.scene().arrows) film.overlay.arrows = view.scene().arrows->request;
    return film;
}

void ExportDesk::addEpisode() {
    const PlanSession& session = *m_parts.session;
    if (!session.isOpen()) return;
    const auto frames = static_cast<int>(session.walk().size());
    const WorldScene& scene = m_parts.worldView()->scene();
    m_offers.push_back(
        {{.id = kEpisode,
          .title = frames == 2 ? tr("Episode, 1 step") : tr("Episode, %1 steps").arg(frames - 1),
          .stem = session.loaded().title,
          .formats = {formatSpec("gif", tr("GIF animation"), true),
                      formatSpec("mp4", tr("MP4 video"), true),
                      formatSpec("webm", tr("WebM video"), true),
                      {.id = QStringLiteral("png"),
                       .title = tr("Folder of PNG pictures"),
                       .ending = {},
                       .isFilm = true}},
          .remark = frames == 1 ? tr("1 frame: play some steps for more")
                                : tr("%1 frames").arg(countText(frames)),
          .frames = frames,
          .hasOverlay = scene.heat || scene.arrows},
         [this](const ExportRequest& request) -> ExportWork {
             const auto film = std::make_shared<const FilmEpisode>(episode(request.hasOverlay));
             const FilmSpec spec{.kind = filmKindOf(request.format),
                                 .target = request.target.toStdString(),
                                 .framesPerSecond = static_cast<double>(request.framesPerSecond),
                                 .cellSize = request.cellSize,
                                 .isDark = request.isDark,
                                 .mayReplace = true};  // the form has asked
             return [film, spec](const std::stop_token& stop, const ProgressSink& progress) {
                 return writeFilm(*film, spec, stop, progress);
             };
         }});
}

void ExportDesk::start(const ExportRequest& request) {
    const auto offer = std::ranges::find_if(
        m_offers, [&](const Offer& one) { return one.item.id == request.item; });
    if (offer == m_offers.end()) return;
    try {
        m_queue->start(tr("Export %1").arg(offer->item.title), request.target,
                       offer->prepare(request));
    } catch (const Error& error) {
        m_parts.frame->say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
}

void ExportDesk::sayWritten(const QString& target) {
    m_parts.frame->say(MessageKind::Ok, tr("Written: %1").arg(target), tr("Open folder"),
                       [target] { openFolderOf(target); });
}

}  // namespace orrery
