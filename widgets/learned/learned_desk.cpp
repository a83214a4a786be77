#include "widgets/learned/learned_desk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/archive/stored_spec.h"
#include "core/run/best_checkpoint.h"
#include "core/run/jobs/exact_solution.h"
#include "core/run/jobs/train_job.h"
#include "core/run/jobs/train_kind.h"
#include "core/run/snapshot.h"
#include "core/run/span_file.h"
#include "core/train/empo/empo_training.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/common/run_title.h"
#include "widgets/learned/exact_source.h"

namespace orrery {

namespace {

constexpr int kPollMs = 100;
constexpr std::array kErrorMetrics = {"Exact/v_h_e", "Exact/pi_r", "Exact/x_h", "Exact/v_r",
                                      "Exact/worst_v_h_e"};

ComparedTraining readTraining(const Workspace& workspace, const std::string& id) {
    const HistoryReader reader = workspace.reader();
    ComparedTraining training{.id = QString::fromStdString(id)};
    const RunRecord record = reader.findRun(id);
    training.name = QString::fromStdString(record.name);
    const RunSpec spec = storedSpec(workspace, id);
    for (const std::string& world : requireTrainJob(spec, "Run " + id).worlds)
        training.worlds << QString::fromStdString(std::filesystem::path(world).stem().string())
                               .section(u':', -1);
    const std::vector<CheckpointRow> kept = reader.checkpoints(id);
    for (const CheckpointRow& row : kept) training.checkpoints.push_back(row.step);
    if (const CheckpointRow* const best = bestRow(kept)) training.best = best->step;
    std::ranges::sort(training.checkpoints, std::ranges::greater{});
    for (const char* metric : kErrorMetrics) {
        ComparedCurve curve;
        auto rows = reader.metrics(id, metric);
        std::ranges::stable_sort(rows, std::ranges::less{}, &MetricRow::step);
        for (const MetricRow& row : rows) {
            curve.step.push_back(static_cast<double>(row.step));
            curve.value.push_back(row.value);
        }
        if (!curve.step.empty()) training.errors[QLatin1String(metric)] = std::move(curve);
    }
    return training;
}

/// The world that was trained in, as the window opens it: the graph's own object.
LoadedWorld loadedOf(const TrainJob& job, std::size_t place, std::shared_ptr<const World> world) {
    LoadedWorld loaded = loadWorld(worldRefs(job).at(place));
    loaded.world = std::move(world);
    return loaded;
}

StageProfile readProfile(const Workspace& workspace, const std::string& id) {
    const HistoryReader reader = workspace.reader();
    const RunRecord run = reader.findRun(id);
    StageProfile profile{.id = QString::fromStdString(id),
                         .name = QString::fromStdString(run.name)};
    if (const RunKind* const kind = kindOf(run)) profile.words = kind->display.spans;
    if (const auto spans = storedSpans(workspace, id)) {
        profile.timeline = spans->timeline;
        profile.memory = spans->memory;
        return profile;
    }
    const auto newest = [&](const std::string& metric) {
        const auto rows = reader.metrics(id, "Profile/" + metric);
        return rows.empty() ? 0.0 : rows.back().value;
    };
    profile.stats.steps = static_cast<std::int64_t>(newest("calls"));
    for (const SpanWords& kind : profile.words) {
        SpanKindStats& stats = profile.stats.of(kind.kind);
        stats.mean = 1e6 * newest(kind.name);
        profile.stats.whole.mean += stats.mean;
    }
    return profile;
}

}  // namespace

SpanKindStats StageProfile::of(const std::string& kind) const {
    const auto found = std::ranges::find(words, kind, &SpanWords::name);
    return found == words.end() ? SpanKindStats() : stats.of(found->kind);
}

struct LearnedDesk::Request {
    std::shared_ptr<Workspace> workspace = {};
    QString runId = {};
    std::int64_t step = 0;
    int world = 0;
    std::int64_t mostStates = -1;
    std::vector<std::shared_ptr<const Solution>> exact = {};  ///< known already; may be empty
    std::shared_ptr<Latest<Progress>> progress = {};
};

struct LearnedDesk::Outcome {
    std::shared_ptr<const LearnedErrors> errors = {};  ///< null: refused
    std::vector<std::shared_ptr<const Solution>> exact = {};
    QString runId = {}, why = {};
    bool canSolve = false;
};

LearnedDesk::LearnedDesk(Archive* archive, QObject* parent)
    : QObject(parent),
      m_archive(archive),
      m_reader(std::make_unique<BackgroundWorker>()),
      m_worker(std::make_unique<BackgroundWorker>()) {
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, &LearnedDesk::tellProgress);
    connect(archive, &Archive::left, this, [this] { m_exact.clear(); });
    connect(archive, &Archive::runsChanged, this, &LearnedDesk::trainingsChanged);
}

