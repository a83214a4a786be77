#include "widgets/replay/replay_part.h"

#include <algorithm>
#include <optional>

#include "core/dag/state_graph.h"
#include "core/run/jobs/train_job.h"
#include "core/run/jobs/train_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/replay/replay_browser.h"
#include "widgets/replay/replay_feed.h"
#include "widgets/replay/replay_health.h"
#include "widgets/replay/tensors_view.h"
#include "widgets/train/train_part.h"
#include "widgets/train/train_session.h"

namespace orrery {

namespace {

LiveTraining liveTrainingOf(const TrainSession& session, const Archive& archive) {
    LiveTraining live;
    const TrainSnapshot* training = session.record().training();
    const EmpoSnapshot* now = empoOf(session.record().numbers());
    if (now == nullptr) return live;
    live.run = session.record().title();
    live.spec = session.record().job().as<TrainJob>().empo;
    live.worlds = training->worlds;
    live.exact = training->exact;
    live.desk = learnerDeskOf(*now);
    live.isLive = session.record().isLive();
    live.workspace = archive.sharedWorkspace();
    live.runId = session.record().runId().toStdString();
    return live;
}

}  // namespace

ReplayPart::ReplayPart(Workbench& bench, const TrainPart* train)
    : WindowPart(bench), m_train(train), m_feed(new ReplayFeed(&frame())) {
    m_feed->setObjectName(QStringLiteral("replayFeed"));
    const TrainSession* training = &m_train->training();
    for (const auto signal : {&TrainSession::changed, &TrainSession::ended})
        connect(training, signal, this, &ReplayPart::followTraining);
    connect(training, &TrainSession::begun, this, &ReplayPart::openWanted);
    connect(&selection(), &Selection::currentChanged, this, [this](SelectionKind kind) {
        if (kind == SelectionKind::Run) openWanted();
    });
}

void ReplayPart::addViews() {
    frame().addView(
        {.id = QStringLiteral("replay"),
         .title = tr("Replay buffer"),
         .icon = QStringLiteral("table"),
         .tip = tr("The transitions that a training learns from, and a target term by term"),
         .make = [this](QWidget* parent) { return makeBrowser(parent); },
         .table = [](QWidget* view) { return static_cast<ReplayBrowser*>(view)->tableModel(); },
         .isLate = true,
         .help = QStringLiteral("replay")});
    frame().addView(
        {.id = QStringLiteral("tensors"),
         .title = tr("Tensors"),
         .icon = QStringLiteral("view-grid"),
         .tip = tr("What a learner is given of a state: planes, compact cells, numbers"),
         .make = [this](QWidget* parent) { return makeTensors(parent); },
         .table = [](QWidget* view) { return static_cast<TensorsView*>(view)->tableModel(); },
         .isLate = true,
         .help = QStringLiteral("replay#tensors")});
}

QWidget* ReplayPart::makeBrowser(QWidget* parent) {
    m_browser = new ReplayBrowser(m_feed, &session(), parent);
    connect(m_browser, &ReplayBrowser::shown, this, &ReplayPart::openWanted);
    connect(m_browser, &ReplayBrowser::statePicked, this,
            [this](const std::shared_ptr<const ShownState>& state) {
                m_picked = state;
                if (m_tensors) m_tensors->setReplayState(state);
            });
    connect(m_browser, &ReplayBrowser::stateFound, this, [this](const StateItem& item) {
        selection().setCurrent({item, StepItem{item.step}, LevelItem{item.step}});
        showView(QStringLiteral("inspector"));
    });
    return m_browser;
}

QWidget* ReplayPart::makeTensors(QWidget* parent) {
    m_tensors = new TensorsView(&session(), m_feed, parent);
    connect(m_tensors, &TensorsView::trainingWanted, this, &ReplayPart::openWanted);
    m_tensors->setReplayState(m_picked);
    return m_tensors;
}

/// Hands what the window's training has to say to the feed.
void ReplayPart::followTraining() {
    const TrainSession& training = m_train->training();
    if (!training.record().hasRun()) return;
    const LiveTraining live = liveTrainingOf(training, archive());
    if (!live.desk) return;
    // A stored buffer stays until another training begins.
    if (!live.isLive && !m_feed->isLive() && m_feed->hasRun()) return;
    m_feed->setLive(live);
    if (m_browser)
        m_browser->setLiveNumbers(live.isLive ? std::optional(training.record().flow().replay)
                                              : std::nullopt);
}

/// Reads the buffer of the training that Train shows, else of the run that is selected, once
/// somebody looks.
void ReplayPart::openWanted() {
    const TrainSession& training = m_train->training();
    const auto* selected = selection().current<RunItem>();
    const QString run = training.record().hasRun() ? training.record().runId()
                        : selected != nullptr      ? selected->id
                                                   : QString();
    const bool wantsAny = m_tensors && m_tensors->wantsTraining();
    const bool isLookedAt = wantsAny || (m_browser && m_browser->isVisible());
    if (!isLookedAt || training.record().isLive()) return;
    const auto& runs = archive().runs();
    auto record = std::ranges::find(runs, run.toStdString(), &RunRecord::id);
    // Who looks into networks without having picked a run means the newest training.
    if (record == runs.end() && wantsAny && !m_feed->hasRun())
        record = std::ranges::find_if(runs, learnsPlanning);
    if (record == runs.end() || !learnsPlanning(*record)) return;
    const QString id = QString::fromStdString(record->id);
    // What a training had at its end is shown as long as it is there.
    if (m_feed->runId() == id && (m_feed->source() || !m_feed->isLive())) return;
    m_feed->openStored(archive().sharedWorkspace(), id);
    if (m_browser) m_browser->setLiveNumbers(std::nullopt);
}

}  // namespace orrery
