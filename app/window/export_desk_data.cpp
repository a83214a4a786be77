#include <algorithm>

#include "app/export/export_episodes.h"
#include "app/export/export_tensorboard.h"
#include "app/export/export_training.h"
#include "app/window/export_desk.h"
#include "app/window/export_formats.h"
#include "core/run/archive/reopen.h"
#include "core/run/best_checkpoint.h"
#include "core/run/run_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/frame/frame.h"

// What is data of the solved world, of its episodes and of stored runs.

namespace orrery {

namespace {

constexpr int kMostEpisodes = 1'000'000;

std::int64_t numStates(const Solution& solution) {
    std::int64_t states = 0;
    for (int step = 0; step < solution.graph().numLevels(); ++step)
        states += solution.graph().levelSize(step);
    return states;
}

/// The walk of a session as an episode.
Episode episodeOf(const PlanSession& session) {
    Episode episode;
    const auto solution = session.solution();
    for (const Moment& moment : session.walk()) {
        Episode::Moment one{
            .step = moment.state.step, .config = moment.state.index, .words = moment.state.words};
        if (solution && moment.state.index >= 0)
            one.v_r =
                solution->v_r({moment.state.step, static_cast<ConfigIndex>(moment.state.index)});
        if (!episode.moments.empty())  // a moment knows what led to it
            episode.moments.back().profile = static_cast<std::int64_t>(moment.profile);
        episode.moments.push_back(std::move(one));
    }
    return episode;
}

/// All that a worker needs to bring solutions of runs back.
SolutionOfRun solutionsIn(const std::filesystem::path& workspace, const std::stop_token& stop) {
    const std::shared_ptr<const Workspace> archive =
        Workspace::open(workspace, Workspace::Mode::ReadOnly);
    return [archive, stop](const std::string& run) {
        const auto reopened = reopenSolution(*archive, run, stop);
        return reopened ? reopened->solution : nullptr;
    };
}

}  // namespace

void ExportDesk::addEpisodeData() {
    const PlanSession& session = *m_parts.session;
    if (!session.isOpen()) return;
    const auto world = session.loaded().world;
    m_offers.push_back(
        {{.id = QStringLiteral("steps"),
          .title = tr("Steps of the episode"),
          .stem = session.loaded().title + QStringLiteral(" episode"),
          .formats = dataFormats(),
          .remark = tr("One row for each of %1 states, with the joint action")
                        .arg(countText(std::ssize(session.walk())))},
         [world, &session](const ExportRequest& request) -> ExportWork {
             const auto episode = std::make_shared<const Episode>(episodeOf(session));
             return [world, episode, request](const std::stop_token& stop,
                                              const ProgressSink& progress) {
                 return exportEpisodes(
                     *world, 1, [episode](std::int64_t) { return *episode; },
                     dataFormatOf(request.format), request.target.toStdString(), stop, progress);
             };
         }});
    const auto solution = session.solution();
    if (!solution || solution->spec().phase1Only) return;
    m_offers.push_back(
        {{.id = QStringLiteral("episodes"),
          .title = tr("Episodes drawn from the policies"),
          .stem = session.loaded().title + QStringLiteral(" episodes"),
          .formats = dataFormats(),
          .remark = tr("One row a state; the same as orrery rollout with seed %1")
                        .arg(solution->spec().seed),
          .mostEpisodes = kMostEpisodes},
         [solution](const ExportRequest& request) -> ExportWork {
             return [solution, request](const std::stop_token& stop, const ProgressSink& progress) {
                 return exportEpisodes(
                     solution->world(), request.episodes,
                     [&](std::int64_t number) {
                         return sampledEpisode(*solution, solution->spec().seed, number);
                     },
                     dataFormatOf(request.format), request.target.toStdString(), stop, progress);
             };
         }});
}

void ExportDesk::addSolution() {
    const auto solution = m_parts.session->solution();
    if (!solution) return;
    const auto add = [&](const char* id, const QString& title, ExportContent content) {
        m_offers.push_back(
            {{.id = QLatin1String(id),
              .title = title,
              .stem =
                  QStringLiteral("%1 %2").arg(m_parts.session->loaded().title, QLatin1String(id)),
              .formats = dataFormats(),
              .remark = tr("One row for each of %1 states").arg(countText(numStates(*solution)))},
             [solution, content](const ExportRequest& request) -> ExportWork {
                 return [solution, content, request](const std::stop_token& stop,
                                                     const ProgressSink& progress) {
                     return exportSolution(*solution, content, dataFormatOf(request.format),
                                           request.target.toStdString(), stop, progress);
                 };
             }});
    };
    add("values", tr("Values of all states"), ExportContent::Values);
    add("policies", tr("Policies of all states"), ExportContent::Policies);
}

void ExportDesk::addMetrics(const QString& id, const QString& title, const QString& stem,
                            const QString& remark, std::vector<std::string> runs) {
    auto formats = dataFormats();
    formats.push_back(
        {.id = QStringLiteral("tensorboard"), .title = tr("TensorBoard folder"), .ending = {}});
    m_offers.push_back(
        {{.id = id, .title = title, .stem = stem, .formats = std::move(formats), .remark = remark},
         [runs = std::move(runs), database = m_parts.archive->workspace()->databaseFile()](
             const ExportRequest& request) -> ExportWork {
             return [runs, database, request](const std::stop_token& stop,
                                              const ProgressSink& progress) {
                 const HistoryReader reader(database);
                 const std::filesystem::path target = request.target.toStdString();
                 if (request.format == QLatin1String("tensorboard"))
                     return exportTensorBoard(reader, runs, target, stop, progress).size() ==
                            runs.size();
                 return exportMetrics(reader, runs, dataFormatOf(request.format), target, stop);
             };
         }});
}

bool ExportDesk::addRun(const std::string& id) {
    const auto& runs = m_parts.archive->runs();
    const auto run = std::ranges::find(runs, id, &RunRecord::id);
    if (m_parts.archive->workspace() == nullptr || run == runs.end()) return false;
    const QString name = runName(run->name, run->id);
    addMetrics(QStringLiteral("metrics"), tr("Metrics of %1").arg(name),
               name + QStringLiteral(" metrics"),
               tr("All curves of the run %1").arg(QString::fromStdString(id)), {run->id});
    if (isTraining(*run)) addCheckpoints(run->id, name);
    return true;
}

/// The newest one, and the best where that is another.
void ExportDesk::addCheckpoints(const std::string& run, const QString& name) {
    std::vector<CheckpointRow> rows;
    try {
        rows = m_parts.archive->workspace()->reader().checkpoints(run);
    } catch (const Error& error) {
        return m_parts.frame->say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
    const auto newest = std::ranges::max_element(rows, {}, &CheckpointRow::step);
    if (newest == rows.end()) return;
    addCheckpoint(newest->step, run, tr("Newest checkpoint of %1").arg(name));
    const CheckpointRow* const best = bestRow(rows);
    if (best != nullptr && best->step != newest->step)
        addCheckpoint(best->step, run, tr("Best checkpoint of %1").arg(name));
}

void ExportDesk::addCheckpoint(std::int64_t at, const std::string& run, const QString& title) {
    const QString step = QString::number(at);
    std::vector<ExportFormatSpec> formats{
        {.id = QStringLiteral("folder"), .title = tr("Folder with its manifest"), .ending = {}},
        formatSpec("safetensors", tr("Weights alone (safetensors)"))};
    m_offers.push_back(
        {{.id = QStringLiteral("checkpoint:") + step,
          .title = tr("%1, step %2").arg(title, countText(at)),
          .stem = QStringLiteral("step_") + step,
          .formats = std::move(formats),
          .remark = tr("Checked against its manifest before it is copied")},
         [run, step = step.toStdString(), workspace = m_parts.archive->sharedWorkspace()](
             const ExportRequest& request) -> ExportWork {
             return [run, step, workspace, request](const std::stop_token& stop,
                                                    const ProgressSink& progress) {
                 const std::filesystem::path target = request.target.toStdString();
                 if (request.format == QLatin1String("folder"))
                     return exportCheckpoint(*workspace, run, step, target, stop, progress);
                 exportWeights(*workspace, run, step, target);
                 return true;
             };
         }});
}

/// The runs that are checked, together in one file.
void ExportDesk::addRuns() {
    if (m_parts.archive->workspace() == nullptr) return;
    std::vector<std::string> all, finished;
    for (const SelectionItem& item : m_parts.session->selection().set(SelectionKind::Run)) {
        const std::string id = std::get<RunItem>(item).id.toStdString();
        const auto& runs = m_parts.archive->runs();
        const auto run = std::ranges::find(runs, id, &RunRecord::id);
        if (run == runs.end()) continue;
        all.push_back(id);
        if (run->state == RunState::Finished) finished.push_back(id);
    }
    if (all.size() > 1)
        addMetrics(QStringLiteral("runs:metrics"), tr("Metrics of %1 checked runs").arg(all.size()),
                   tr("%1 runs metrics").arg(all.size()),
                   tr("All curves, with the run in front; in npz the arrays of each run"), all);
    if (finished.size() < 2) return;
    const auto add = [&](const char* id, const QString& title, const QString& stem,
                         ExportContent content) {
        m_offers.push_back(
            {{.id = QLatin1String(id),
              .title = title,
              .stem = stem,
              .formats = dataFormats(),
              .remark = tr("All states of each run, with the run in front; in npz the arrays of "
                           "each run")},
             [finished, content, folder = m_parts.archive->workspace()->folder()](
                 const ExportRequest& request) -> ExportWork {
                 return [finished, content, folder, request](const std::stop_token& stop,
                                                             const ProgressSink& progress) {
                     return exportSolutions(finished, solutionsIn(folder, stop), content,
                                            dataFormatOf(request.format),
                                            request.target.toStdString(), stop, progress);
                 };
             }});
    };
    add("runs:values", tr("Values of %1 checked runs").arg(finished.size()),
        tr("%1 runs values").arg(finished.size()), ExportContent::Values);
    add("runs:policies", tr("Policies of %1 checked runs").arg(finished.size()),
        tr("%1 runs policies").arg(finished.size()), ExportContent::Policies);
}

}  // namespace orrery
