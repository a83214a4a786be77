#include "widgets/train/train_part.h"

#include <QAction>
#include <QTimer>
#include <algorithm>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/run/preset.h"
#include "core/run/run.h"
#include "core/run/run_kind.h"
#include "core/world/world.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/run_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/common/icons.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/part/command_text.h"
#include "widgets/part/live_part.h"
#include "widgets/part/run_progress.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_grid.h"
#include "widgets/settings/preferences.h"
#include "widgets/train/live_world.h"
#include "widgets/train/pipeline_view.h"
#include "widgets/train/steering_panel.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/train_charts.h"
#include "widgets/train/train_facts.h"
#include "widgets/train/train_session.h"
#include "widgets/train/view_clock.h"
#include "widgets/world/world_part.h"

namespace orrery {

namespace {

const QString kPerspective = QStringLiteral("train"), kCharts = QStringLiteral("trainCharts"),
              kViewRate = QStringLiteral("appearance/viewRate");
constexpr int kManySteps = 100;

/// Learns a small world in tables, in about a minute, with the error to exact all along.
RunSpec learningExample() {
    RunSpec spec;
    spec.name = "First steps, learned";
    spec.note = "Small enough to be solved exactly, so that the error of what is learned is known.";
    spec.seed = 1;
    const RunKind& kind = *findKind("train");
    spec.job = kind.fresh();
    kind.takeWorlds(spec.job, {{.name = kTrainExampleWorld}});
    applyPreset(spec, requirePreset(kind, "exact-tables"));
    return spec;
}

/// The icon of "Pause" is that of starting while the text is "Resume", in any theme.
void giveResumeItsIcon(QAction* action) {
    QObject::connect(action, &QAction::changed, action, [action, ours = qint64{0}]() mutable {
        const bool isResume = action->text() == TrainPart::tr("&Resume");
        if (isResume == (action->icon().cacheKey() == ours)) return;
        const QIcon icon = themedIcon(isResume ? QStringLiteral("media-playback-start")
                                               : QStringLiteral("media-playback-pause"),
                                      currentTokens());
        ours = isResume ? icon.cacheKey() : 0;
        action->setIcon(icon);
    });
}

}  // namespace

TrainPart::TrainPart(Workbench& bench, WorldPart* world, LivePart* live)
    : WindowPart(bench),
      m_world(world),
      m_live(live),
      m_training(new TrainSession(&runBridge(), &undoStack(), &frame())) {
    for (const auto signal : {&TrainSession::begun, &TrainSession::changed})
        connect(m_training, signal, this, &TrainPart::follow);
    connect(m_training, &TrainSession::halted, this, &TrainPart::tellHalted);
    connect(&runBridge(), &RunBridge::ended, this, &TrainPart::finish);
    connect(&m_training->clock(), &ViewClock::rateChanged, this,
            [this] { this->bench().prefer(kViewRate, m_training->clock().rate()); });
    connect(&archive(), &Archive::left, m_training, &TrainSession::leaveStore);
    connect(&archive(), &Archive::runsChanged, this, &TrainPart::reopenKept);
}

void TrainPart::addViews() {
    frame().addView(
        {.id = kCharts,
         .title = tr("Training"),
         .icon = QStringLiteral("train"),
         .tip = tr("Curves of the training as it runs, and its stages"),
         .make = [this](QWidget* parent) { return makeCharts(parent); },
         .table = [](QWidget* view) { return static_cast<TrainCharts*>(view)->tableModel(); },
         .help = QStringLiteral("train")});
    frame().addView(
        {.id = QStringLiteral("pipeline"),
         .title = tr("Pipeline"),
         .icon = QStringLiteral("train"),
         .tip = tr("From the actors through queue and buffer to the learner, with all rates"),
         .make = [this](QWidget* parent) { return new PipelineView(m_training, parent); },
         .table = [](QWidget* view) { return static_cast<PipelineView*>(view)->tableModel(); },
         .help = QStringLiteral("train#pipeline")});
    frame().addView({.id = QStringLiteral("steering"),
                     .title = tr("Steering"),
                     .icon = QStringLiteral("train"),
                     .tip = tr("What can be changed while a training runs, and when it stops"),
                     .place = ViewPlace::Left,
                     .make = [this](QWidget* parent) { return makeSteering(parent); },
                     .help = QStringLiteral("train#steering")});
    frame().addView(
        {.id = QStringLiteral("liveWorld"),
         .title = tr("Live world"),
         .icon = QStringLiteral("world"),
         .tip = tr("The world of one actor as it acts"),
         .place = ViewPlace::Left,
         .make = [this](QWidget* parent) { return new LiveWorld(m_training, parent); },
         .table = [](QWidget* view) { return static_cast<LiveWorld*>(view)->tableModel(); },
         .help = QStringLiteral("train#live")});
}

std::vector<PerspectiveSpec> TrainPart::perspectives() {
    return {{.id = kPerspective,
             .name = tr("Train"),
             .icon = QStringLiteral("train"),
             .tip = tr("Learn from sampled steps: watch, steer and check it"),
             .number = 4,
             .centre = R"({"tabs": ["trainCharts", "pipeline", "replay", "learned",
                                "profile", "tensors"]})",
             .panels = {QStringLiteral("steering"), QStringLiteral("liveWorld")},
             .widths = {236, 332},
             .heights = {480, 200},
             .hasTimeline = false,
             .smallCentre = R"({"tabs": ["trainCharts", "replay", "learned",
                                "profile", "tensors", "pipeline"]})",
             .smallPanels = {QStringLiteral("steering")},
             .smallWidths = {220, 280}}};
}