LearnedDesk::~LearnedDesk() = default;

std::vector<std::pair<QString, QString>> LearnedDesk::trainings() const {
    return listed(&isTraining, m_live.isLive);
}

std::vector<std::pair<QString, QString>> LearnedDesk::compared() const {
    return listed(&learnsPlanning, m_live.isLive && m_live.plans);
}

std::vector<std::pair<QString, QString>> LearnedDesk::listed(bool (*isOffered)(const RunRecord&),
                                                             bool isLiveOffered) const {
    std::vector<std::pair<QString, QString>> trainings;
    for (const RunRecord& run : m_archive->runs())
        if (isOffered(run))
            trainings.emplace_back(QString::fromStdString(run.id), runTitle(run.name, run.id));
    if (isLiveOffered && !isListed(m_live.id))
        trainings.insert(trainings.begin(), {m_live.id, m_live.title});
    return trainings;
}

bool LearnedDesk::isListed(const QString& runId) const {
    const auto& runs = m_archive->runs();
    return std::ranges::find(runs, runId.toStdString(), &RunRecord::id) != runs.end();
}

void LearnedDesk::takeLive(const FollowedRun& run, const TrainSnapshot& training) {
    if (run.id.isEmpty()) return;
    m_live = run;
    if (!training.exact.empty()) m_exact[run.id] = training.exact;
}

void LearnedDesk::read(const QString& runId) {
    const auto workspace = m_archive->sharedWorkspace();
    if (!workspace || !isListed(runId)) return;
    const int reading = ++m_reading;
    m_reader->append<ComparedTraining>(
        [workspace, id = runId.toStdString()](std::stop_token) {
            return readTraining(*workspace, id);
        },
        [this, reading](ComparedTraining training) {
            if (reading != m_reading) return;
            m_training = std::move(training);
            Q_EMIT trainingRead();
        },
        [this](const QString& text) { Q_EMIT failed(text); });
}

void LearnedDesk::evaluate(const QString& runId, std::int64_t step, int world,
                           std::int64_t mostStates) {
    Request request{.workspace = m_archive->sharedWorkspace(),
                    .runId = runId,
                    .step = step,
                    .world = world,
                    .mostStates = mostStates};
    if (!request.workspace) return;
    if (const auto known = m_exact.find(runId); known != m_exact.end())
        request.exact = known->second;
    m_progress = std::make_shared<Latest<Progress>>();
    request.progress = m_progress;
    m_worker->replace<Outcome>([request](std::stop_token stop) { return work(request, stop); },
                               [this](const Outcome& outcome) { finish(outcome); },
                               [this](const QString& text) {
                                   setWorking(false);
                                   Q_EMIT refused(text, false);
                               });
    setWorking(true);
}

