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
#include "widgets/bridge/live_runs.h"
#include "widgets/common/commands.h"
#include "widgets/common/message_strip.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/part/command_text.h"
#include "widgets/part/live_part.h"
#include "widgets/part/perspective_ids.h"
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

const QString kCharts = QStringLiteral("trainCharts"),
              kViewRate = QStringLiteral("appearance/viewRate");

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

}  // namespace

TrainPart::TrainPart(Workbench& bench, WorldPart* world, LivePart* live)
    : WindowPart(bench),
      m_world(world),
      m_live(live),
      m_training(new TrainSession(&undoStack(), &frame())) {
    for (const auto signal : {&TrainSession::begun, &TrainSession::changed})
        connect(m_training, signal, this, &TrainPart::follow);
    connect(&this->live(), &LiveRuns::begun, this, &TrainPart::begin);
    connect(&this->live(), &LiveRuns::ended, this, &TrainPart::finish);
    connect(&this->bench(), &Workbench::liveWanted, this, &TrainPart::showLive);
    connect(&m_training->clock(), &ViewClock::rateChanged, this,
            [this] { this->bench().prefer(kViewRate, m_training->clock().rate()); });
    connect(&archive(), &Archive::left, this, [this] { record().leaveStore(); });
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
    return {{.id = kTrainPerspective,
             .name = tr("Train"),
             .icon = QStringLiteral("train"),
             .tip = tr("Learn from sampled steps: watch, steer and check it"),
             .number = 4,
             .centre = R"({"tabs": ["trainCharts", "pipeline", "replay", "rollout", "learned",
                                "profile", "tensors"]})",
             .panels = {QStringLiteral("steering"), QStringLiteral("liveWorld")},
             .widths = {236, 332},
             .heights = {480, 200},
             .hasTimeline = false,
             .smallCentre = R"({"tabs": ["trainCharts", "replay", "rollout", "learned",
                                "profile", "tensors", "pipeline"]})",
             .smallPanels = {QStringLiteral("steering")},
             .smallWidths = {220, 280}}};
}