QWidget* TrainPart::makeCharts(QWidget* parent) {
    auto* charts = new TrainCharts(m_training, parent);
    connect(charts, &TrainCharts::trainRequested, commands().action(QStringLiteral("run.train")),
            &QAction::trigger);
    connect(charts, &TrainCharts::exampleRequested, this, &TrainPart::startExample);
    connect(charts, &TrainCharts::goBackRequested, this,
            [this] { end([this, id = shownId()] { resume(id); }); });
    connect(charts, &TrainCharts::forkRequested, this, [this](const QString& field) {
        // The one that waits is ended by the other's start. A form that is left leaves it as it
        // is, unless nothing of it is stored.
        if (!shownId().isEmpty()) return Q_EMIT forkRequested(field);
        end([this, field] { Q_EMIT forkRequested(field); });
    });
    connect(charts->grid(), &ChartGrid::figureRequested, this,
            [this, charts](const QString& id) { bench().offerFigure(charts->grid()->chart(id)); });
    return charts;
}

QWidget* TrainPart::makeSteering(QWidget* parent) {
    auto* panel = new SteeringPanel(m_training, parent);
    connect(panel, &SteeringPanel::forkRequested, this, &TrainPart::forkRequested);
    return panel;
}

void TrainPart::bindCommands() {
    Commands& c = commands();
    c.bind("run.trainStep", [this] { m_training->doSteps(1); });
    c.bind("run.checkpoint", [this] { m_training->checkpoint(); });
    c.bind("run.fork", [this] { Q_EMIT forkRequested({}); });
    c.bind("run.resume", [this] { resume(shownId()); });
    giveResumeItsIcon(c.action(QStringLiteral("run.pause")));
    c.bind("run.pause", [this] { pauseOrResume(); });
    c.bind("run.cancel", [this] { runBridge().cancel(); });
}

void TrainPart::pauseOrResume() {
    if (!runBridge().isLive()) return resume(shownId());
    const auto snapshot = runBridge().snapshot();
    if (snapshot && snapshot->state == RunState::Paused)
        runBridge().resume();
    else
        runBridge().pause();
}

void TrainPart::refreshCommands() {
    Commands& c = commands();
    const bool isTraining = m_training->isLive(), isLive = runBridge().isLive();
    const QString noTraining = tr("No training runs"), noRun = tr("Nothing runs");
    c.setEnabled("run.trainStep", isTraining, noTraining);
    c.setEnabled("run.checkpoint", isTraining, noTraining);
    c.setEnabled("run.fork", m_training->hasRun(), tr("There was no training yet"));
    c.setEnabled("run.resume", m_training->isResumable() && !isLive,
                 tr("No training that ended early is shown"));
    const auto snapshot = runBridge().snapshot();
    const bool isHere = perspective() == kPerspective;
    const bool isResumable = isHere && !isLive && m_training->isResumable();
    const bool isPaused = isLive && snapshot && snapshot->state == RunState::Paused;
    c.setEnabled("run.pause", isLive || isResumable, noRun);
    c.setEnabled("run.cancel", isLive, noRun);
    c.action(QStringLiteral("run.pause"))
        ->setText(isPaused || isResumable ? tr("&Resume") : tr("&Pause"));
    // A training that is ended keeps what it has learned, a solve nothing.
    c.action(QStringLiteral("run.cancel"))
        ->setText(isTraining || (isHere && !isLive) ? tr("&Stop") : tr("&Cancel"));
}