LearnedDesk::Outcome LearnedDesk::work(const Request& request, const std::stop_token& stop) {
    const auto tell = [&](const Progress& progress) {
        request.progress->store(std::make_shared<const Progress>(progress));
    };
    Outcome outcome{.exact = request.exact, .runId = request.runId};
    const std::string id = request.runId.toStdString();
    const RunSpec spec = storedSpecAt(*request.workspace, id, request.step);
    const TrainJob& job = requireTrainJob(spec, "Run " + id);
    EvaluateRequest ask{.spec = job.empo, .worlds = requireWorlds(worldRefs(job))};
    const auto world = static_cast<std::size_t>(request.world);
    outcome.exact.resize(ask.worlds.size());
    // What is known may have been solved with the beta_r of another checkpoint.
    if (!outcome.exact.at(world) || outcome.exact[world]->spec().beta_r != job.empo.beta_r) {
        outcome.exact[world] = storedSolution(*request.workspace, *ask.worlds[world],
                                              exactSpecOf(job.empo), stop, tell);
        if (stop.stop_requested()) return {};
    }
    if (!outcome.exact[world]) {
        const std::int64_t most = request.mostStates >= 0 ? request.mostStates : job.exactStates;
        ExactSolution exact = exactSolutionOf(ask.worlds[world], job.empo, most, stop, tell);
        if (stop.stop_requested()) return {};
        outcome.exact[world] = exact.solution;
        if (!exact.solution) {
            outcome.why = QObject::tr("%1 has no exact solution to compare with: %2.")
                              .arg(QString::fromStdString(ask.worlds[world]->name()),
                                   QString::fromStdString(exact.whyNot));
            if (request.mostStates >= 0) return outcome;
            const SolveOffer offer = solveOffer(ask.worlds[world], stop);
            if (stop.stop_requested()) return {};
            outcome.canSolve = offer.fits;
            outcome.why += u' ' + offer.text + u'.';
            return outcome;
        }
    }
    ask.exact.resize(ask.worlds.size());
    ask.exact[world] = outcome.exact[world];
    ask.worlds[world] = outcome.exact[world]->graph().worldPointer();
    ask.checkpoint = request.workspace->runFolder(id) / ("step_" + std::to_string(request.step));
    const Evaluation evaluation = empoLibrary().evaluate(ask, tell, stop);
    if (stop.stop_requested() || evaluation.errors.size() <= world) return {};
    outcome.errors = std::make_shared<const LearnedErrors>(
        LearnedErrors{.runId = request.runId,
                      .runName = QString::fromStdString(spec.name),
                      .step = evaluation.step,
                      .worldIndex = request.world,
                      .loaded = loadedOf(job, world, ask.worlds[world]),
                      .world = ask.worlds[world],
                      .exact = outcome.exact[world],
                      .error = evaluation.errors[world]});
    return outcome;
}

void LearnedDesk::finish(const Outcome& outcome) {
    setWorking(false);
    if (outcome.runId.isEmpty()) return;
    m_exact[outcome.runId] = outcome.exact;
    if (!outcome.errors) {
        Q_EMIT refused(outcome.why, outcome.canSolve);
        return;
    }
    m_errors = outcome.errors;
    Q_EMIT evaluated();
}

void LearnedDesk::cancel() {
    m_worker->stopAll();
    setWorking(false);
}

void LearnedDesk::setWorking(bool isWorking) {
    m_isWorking = isWorking;
    if (isWorking)
        m_poll.start();
    else
        m_poll.stop();
    Q_EMIT workingChanged();
}

void LearnedDesk::tellProgress() {
    const auto progress = m_progress ? m_progress->load() : nullptr;
    if (!progress) return;
    const double share = progress->total > 0 ? static_cast<double>(progress->done) /
                                                   static_cast<double>(progress->total)
                                             : -1;
    Q_EMIT progressed(QString::fromStdString(progress->phase), share);
}

void LearnedDesk::readProfiles(const QString& first, const QString& second) {
    const auto workspace = m_archive->sharedWorkspace();
    if (!workspace) return;
    std::vector<std::string> ids;
    for (const QString& id : {first, second})
        if (isListed(id)) ids.push_back(id.toStdString());
    ++m_numProfileReads;
    m_reader->append<std::vector<StageProfile>>(
        [workspace, ids](std::stop_token) {
            std::vector<StageProfile> profiles;
            profiles.reserve(ids.size());
            for (const std::string& id : ids) profiles.push_back(readProfile(*workspace, id));
            return profiles;
        },
        [this](std::vector<StageProfile> profiles) {
            --m_numProfileReads;
            m_profiles = std::move(profiles);
            Q_EMIT profilesRead();
        },
        [this](const QString& text) {
            --m_numProfileReads;
            Q_EMIT profilesRead();
            Q_EMIT failed(text);
        });
}

}  // namespace orrery
