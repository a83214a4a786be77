#include <QJsonDocument>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "app/window/figure_part.h"
#include "app/window/main_window.h"
#include "core/base/error.h"
#include "core/run/preset.h"
#include "core/run/run.h"
#include "core/run/run_kind.h"
#include "core/run/run_name.h"
#include "core/run/steering.h"
#include "core/run/training_memory.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/run_title.h"
#include "widgets/dag/solve_panel.h"
#include "widgets/frame/job_list.h"
#include "widgets/part/command_text.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/train/live_world.h"
#include "widgets/train/pipeline_view.h"
#include "widgets/train/steering_panel.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/train_charts.h"
#include "widgets/train/train_facts.h"
#include "widgets/train/train_form.h"
#include "widgets/train/train_session.h"

// The perspective Train: how a training is started, watched, steered and forked.

namespace orrery {

namespace {

constexpr int kManySteps = 100;
constexpr const char* kExampleWorld = "builtin:first_steps";

/// Learns a small world in tables, in about a minute, with the error to exact all along.
RunSpec learningExample() {
    RunSpec spec;
    spec.name = "First steps, learned";
    spec.note = "Small enough to be solved exactly, so that the error of what is learned is known.";
    spec.seed = 1;
    const RunKind& kind = *findKind("train");
    spec.job = kind.fresh();
    kind.takeWorlds(spec.job, {{.name = kExampleWorld}});
    applyPreset(spec, requirePreset(kind, "exact-tables"));
    return spec;
}

}  // namespace

void MainWindow::makeTrainViews() {
    m_training = new TrainSession(&runBridge(), &undoStack(), this);
    connect(m_training, &TrainSession::ended, this, &MainWindow::refreshFork);
    for (const auto signal : {&TrainSession::begun, &TrainSession::changed})
        connect(m_training, signal, this, &MainWindow::nameTraining);
    connect(m_training, &TrainSession::halted, this, &MainWindow::tellHalted);
    addView(
        {.id = QStringLiteral("trainCharts"),
         .title = tr("Training"),
         .icon = QStringLiteral("train"),
         .tip = tr("Curves of the training as it runs, and its stages"),
         .make =
             [this](QWidget* parent) {
                 auto* charts = new TrainCharts(m_training, parent);
                 connect(charts, &TrainCharts::trainRequested, this, [this] { openTrainForm(); });
                 connect(charts, &TrainCharts::exampleRequested, this, &MainWindow::trainExample);
                 connect(charts, &TrainCharts::goBackRequested, this, [this] {
                     endTraining([this, id = shownTrainingId()] { resumeTraining(id); });
                 });
                 connect(charts, &TrainCharts::forkRequested, this, [this](const QString& field) {
                     // The one that waits is ended by the other's start. A form that is left
                     // leaves it as it is, unless nothing of it is stored.
                     if (!shownTrainingId().isEmpty()) return forkTraining(field);
                     endTraining([this, field] { forkTraining(field); });
                 });
                 m_figures->serve(charts->grid());
                 return charts;
             },
         .table = [](QWidget* view) { return static_cast<TrainCharts*>(view)->tableModel(); },
         .help = QStringLiteral("train")});
    addView({.id = QStringLiteral("pipeline"),
             .title = tr("Pipeline"),
             .icon = QStringLiteral("train"),
             .tip = tr("From the actors through queue and buffer to the learner, with all rates"),
             .make = [this](QWidget* parent) { return new PipelineView(m_training, parent); },
             .table = [](QWidget* view) { return static_cast<PipelineView*>(view)->tableModel(); },
             .help = QStringLiteral("train#pipeline")});
    addView({.id = QStringLiteral("steering"),
             .title = tr("Steering"),
             .icon = QStringLiteral("train"),
             .tip = tr("What can be changed while a training runs, and when it stops"),
             .place = ViewPlace::Left,
             .make =
                 [this](QWidget* parent) {
                     auto* panel = new SteeringPanel(m_training, parent);
                     connect(panel, &SteeringPanel::forkRequested, this, &MainWindow::forkTraining);
                     return panel;
                 },
             .help = QStringLiteral("train#steering")});
    addView({.id = QStringLiteral("liveWorld"),
             .title = tr("Live world"),
             .icon = QStringLiteral("world"),
             .tip = tr("The world of one actor as it acts"),
             .place = ViewPlace::Left,
             .make = [this](QWidget* parent) { return new LiveWorld(m_training, parent); },
             .table = [](QWidget* view) { return static_cast<LiveWorld*>(view)->tableModel(); },
             .help = QStringLiteral("train#live")});
}

void MainWindow::bindTraining() {
    Commands& c = commands();
    c.bind("view.train", [this] { showPerspective(QStringLiteral("train")); });
    c.bind("run.train", [this] { openTrainForm(); });
    c.bind("run.trainStep", [this] { m_training->doSteps(1); });
    c.bind("run.checkpoint", [this] { m_training->checkpoint(); });
    c.bind("run.fork", [this] { forkTraining({}); });
    c.bind("run.resume", [this] { resumeTraining(shownTrainingId()); });
}

void MainWindow::refreshTrainCommands() {
    Commands& c = commands();
    const bool isLive = m_training->isLive();
    const QString noTraining = tr("No training runs");
    c.setEnabled("run.train", whyNoTrainForm().isEmpty(), whyNoTrainForm());
    c.setEnabled("run.trainStep", isLive, noTraining);
    c.setEnabled("run.checkpoint", isLive, noTraining);
    c.setEnabled("run.fork", m_training->hasRun(), tr("There was no training yet"));
    c.setEnabled("run.resume", m_training->isResumable() && !runBridge().isLive(),
                 tr("No training that ended early is shown"));
    if (m_trainForm != nullptr) m_trainForm->setBlocked(whyNotTrain());
}

/// The stored run that Train shows; empty: none is stored.
QString MainWindow::shownTrainingId() const {
    const auto& shown = m_training->snapshot();
    return shown ? QString::fromStdString(shown->id) : QString();
}

/// Whether the form is for another training in the place of the one that waits for an answer.
bool MainWindow::forksHalted() const {
    return m_trainForm != nullptr && m_training->trouble() && !shownTrainingId().isEmpty() &&
           m_trainForm->parentRun().id == shownTrainingId().toStdString();
}

QString MainWindow::whyNotTrain() const {
    const Job& job = m_trainForm->spec().job;
    const std::vector<WorldRef> worlds = job.kind().worlds(job);
    if (worlds.empty() && job.kind().placeTitle.empty())
        return tr("No world is open: pick one on Home.");
    if (runBridge().isLive() && !forksHalted())
        return tr("A run is at work already. Stop it or wait, then start this one.");
    // A spec that was dropped, or the parent of a fork, brings its worlds along.
    const bool isOfDraft =
        session().isOpen() && worlds.size() == 1 && worlds.front().text == session().loaded().text;
    return isOfDraft ? draftError() : QString();
}

/// F7 in Train. False if the step is meant for the world.
bool MainWindow::stepTraining(bool isMany) {
    if (perspective() != QLatin1String("train") || !m_training->isLive()) return false;
    m_training->doSteps(isMany ? kManySteps : 1);
    return true;
}

TrainForm& MainWindow::trainForm() {
    if (m_trainForm == nullptr) {
        m_trainForm = new TrainForm(this);
        if (m_keptTraining) m_trainForm->setSpec(*m_keptTraining);
        connect(m_trainForm, &TrainForm::startRequested, this, [this] {
            const RunSpec spec = m_trainForm->namedSpec();
            RunSpec next = m_trainForm->spec();
            next.name.clear();  // the next one is another run
            m_trainForm->setSpec(next);
            const QString parent = QString::fromStdString(m_trainForm->parentRun().id);
            const auto start = [this, spec, parent] { startTraining(spec, parent); };
            forksHalted() ? endTraining(start) : start();
        });
        connect(m_trainForm, &TrainForm::methodTaken, this,
                [this] { m_trainForm->setBlocked(whyNotTrain()); });
        connect(m_trainForm, &TrainForm::rateWanted, this, &MainWindow::readTrainingRate);
        connect(m_trainForm, &TrainForm::memoryWanted, this, &MainWindow::estimateTrainingMemory);
    }
    return *m_trainForm;
}

void MainWindow::openTrainForm() {
    if (const QString why = whyNoTrainForm(); !why.isEmpty())
        return say(MessageKind::Info, why + u'.');
    TrainForm& form = trainForm();
    RunSpec spec = form.spec();
    const RunKind& kind = spec.job.kind();
    kind.training(spec.job)->changes.clear();
    if (session().isOpen()) {
        WorldRef world{.name = session().loaded().name,
                       .text = session().loaded().text,
                       .lenient = session().loaded().lenient};
        world.lenient |= std::ranges::any_of(kind.worlds(spec.job), &WorldRef::lenient);
        kind.takeWorlds(spec.job, {world});
        form.setWorlds({std::move(world)});
        form.setWorld(session().loaded().title);
    }
    form.setSpec(spec);
    form.forgetParent();
    showTrainForm({});
}

/// Without a point; empty if it can be opened: methods without worlds need none.
QString MainWindow::whyNoTrainForm() const {
    const auto needsWorld = [](const RunKind* kind) { return kind->placeTitle.empty(); };
    if (session().isOpen() || !std::ranges::all_of(trainingKinds(), needsWorld)) return {};
    return tr("No world is open: pick one on Home");
}

/// Opens the form for a child of the training that is shown, while that one trains, too.
void MainWindow::forkTraining(const QString& field) {
    if (!m_training->hasRun()) return openTrainForm();
    const QString id = shownTrainingId();
    if (id.isEmpty() || archive().workspace() == nullptr) return copyTraining(field);
    readForkParent(id, [this, field](ForkParent parent) {
        TrainForm& form = trainForm();
        form.setWorld(QString::fromStdString(nameWithoutDescription(parent.spec)));
        form.fork(std::move(parent));
        showTrainForm(field);
    });
}

void MainWindow::readForkParent(const QString& id, std::function<void(ForkParent)> then) {
    worker().append<ForkParent>(
        [workspace = archive().sharedWorkspace(), id = id.toStdString()](std::stop_token) {
            return forkParentOf(*workspace, id);
        },
        std::move(then), [this](const QString& text) { say(MessageKind::Error, text); });
}

/// Tells the form how fast an earlier training of that kind was.
void MainWindow::readTrainingRate(const QString& kind) {
    using Rate = std::optional<MeasuredRate>;
    const auto workspace = archive().sharedWorkspace();
    if (!workspace) return;
    worker().append<Rate>(
        [workspace, kind](const std::stop_token& stop) {
            return measuredRate(*workspace, kind, stop);
        },
        [this, kind](const Rate& rate) { m_trainForm->setRate(kind, rate); },
        [this](const QString& text) { say(MessageKind::Error, text); });
}

/// Tells the form what a training would come to hold. Inputs that are wrong the start tells of.
void MainWindow::estimateTrainingMemory(const RunSpec& spec) {
    using Parts = std::vector<MemoryPart>;
    const std::int64_t limit = memoryLimit(trainSettings(spec.job)->memoryBudget);
    worker().append<Parts>(
        [spec](const std::stop_token& stop) { return trainingMemory(spec.job, stop); },
        [this, spec, limit](const Parts& parts) { m_trainForm->setMemory(spec, parts, limit); },
        [](const QString&) {});
}

/// The same of a training that is not stored, so that the other one begins at the start.
void MainWindow::copyTraining(const QString& field) {
    TrainForm& form = trainForm();
    RunSpec spec = m_training->spec();
    spec.job = m_training->job();
    form.setWorld(QString::fromStdString(nameWithoutDescription(spec)));
    spec.name.clear();
    form.setSpec(spec);
    form.forgetParent();
    showTrainForm(field);
}

/// A form that waits for the end of the run that it forks offers the checkpoints that are there.
void MainWindow::refreshFork() {
    if (m_trainForm == nullptr || !m_trainForm->isVisible()) return;
    const QString id = QString::fromStdString(m_trainForm->parentRun().id);
    if (id.isEmpty() || id != shownTrainingId()) return;
    readForkParent(id, [this, id](const ForkParent& parent) {
        if (m_trainForm->parentRun().id == id.toStdString())
            m_trainForm->setCheckpoints(parent.checkpoints);
    });
}

void MainWindow::showTrainForm(const QString& field) {
    m_trainForm->setBlocked(whyNotTrain());
    m_trainForm->show();
    m_trainForm->raise();
    m_trainForm->activateWindow();
    m_trainForm->showField(field);
}

void MainWindow::startTraining(const RunSpec& spec, const QString& parentRun) {
    if (runBridge().isLive()) return say(MessageKind::Warning, whyNotTrain());
    RunOptions options;
    options.pausesAtTrouble = true;
    options.workspace = archive().writableWorkspace();
    options.parent = options.workspace != nullptr ? parentRun.toStdString() : std::string();
    m_training->begin(spec);
    try {
        runBridge().start(spec, std::move(options));
    } catch (const Error& error) {
        m_training->abandon();
        say(MessageKind::Error, QString::fromUtf8(error.what()), tr("Show the form"),
            [this] { openTrainForm(); });
        return refreshCommands();
    }
    readHistory();
    m_bench.note(tr("Train %1").arg(QString::fromStdString(spec.name)),
                 parentRun.isEmpty() && !isWorldModified()
                     ? trainArguments(spec, m_bench.workspaceText())
                     : QStringList());
    strip().clear();
    showPerspective(QStringLiteral("train"));
    showView(QStringLiteral("trainCharts"));  // its own buttons and curves before other runs' pages
    QTimer::singleShot(JobList::kShownAfterMs, this, [this, name = spec.name] {
        if (m_training->isLive() && m_job == 0)
            m_job = jobs().add(tr("Train %1").arg(QString::fromStdString(name)),
                               [this] { runBridge().cancel(); });
        keepSession();  // with the run that is shown, should the program be killed
    });
    refreshCommands();
}

/// Of a fork that begins with a checkpoint: what its parent's curves were until then.
void MainWindow::readHistory() {
    const RunSpec& spec = m_training->spec();
    if (trainSettings(spec.job)->fromRun.empty() || archive().workspace() == nullptr) return;
    using History = std::map<QString, TrainCurve>;
    worker().append<History>(
        [workspace = archive().sharedWorkspace(), spec](std::stop_token) {
            return shownCurves(historyOf(*workspace, spec));
        },
        [this, serial = m_training->serial()](History history) {
            if (m_training->serial() == serial) m_training->setHistory(std::move(history));
        },
        [this](const QString& text) { say(MessageKind::Warning, text); });
}

/// Home's card: the world of the first card, learned.
void MainWindow::trainExample() {
    if (runBridge().isLive()) return say(MessageKind::Warning, whyNotTrain());
    if (!session().isOpen() || session().loaded().name != kExampleWorld)
        openWorld(QString::fromLatin1(kExampleWorld));
    startTraining(learningExample(), {});
}

/// A stored run: a training is shown in Train, a solve comes back with its values.
void MainWindow::openRun(const QString& runId) {
    const auto& runs = archive().runs();
    const auto run = std::ranges::find(runs, runId.toStdString(), &RunRecord::id);
    if (run == runs.end() || !isTraining(*run)) return archive().reopen(runId);
    const auto& shown = m_training->snapshot();
    if (m_training->isLive()) {
        if (shown && shown->id == run->id) return showPerspective(QStringLiteral("train"));
        return say(MessageKind::Warning,
                   tr("A training runs and is shown. Stop it or wait, then open %1.")
                       .arg(runTitle(run->name, run->id)));
    }
    showStoredTraining(
        runId,
        [this, runId] {
            selection().setCurrent(RunItem{runId});
            m_bench.note(tr("Open run %1").arg(m_training->title()),
                         {QStringLiteral("orrery"), QStringLiteral("show"), runId});
            showPerspective(QStringLiteral("train"));
            tellDiverged();
        },
        [this](const QString& text) { say(MessageKind::Error, text); });
}

/// Reads a training of the history and shows it in Train.
void MainWindow::showStoredTraining(const QString& runId, const std::function<void()>& then,
                                    const std::function<void(const QString&)>& failed) {
    worker().append<ArchivedTraining>(
        [workspace = archive().sharedWorkspace(), id = runId.toStdString()](std::stop_token stop) {
            return readArchivedTraining(*workspace, id, stop);
        },
        [this, then](ArchivedTraining stored) {
            if (m_training->isLive()) return;
            m_training->show(std::move(stored));
            then();
            refreshCommands();
        },
        failed);
}

QString MainWindow::trainingState() const {
    return m_training->isLive() && m_training->numbers() != nullptr
               ? wordsHtml(trainStateText(*m_training))
               : QString();
}

QString MainWindow::trainingStatus() const {
    return m_training->isLive() && m_training->numbers() != nullptr ? trainStatusText(*m_training)
                                                                    : QString();
}

QJsonObject MainWindow::trainFormState() const {
    if (m_trainForm == nullptr && !m_keptTraining) return {};
    RunSpec spec = m_trainForm != nullptr ? m_trainForm->spec() : *m_keptTraining;
    const RunKind& kind = spec.job.kind();
    std::vector<WorldRef> worlds = kind.worlds(spec.job);
    for (WorldRef& world : worlds) world.text.reset();
    if (worlds.empty()) worlds = {{.name = kExampleWorld}};
    kind.takeWorlds(spec.job, worlds);
    TrainSettings& settings = *kind.training(spec.job);
    settings.fromRun.clear();
    settings.fromStep = 0;
    return QJsonDocument::fromJson(QByteArray::fromStdString(toJson(spec, -1))).object();
}

void MainWindow::restoreTrainForm(const QJsonObject& state) {
    if (state.isEmpty()) return;
    try {
        RunSpec spec = runSpecFromJson(
            QJsonDocument(state).toJson(QJsonDocument::Compact).toStdString(), "session");
        if (spec.job.kind().isTraining()) m_keptTraining = std::move(spec);
    } catch (const Error&) {
        // Of another version: the form begins with its defaults.
    }
}

}  // namespace orrery
