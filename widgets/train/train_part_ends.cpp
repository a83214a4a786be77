// A training that ends, waits, goes on or comes back.
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/run.h"
#include "core/run/run_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/live_runs.h"
#include "widgets/common/number_text.h"
#include "widgets/common/run_title.h"
#include "widgets/part/live_part.h"
#include "widgets/part/perspective_ids.h"
#include "widgets/train/stored_training.h"
#include "widgets/train/train_part.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

bool hasCheckpoint(const RunSnapshot& snapshot) {
    const auto* training = std::get_if<TrainSnapshot>(&snapshot.job);
    return training != nullptr && !training->checkpoints.empty();
}

/// What becomes of a training that is ended by closing the window.
QString endTextOf(const TrainRecord& record) {
    const auto trouble = record.trouble();
    if (!trouble || !trouble->isLast)
        return QObject::tr("A training that is stopped keeps a checkpoint and can be resumed.");
    const auto& kept = record.training()->checkpoints;
    const QString text = QObject::tr(
        "It waits for you: too many steps in a row were skipped. If it is "
        "ended here, it has diverged, and no checkpoint is made of it");
    return kept.empty()
               ? QObject::tr("%1; it has none yet.").arg(text)
               : QObject::tr("%1; that of step %2 is kept.").arg(text, countText(kept.back().step));
}

QString divergedText(const QString& run, const RunSnapshot& snapshot, const QString& summary) {
    const QString kept =
        hasCheckpoint(snapshot)
            ? QObject::tr("Its checkpoint of step %1 is kept.")
                  .arg(countText(std::get<TrainSnapshot>(snapshot.job).checkpoints.back().step))
            : QObject::tr("It has no checkpoint; begin anew with another rate.");
    const QString how = summary.isEmpty() ? QString::fromStdString(snapshot.trouble) : summary;
    return QObject::tr("%1: %2. %3").arg(run, how, kept);
}

}  // namespace

void TrainPart::saveSession(QJsonObject& state) const {
    if (shownId().isEmpty() || !archive().workspace()) return;
    state.insert(QStringLiteral("training"), shownId());
    state.insert(QStringLiteral("trainingWorkspace"), bench().workspaceFolder());
}

void TrainPart::restoreSession(const QJsonObject& state, bool hasOtherWorld) {
    if (hasOtherWorld) return;
    m_kept = state.value(u"training").toString();
    m_keptWorkspace = state.value(u"trainingWorkspace").toString();
}

/// The training that was shown is there again, however it ended.
void TrainPart::reopenKept() {
    const QString id = std::exchange(m_kept, {});
    const auto& runs = archive().runs();
    const auto run = std::ranges::find(runs, id.toStdString(), &RunRecord::id);
    if (id.isEmpty() || record().hasRun() || bench().workspaceFolder() != m_keptWorkspace) return;
    // In the trash it is not listed and was shown all the same; deleted, it is gone without a word.
    const auto failed = [this, isListed = run != runs.end()](const QString& text) {
        if (isListed) say(MessageKind::Error, text);
    };
    showStored(
        id, [this] { tellInterrupted(); }, failed);
}

bool TrainPart::opensRun(const RunRecord& run) {
    if (!isTraining(run)) return false;
    const QString id = QString::fromStdString(run.id);
    const auto at = std::ranges::find_if(
        m_followed, [&](const Followed& each) { return each.record->runId() == id; });
    if (at != m_followed.end()) {
        showLive(at->run->number());
        return true;
    }
    const auto then = [this, id] {
        selection().setCurrent(RunItem{id});
        bench().note(tr("Open run %1").arg(record().title()),
                     {QStringLiteral("orrery"), QStringLiteral("show"), id});
        showPerspective(kTrainPerspective);
        tellDiverged();
    };
    showStored(id, then, sayError());
    return true;
}

/// Reads a training of the history and shows it.
void TrainPart::showStored(const QString& runId, const std::function<void()>& then,
                           const std::function<void(const QString&)>& failed) {
    worker().append<ArchivedTraining>(
        [workspace = archive().sharedWorkspace(), id = runId.toStdString()](std::stop_token stop) {
            return readArchivedTraining(*workspace, id, stop);
        },
        [this, then](ArchivedTraining stored) {
            m_training->show(std::make_shared<TrainRecord>(std::move(stored)));
            then();
            bench().refresh();
        },
        failed);
}

/// How far a training came that the program did not end, and what may be done.
void TrainPart::tellInterrupted() {
    const QString id = record().runId();
    const auto reach = archive().reached().find(id.toStdString());
    if (record().snapshot()->state != RunState::Interrupted || reach == archive().reached().end())
        return;
    say(MessageKind::Info, tr("%1: %2").arg(record().title(), interruptedText(reach->second)),
        tr("Resume"), [this, id] { resume(id); });
}

/// Why a training of the history ended early, and what may be done.
void TrainPart::tellDiverged() {
    const RunSnapshot& snapshot = *record().snapshot();
    if (snapshot.state != RunState::Diverged) return;
    const QString text = divergedText(record().title(), snapshot, {});
    if (hasCheckpoint(snapshot))
        say(MessageKind::Error, text, tr("Resume"), [this, id = record().runId()] { resume(id); });
    else
        say(MessageKind::Error, text, tr("Fork..."), [this] { Q_EMIT forkRequested({}); });
}

bool TrainPart::continuesRun(const RunRecord& run) {
    if (!isTraining(run)) return false;
    resume(QString::fromStdString(run.id));
    return true;
}