void TrainPart::applyPreference(const QString& key) {
    if (key == kViewRate) m_training->clock().setRate(preferences().value(key).toInt());
}

std::optional<StatusText> TrainPart::status() const {
    const auto snapshot = runBridge().snapshot();
    if (!m_training->isLive() || m_training->numbers() == nullptr || !snapshot) return {};
    const QString numbers = trainStatusText(*m_training);
    if (snapshot->state == RunState::Paused)
        return StatusText{StatusKind::Waiting, tr("Paused"), numbers};
    if (snapshot->state == RunState::Blocked)
        return StatusText{StatusKind::Waiting, tr("Waits for disk space"), numbers};
    return StatusText{StatusKind::Working, wordsHtml(trainStateText(*m_training)), numbers};
}

/// F7 steps the training while it is watched.
std::optional<StepKeys> TrainPart::stepKeys() {
    if (perspective() != kPerspective || !m_training->isLive()) return {};
    return StepKeys{.forwardText = tr("Training &step"),
                    .backText = tr("&100 training steps"),
                    .canForward = true,
                    .canBack = true,
                    .whyNotForward = {},
                    .whyNotBack = {},
                    .forward = [this] { m_training->doSteps(1); },
                    .back = [this] { m_training->doSteps(kManySteps); }};
}

QString TrainPart::shownId() const {
    const auto& shown = m_training->snapshot();
    return shown ? QString::fromStdString(shown->id) : QString();
}

/// Whether what stands around the views is about the training, not about the open world.
bool TrainPart::isShown() const {
    return perspective() == kPerspective && m_training->hasRun();
}

QString TrainPart::windowTitle() const {
    return isShown() ? m_training->title() : QString();
}

/// Its world and run; the state that is selected, where the open world is that world.
QStringList TrainPart::crumbs() const {
    if (!isShown()) return {};
    QStringList parts{m_training->worldTitle().toHtmlEscaped(),
                      QStringLiteral("<b>%1</b>").arg(m_training->title().toHtmlEscaped())};
    parts.removeAll(QString());
    const TrainSnapshot* training = m_training->training();
    const auto isOpenHere = [this](const std::shared_ptr<const World>& world) {
        return session().isOpen() && world->contentHash() == session().world().contentHash();
    };
    if (training == nullptr || std::ranges::none_of(training->worlds, isOpenHere)) return parts;
    parts << tr("t %1").arg(session().state().step);
    if (session().state().index >= 0) parts << tr("s %1").arg(countText(session().state().index));
    return parts;
}

/// The training that is shown is called by its name wherever the window names it. It tells of
/// itself less often than its snapshots come.
void TrainPart::follow() {
    frame().setSubject(kCharts, m_training->shortTitle());
    if (m_training->isLive() && runBridge().snapshot())
        m_live->showProgress();
    else
        bench().refresh();
}

void TrainPart::startExample() {
    if (runBridge().isLive())
        return say(MessageKind::Warning,
                   tr("A run is at work already. Stop it or wait, then start this one."));
    if (!session().isOpen() || session().loaded().name != kTrainExampleWorld)
        m_world->open({.name = kTrainExampleWorld});
    start(learningExample(), {});
}

void TrainPart::start(const RunSpec& spec, const QString& parentRun) {
    if (runBridge().isLive())
        return say(MessageKind::Warning,
                   tr("A run is at work already. Stop it or wait, then start this one."));
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
            [this] { commands().action(QStringLiteral("run.train"))->trigger(); });
        return bench().refresh();
    }
    readHistory();
    noteStart(spec, !parentRun.isEmpty());
    strip().clear();
    showPerspective(kPerspective);
    showView(kCharts);  // its own buttons and curves before other runs' pages
    m_live->begin(tr("Train %1").arg(QString::fromStdString(spec.name)));
    // With the run that is shown, should the program be killed.
    QTimer::singleShot(JobList::kShownAfterMs, this, [this] { bench().keepSession(); });
    bench().refresh();
}

void TrainPart::noteStart(const RunSpec& spec, bool isFork) {
    bench().note(tr("Train %1").arg(QString::fromStdString(spec.name)),
                 isFork || m_world->isModified() ? QStringList()
                                                 : trainArguments(spec, bench().workspaceText()));
}

/// Of a fork that begins with a checkpoint: what its parent's curves were until then.
void TrainPart::readHistory() {
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

}  // namespace orrery
