#include "widgets/part/live_part.h"

#include <QJsonDocument>
#include <QPointer>
#include <QStatusBar>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/thread_team.h"
#include "core/run/run_kind.h"
#include "core/run/snapshot.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/bridge/queue_bridge.h"
#include "widgets/common/commands.h"
#include "widgets/part/live_panel.h"
#include "widgets/part/live_strip.h"
#include "widgets/part/run_progress.h"
#include "widgets/settings/preferences.h"

namespace orrery {

namespace {

constexpr int kShowMs = 250;
constexpr int kMostInTurn = 16;  ///< runs of the last session that are brought back: 0.4 ms each
const QString kView = QStringLiteral("liveRuns"), kMost = QStringLiteral("compute/runsAtOnce");

}  // namespace

QString liveTitle(const LiveRun& run) {
    const QString name = QString::fromStdString(run.spec().name);
    return run.spec().job.kind().isTraining() ? LivePart::tr("Train %1").arg(name)
                                              : LivePart::tr("Solve %1").arg(name);
}

QString liveStateText(const LiveRun& run) {
    if (!run.isAtWork()) return run.isHeld() ? LivePart::tr("held") : LivePart::tr("waits");
    const auto snapshot = run.snapshot();
    if (snapshot && snapshot->state == RunState::Paused) return LivePart::tr("paused");
    if (snapshot && snapshot->state == RunState::Blocked) return LivePart::tr("disk full");
    if (!snapshot || snapshot->progress.phase.empty()) return LivePart::tr("begins");
    const Progress& progress = snapshot->progress;
    if (progress.total <= 0) return phaseText(progress);
    return QStringLiteral("%1 %").arg(100 * progress.done / progress.total);
}

StatusText liveStatus(const RunSnapshot& now, const QString& doing, const QString& numbers) {
    if (now.state == RunState::Paused)
        return {StatusKind::Waiting, LivePart::tr("Paused"), numbers};
    if (now.state == RunState::Blocked)
        return {StatusKind::Waiting, LivePart::tr("Waits for disk space"), numbers};
    return {StatusKind::Working, doing, numbers};
}

LivePart::LivePart(Workbench& bench) : WindowPart(bench) {
    m_showing.setSingleShot(true);
    connect(&m_showing, &QTimer::timeout, this, &LivePart::show);
    connect(&live(), &LiveRuns::begun, this, &LivePart::begin);
    connect(&live(), &LiveRuns::snapshotChanged, this, &LivePart::take);
    // Once, however many are put into the queue in this turn.
    connect(&live(), &LiveRuns::listChanged, this, [this] { m_showing.start(0); });
    connect(&live(), &LiveRuns::failed, this, [this](const LiveRun* run, const QString& why) {
        say(MessageKind::Error, tr("%1 could not begin: %2").arg(liveTitle(*run), why));
    });
    connect(&archive(), &Archive::opened, this, &LivePart::restoreWaiting);
}

void LivePart::addViews() {
    frame().addView({.id = kView,
                     .title = tr("Live runs"),
                     .icon = QStringLiteral("system-run"),
                     .tip = tr("What runs now and what waits for its turn: show, pause, end, move"),
                     .place = ViewPlace::Bottom,
                     .make = [this](QWidget* parent) { return new LivePanel(&bench(), parent); },
                     .help = QStringLiteral("window#live")});
    m_strip = new LiveStrip(&live(), &frame());
    frame().statusBar()->addPermanentWidget(m_strip);
    connect(m_strip, &LiveStrip::wanted, &bench(), &Workbench::showLive);
    connect(m_strip, &LiveStrip::listWanted, this, [this] { showView(kView); });
}

void LivePart::bindCommands() {
    commands().bind("run.live", [this] { showView(kView); });
}

void LivePart::setShown(int number) {
    m_strip->setShown(number);
}

void LivePart::applyPreference(const QString& key) {
    if (key != kMost) return;
    const int most = preferences().value(kMost).toInt();
    live().setMost(most > 0 ? most : processorCount());
}

void LivePart::begin(LiveRun* run) {
    m_followed.insert(run->number(), {});
    QTimer::singleShot(JobList::kShownAfterMs, run, [this, run] {
        if (!run->isAtWork()) return;
        m_followed[run->number()].job = jobs().add(liveTitle(*run), [run = QPointer(run)] {
            if (run) run->bridge().cancel();
        });
    });
}

/// Another state is shown at once; how far a run is, as often as somebody can read it.
void LivePart::take(LiveRun* run) {
    Followed& followed = m_followed[run->number()];
    const RunSnapshot& now = *run->snapshot();
    const RunState before = std::exchange(followed.state, now.state);
    if (now.state == RunState::Blocked && before != RunState::Blocked)
        say(MessageKind::Warning, QString::fromStdString(now.trouble));
    if (now.state != RunState::Blocked && before == RunState::Blocked) strip().clear();
    if (before != now.state)
        show();
    else if (!m_showing.isActive())
        m_showing.start(kShowMs);
}

void LivePart::show() {
    for (LiveRun* run : live().runs()) {
        const int job = m_followed.value(run->number()).job;
        if (const auto now = run->snapshot(); job != 0 && now)
            jobs().setProgress(job, jobProgress(now->progress), now->state == RunState::Paused);
    }
    m_strip->refresh();
    Q_EMIT bench().liveShown();
}

void LivePart::end(const LiveRun& run, JobList::State outcome, const QString& text) {
    const Followed followed = m_followed.take(run.number());
    if (followed.job != 0) jobs().finish(followed.job, outcome, text);
    bench().refresh();
}

void LivePart::tellWaiting(int number) const {
    const QString text = number == 1 ? tr("The run waits for its turn: as many are at work as may "
                                          "be at once (%1).")
                                     : tr("%2 runs wait for their turn: as many are at work as may "
                                          "be at once (%1).");
    const QString most = text.arg(live().most());
    say(MessageKind::Info, number == 1 ? most : most.arg(number), tr("Show"),
        [this] { showView(kView); });
}

bool LivePart::isSettled() const {
    return !live().isLive() && !queue().isLive();
}

RunOptions LivePart::newOptions() const {
    RunOptions options;
    options.workspace = archive().writableWorkspace();
    options.pausesAtTrouble = true;
    return options;
}

RunKeys LivePart::keysOf(LiveRun& run) const {
    const auto pauseOrResume = [run = QPointer(&run)] {
        if (run) run->bridge().pauseOrResume();
    };
    const auto end = [run = QPointer(&run)] {
        if (run) run->bridge().cancel();
    };
    // A training that is ended keeps what it has learned, a solve nothing.
    return {.pauseText = run.bridge().isPaused() ? tr("&Resume") : tr("&Pause"),
            .endText = run.spec().job.kind().isTraining() ? tr("&Stop") : tr("&Cancel"),
            .canPause = true,
            .canEnd = true,
            .pause = pauseOrResume,
            .end = end};
}

/// Where no part shows one of its own: the run that began last.
std::optional<RunKeys> LivePart::runKeys() {
    const int numAtWork = live().numAtWork();
    if (numAtWork > 0) return keysOf(*live().runs()[static_cast<std::size_t>(numAtWork) - 1]);
    return RunKeys{.pauseText = tr("&Pause"), .endText = tr("&Cancel")};
}

/// Of several at once; parts ask about the only one.
std::optional<CloseQuestion> LivePart::closeQuestion() const {
    const int numAtWork = live().numAtWork();
    if (numAtWork < 2) return {};
    const auto& runs = live().runs();
    const auto isTraining = [](const LiveRun* run) { return run->spec().job.kind().isTraining(); };
    const auto last = runs.begin() + numAtWork;
    const bool areTrainings = std::all_of(runs.begin(), last, isTraining);
    const bool isPaused = std::any_of(runs.begin(), last,
                                      [](const LiveRun* run) { return run->bridge().isPaused(); });
    QString remark = tr("A training that is stopped keeps a checkpoint and can be resumed.");
    if (!areTrainings) remark += u' ' + tr("What a cancelled solve has explored is lost.");
    if (live().numWaiting() > 0 && bench().keepsPreferences() &&
        preferences().isOn(QStringLiteral("general/restoreSession")))
        remark += u' ' + tr("Those that wait are there again at the next start.");
    return CloseQuestion{
        .title = tr("Runs are at work"),
        .question = tr("%1 runs are at work. What is to become of them?").arg(numAtWork),
        .remark = remark,
        .endText = areTrainings ? tr("&Checkpoint and quit") : tr("End them and &quit"),
        .finishText = tr("&Finish them, then quit"),
        .canFinish = !isPaused};
}

void LivePart::saveSession(QJsonObject& session) const {
    QJsonArray waiting = m_kept;
    for (const LiveRun* run : live().runs())
        if (!run->isAtWork())
            waiting.append(QJsonObject{
                {QStringLiteral("workspace"), bench().workspaceFolder()},
                {QStringLiteral("spec"),
                 QJsonDocument::fromJson(QByteArray::fromStdString(toJson(run->spec()))).object()},
                {QStringLiteral("parent"), QString::fromStdString(run->options().parent)}});
    if (!waiting.isEmpty()) session.insert(QStringLiteral("waitingRuns"), waiting);
}

void LivePart::restoreSession(const QJsonObject& session, bool /*hasOtherWorld*/) {
    m_kept = session.value(u"waitingRuns").toArray();
}

void LivePart::restore(const QJsonObject& waiting) {
    RunOptions options = newOptions();
    options.parent = waiting.value(u"parent").toString().toStdString();
    try {
        const QByteArray text = QJsonDocument(waiting.value(u"spec").toObject()).toJson();
        live().keep(runSpecFromJson(text.toStdString(), "session"), std::move(options));
        ++m_numRestored;
    } catch (const Error&) {
        // Of another version: it cannot be started here.
    }
}

/// Runs that waited when a session with this workspace ended wait again, until somebody lets them
/// go on.
void LivePart::restoreWaiting() {
    if (archive().writableWorkspace() == nullptr) return;
    int numInTurn = 0;
    for (qsizetype i = 0; i < m_kept.size();) {
        if (m_kept.at(i)[u"workspace"].toString() != bench().workspaceFolder()) {
            ++i;
            continue;
        }
        if (numInTurn++ == kMostInTurn) {
            QTimer::singleShot(0, this, &LivePart::restoreWaiting);
            return;
        }
        restore(m_kept.takeAt(i).toObject());
    }
    const int number = std::exchange(m_numRestored, 0);
    if (number == 0) return;
    say(MessageKind::Info,
        number == 1 ? tr("A run of the last session still waits for its turn.")
                    : tr("%1 runs of the last session still wait for their turn.").arg(number),
        tr("Let them begin"), [this] { live().holdWaiting(false); });
}

}  // namespace orrery