void TrainPart::resume(const QString& runId) {
    if (archive().writableWorkspace() == nullptr)
        return say(MessageKind::Warning,
                   tr("The workspace is only read, so the training cannot go on. Close the program "
                      "that writes to it."));
    worker().append<ArchivedTraining>(
        [workspace = archive().sharedWorkspace(), id = runId.toStdString()](std::stop_token stop) {
            return readArchivedTraining(*workspace, id, stop);
        },
        [this, workspace = archive().sharedWorkspace(), runId](ArchivedTraining stored) {
            if (workspace != archive().sharedWorkspace()) return;  // the id is of another run there
            const auto& all = live().runs();
            const bool isLive = std::ranges::any_of(all, [&](const LiveRun* run) {
                return run->options().resumedId == runId.toStdString();
            });
            if (!isLive) goOn(std::move(stored), runId);
        },
        sayError());
}

/// At once, however many are at work: it has been waited for already.
void TrainPart::goOn(ArchivedTraining earlier, const QString& runId) {
    RunOptions options = m_live->newOptions();
    options.resumedId = runId.toStdString();
    const RunSpec spec = earlier.spec;
    m_earlier = std::make_shared<ArchivedTraining>(std::move(earlier));
    strip().clear();
    m_showsNext = true;
    try {
        live().start(spec, std::move(options));
        bench().note(tr("Resume %1").arg(record().title()),
                     {QStringLiteral("orrery"), QStringLiteral("resume"), runId});
        archive().refreshRuns();
        showPerspective(kTrainPerspective);
        showView(QStringLiteral("trainCharts"));
    } catch (const Error& error) {
        say(MessageKind::Error, QString::fromUtf8(error.what()));
    }
    m_earlier.reset();
    m_showsNext = false;
    bench().refresh();
}

void TrainPart::end(std::function<void()> then) {
    if (!record().isLive()) return then();
    m_afterEnd = std::move(then);
    record().stop();
}

/// Of a training that waits for somebody to say what to do; Train has the buttons.
void TrainPart::tellHalted(const std::shared_ptr<TrainRecord>& record) {
    const auto trouble = record->trouble();
    if (!trouble) return;
    const QString text = tr("%1 is paused: training step %2 was skipped, %3.")
                             .arg(record->title().isEmpty() ? tr("The training") : record->title(),
                                  countText(trouble->step), QString::fromStdString(trouble->what));
    say(MessageKind::Warning, text, tr("Show"), [this, record] {
        m_training->show(record);
        showPerspective(kTrainPerspective);
    });
    bench().tellOutside(tr("Training paused"), text);
    Q_EMIT halted();
}

/// Of the only run at work, be it shown or not.
std::optional<CloseQuestion> TrainPart::closeQuestion() const {
    const auto at =
        std::ranges::find_if(m_followed, [](const Followed& each) { return each.run->isAtWork(); });
    if (at == m_followed.end() || live().numAtWork() > 1) return {};
    const TrainRecord& asked = *at->record;
    const auto trouble = asked.trouble();
    const bool isShown = &asked == &record();
    return CloseQuestion{
        .title = tr("A training is running"),
        .question = isShown || asked.title().isEmpty()
                        ? tr("What is to become of the training?")
                        : tr("What is to become of the training %1?").arg(asked.title()),
        .remark = endTextOf(asked),
        .endText = trouble && trouble->isLast ? tr("End it and &quit") : tr("&Checkpoint and quit"),
        .canFinish = !asked.isPaused()};
}

void TrainPart::prepareToClose() {
    // Nothing was learned from a first skipped step: the training is kept as one that runs.
    for (const Followed& each : m_followed)
        if (const auto trouble = each.record->trouble(); trouble && !trouble->isLast)
            each.record->checkpoint();
}

/// Tells what came of a training.
void TrainPart::finish(const LiveRun* run) {
    const auto at = std::ranges::find(m_followed, run, &Followed::run);
    if (at == m_followed.end()) return;  // of another part
    const std::shared_ptr<TrainRecord> record = at->record;
    m_followed.erase(at);
    archive().refreshRuns();
    const RunSnapshot& snapshot = *run->snapshot();
    const QString title = record->title();
    auto outcome = JobList::State::Failed;
    QString text = QString::fromStdString(snapshot.trouble);
    if (snapshot.state == RunState::Finished) {
        outcome = JobList::State::Done;
        text = record->step() < record->totalSteps()
                   ? tr("%1 ended by its stop condition: %2").arg(title, record->summary())
                   : tr("%1 is trained").arg(title);
    } else if (snapshot.state == RunState::Stopped) {
        outcome = JobList::State::Stopped;
        text = tr("%1 was stopped and can be resumed").arg(title);
    } else if (snapshot.state == RunState::Diverged) {
        text = divergedText(title, snapshot, record->summary());
    }
    if (m_afterEnd != nullptr && record == m_training->sharedRecord())
        QTimer::singleShot(0, this, std::exchange(m_afterEnd, nullptr));
    else
        tellEnd(*record, snapshot, text);
    m_live->end(*run, outcome, text);
    bench().tellOutside(tr("Training ended"), text);
}

void TrainPart::tellEnd(const TrainRecord& record, const RunSnapshot& snapshot,
                        const QString& text) {
    const QString id = QString::fromStdString(snapshot.id);
    const bool isStored = !id.isEmpty(), isStopped = snapshot.state == RunState::Stopped,
               isDone = snapshot.state == RunState::Finished;
    const bool isResumable =
        isStopped || (snapshot.state == RunState::Diverged && hasCheckpoint(snapshot));
    const MessageKind kind = isStopped || isDone ? MessageKind::Info : MessageKind::Error;
    if (isResumable && isStored)
        say(kind, text, tr("Resume"), [this, id] { resume(id); });
    else if (isDone && isStored && record.step() < record.totalSteps())
        say(kind, text, tr("Fork..."), [this] { Q_EMIT forkRequested({}); });
    else
        say(kind, text);
}

}  // namespace orrery