QWidget* TrainPart::makeCharts(QWidget* parent) {
    auto* charts = new TrainCharts(m_training, parent);
    connect(charts, &TrainCharts::trainRequested, commands().action(QStringLiteral("run.train")),
            &QAction::trigger);
    connect(charts, &TrainCharts::exampleRequested, this, &TrainPart::startExample);
    const auto tellNewest = [this, charts] {
        const RunRecord* newest = newestStored();
        charts->setNewestStored(newest == nullptr ? QString() : runName(newest->name, newest->id));
    };
    connect(&archive(), &Archive::runsChanged, charts, tellNewest);
    tellNewest();
    connect(charts, &TrainCharts::newestRequested, this, [this] {
        if (const RunRecord* newest = newestStored()) opensRun(*newest);
    });
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

/// Null: no training is stored.
const RunRecord* TrainPart::newestStored() const {
    const auto at = std::ranges::find_if(archive().runs(),
                                         [](const RunRecord& run) { return isTraining(run); });
    return at == archive().runs().end() ? nullptr : &*at;
}

QWidget* TrainPart::makeSteering(QWidget* parent) {
    auto* panel = new SteeringPanel(m_training, parent);
    connect(panel, &SteeringPanel::forkRequested, this, &TrainPart::forkRequested);
    return panel;
}

void TrainPart::bindCommands() {
    Commands& c = commands();
    c.bind("run.trainStep", [this] { record().doSteps(1); });
    c.bind("run.checkpoint", [this] { record().checkpoint(); });
    c.bind("run.fork", [this] { Q_EMIT forkRequested({}); });
    c.bind("run.resume", [this] { resume(shownId()); });
}

void TrainPart::refreshCommands() {
    Commands& c = commands();
    const bool isLive = record().isLive();
    const QString noTraining = tr("No training runs");
    c.setEnabled("run.trainStep", isLive, noTraining);
    c.setEnabled("run.checkpoint", isLive, noTraining);
    c.setEnabled("run.fork", record().hasRun(), tr("There was no training yet"));
    c.setEnabled("run.resume", record().isResumable(), tr("No training that ended early is shown"));
    m_live->setShown(shown() != nullptr ? shown()->run->number() : 0);
}

/// Commands go to the training that is shown, while it is looked at.
std::optional<RunKeys> TrainPart::runKeys() {
    const bool isOther = !record().hasRun() && live().isLive();
    if (perspective() != kTrainPerspective || isOther) return {};
    if (shown() != nullptr) return m_live->keysOf(*shown()->run);
    return RunKeys{.pauseText = record().isResumable() ? tr("&Resume") : tr("&Pause"),
                   .endText = tr("&Stop"),
                   .canPause = record().isResumable(),
                   .pause = [this] { resume(shownId()); }};
}

void TrainPart::applyPreference(const QString& key) {
    if (key == kViewRate) m_training->clock().setRate(preferences().value(key).toInt());
}

std::optional<StatusText> TrainPart::status() const {
    const bool isMeant = isShown() || live().numAtWork() == 1;
    if (!isMeant || !record().isLive() || record().numbers() == nullptr) return {};
    return liveStatus(*record().snapshot(), wordsHtml(trainStateText(*m_training)),
                      trainStatusText(*m_training));
}

/// F7 steps the training while it is watched.
std::optional<StepKeys> TrainPart::stepKeys() {
    if (perspective() != kTrainPerspective || !record().isLive()) return {};
    return StepKeys{.forwardText = tr("Training &step"),
                    .backText = tr("&100 training steps"),
                    .canForward = true,
                    .canBack = true,
                    .whyNotForward = {},
                    .whyNotBack = {},
                    .forward = [this] { record().doSteps(1); },
                    .back = [this] { record().doSteps(TrainRecord::kManySteps); }};
}

QString TrainPart::shownId() const {
    const auto& shown = record().snapshot();
    return shown ? QString::fromStdString(shown->id) : QString();
}

/// Whether what stands around the views is about the training, not about the open world.
bool TrainPart::isShown() const {
    return perspective() == kTrainPerspective && record().hasRun();
}

QString TrainPart::windowTitle() const {
    return isShown() ? record().title() : QString();
}

/// Its world and run; the state that is selected, where the open world is that world.
QStringList TrainPart::crumbs() const {
    if (!isShown()) return {};
    QStringList parts{record().worldTitle().toHtmlEscaped(),
                      QStringLiteral("<b>%1</b>").arg(record().title().toHtmlEscaped())};
    parts.removeAll(QString());
    const TrainSnapshot* training = record().training();
    const auto isOpenHere = [this](const std::shared_ptr<const World>& world) {
        return session().isOpen(*world);
    };
    if (training == nullptr || std::ranges::none_of(training->worlds, isOpenHere)) return parts;
    parts << tr("t %1").arg(session().state().step);
    if (session().state().index >= 0) parts << tr("s %1").arg(countText(session().state().index));
    return parts;
}

/// The training that is shown is called by its name wherever the window names it.
void TrainPart::follow() {
    frame().setSubject(kCharts, record().shortTitle());
    bench().refresh();
}

TrainRecord& TrainPart::record() const {
    return m_training->record();
}

/// Null: it is not at work.
const TrainPart::Followed* TrainPart::shown() const {
    const auto at = std::ranges::find(m_followed, m_training->sharedRecord(), &Followed::record);
    return at == m_followed.end() ? nullptr : &*at;
}

void TrainPart::begin(LiveRun* run) {
    if (!run->spec().job.kind().isTraining()) return;
    auto earlier = std::exchange(m_earlier, nullptr);
    const bool goesOn = earlier != nullptr;
    auto record = goesOn ? std::make_shared<TrainRecord>(std::move(*earlier), &run->bridge())
                         : std::make_shared<TrainRecord>(run->spec(), &run->bridge());
    m_followed.push_back({run, record});
    connect(record.get(), &TrainRecord::halted, this,
            [this, halted = std::weak_ptr(record)] { tellHalted(halted.lock()); });
    if (!goesOn) readHistory(record);
    // One whose turn comes later does not take the place of what is looked at.
    if (std::exchange(m_showsNext, false) || !this->record().hasRun()) m_training->show(record);
}

void TrainPart::showLive(int number) {
    const auto at = std::ranges::find_if(
        m_followed, [number](const Followed& each) { return each.run->number() == number; });
    if (at == m_followed.end()) return;
    m_training->show(at->record);
    showPerspective(kTrainPerspective);
    showView(kCharts);
}

void TrainPart::startExample() {
    if (!session().isOpen() || session().loaded().name != kTrainExampleWorld)
        m_world->open({.name = kTrainExampleWorld});
    start({learningExample()}, {});
}

void TrainPart::start(const std::vector<RunSpec>& specs, const QString& parentRun) {
    RunOptions options = m_live->newOptions();
    options.parent = options.workspace != nullptr ? parentRun.toStdString() : std::string();
    strip().clear();
    m_showsNext = true;
    const int numWaiting = live().numWaiting();
    for (const RunSpec& spec : specs) {
        if (!startOne(spec, options)) break;
        noteStart(spec, !parentRun.isEmpty());
    }
    m_showsNext = false;
    if (const int more = live().numWaiting() - numWaiting; more > 0) m_live->tellWaiting(more);
    // With the runs that are live, should the program be killed.
    QTimer::singleShot(JobList::kShownAfterMs, this, [this] { bench().keepSession(); });
    bench().refresh();
}

/// @return whether it is at work, or waits for its turn
bool TrainPart::startOne(const RunSpec& spec, RunOptions options) {
    try {
        const LiveRun& run = live().enqueue(spec, std::move(options));
        if (shown() != nullptr && shown()->run == &run) {
            showPerspective(kTrainPerspective);
            showView(kCharts);  // its own buttons and curves before other runs' pages
        }
        return true;
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()), tr("Show the form"),
            [this] { commands().action(QStringLiteral("run.train"))->trigger(); });
        return false;
    }
}

void TrainPart::noteStart(const RunSpec& spec, bool isFork) {
    bench().note(tr("Train %1").arg(QString::fromStdString(spec.name)),
                 isFork || m_world->isModified() ? QStringList()
                                                 : trainArguments(spec, bench().workspaceText()));
}

/// Of a fork that begins with a checkpoint: what its parent's curves were until then.
void TrainPart::readHistory(const std::shared_ptr<TrainRecord>& record) {
    const RunSpec& spec = record->spec();
    if (trainSettings(spec.job)->fromRun.empty() || archive().workspace() == nullptr) return;
    using History = std::map<QString, TrainCurve>;
    worker().append<History>(
        [workspace = archive().sharedWorkspace(), spec](std::stop_token) {
            return shownCurves(historyOf(*workspace, spec));
        },
        [record](History history) { record->setHistory(std::move(history)); },
        [this](const QString& text) { say(MessageKind::Warning, text); });
}

}  // namespace orrery
