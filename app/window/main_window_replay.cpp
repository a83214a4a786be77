#include <QPointer>
#include <algorithm>
#include <functional>
#include <optional>

#include "app/window/main_window.h"
#include "core/dag/state_graph.h"
#include "core/run/jobs/train_job.h"
#include "core/run/jobs/train_kind.h"
#include "widgets/bridge/archive.h"
#include "widgets/replay/replay_browser.h"
#include "widgets/replay/replay_feed.h"
#include "widgets/replay/replay_health.h"
#include "widgets/replay/tensors_view.h"
#include "widgets/train/train_session.h"

// The replay buffer of a training and what a learner is given of a state.

namespace orrery {

namespace {

LiveTraining liveTrainingOf(const TrainSession& session, const Archive& archive) {
    LiveTraining live;
    const TrainSnapshot* training = session.training();
    const EmpoSnapshot* now = empoOf(session.numbers());
    if (now == nullptr) return live;
    live.run = session.title();
    live.spec = session.job().as<TrainJob>().empo;
    live.worlds = training->worlds;
    live.exact = training->exact;
    live.desk = learnerDeskOf(*now);
    live.isLive = session.isLive();
    live.workspace = archive.sharedWorkspace();
    live.runId = session.runId().toStdString();
    return live;
}

/// The browser once it is made.
using Browser = std::shared_ptr<QPointer<ReplayBrowser>>;

/// Hands what the window's training has to say to the feed.
std::function<void()> trainingTeller(const TrainSession* training, const Archive* archive,
                                     ReplayFeed* feed, const Browser& browser) {
    return [=] {
        if (!training->hasRun()) return;
        const LiveTraining live = liveTrainingOf(*training, *archive);
        if (!live.desk) return;
        // A stored buffer stays until another training begins.
        if (!live.isLive && !feed->isLive() && feed->hasRun()) return;
        feed->setLive(live);
        if (*browser)
            (*browser)->setLiveNumbers(live.isLive ? std::optional(training->flow().replay)
                                                   : std::nullopt);
    };
}

/// Reads the buffer of the training that Train shows, else of the run that is selected, once
/// somebody looks.
std::function<void()> selectedOpener(const Selection* selection, const TrainSession* training,
                                     const Archive* archive, ReplayFeed* feed,
                                     const Browser& browser,
                                     const std::shared_ptr<QPointer<TensorsView>>& tensors) {
    return [=] {
        const auto* selected = selection->current<RunItem>();
        const QString run = training->hasRun()    ? training->runId()
                            : selected != nullptr ? selected->id
                                                  : QString();
        const bool wantsAny = *tensors && (*tensors)->wantsTraining();
        const bool isLookedAt = wantsAny || (*browser && (*browser)->isVisible());
        if (!isLookedAt || training->isLive()) return;
        const auto& runs = archive->runs();
        auto record = std::ranges::find(runs, run.toStdString(), &RunRecord::id);
        // Who looks into networks without having picked a run means the newest training.
        if (record == runs.end() && wantsAny && !feed->hasRun())
            record = std::ranges::find_if(runs, learnsPlanning);
        if (record == runs.end() || !learnsPlanning(*record)) return;
        const QString id = QString::fromStdString(record->id);
        // What a training had at its end is shown as long as it is there.
        if (feed->runId() == id && (feed->source() || !feed->isLive())) return;
        feed->openStored(archive->sharedWorkspace(), id);
        if (*browser) (*browser)->setLiveNumbers(std::nullopt);
    };
}

}  // namespace

void MainWindow::makeReplayViews() {
    auto* feed = new ReplayFeed(this);
    feed->setObjectName(QStringLiteral("replayFeed"));
    const auto browser = std::make_shared<QPointer<ReplayBrowser>>();
    const auto tensors = std::make_shared<QPointer<TensorsView>>();
    const auto picked = std::make_shared<std::shared_ptr<const ShownState>>();
    const auto tell = trainingTeller(m_training, &archive(), feed, browser);
    const auto open = selectedOpener(&selection(), m_training, &archive(), feed, browser, tensors);
    connect(m_training, &TrainSession::changed, feed, tell);
    connect(m_training, &TrainSession::ended, feed, tell);
    connect(m_training, &TrainSession::begun, feed, open);
    connect(&selection(), &Selection::currentChanged, feed, [open](SelectionKind kind) {
        if (kind == SelectionKind::Run) open();
    });

    addView({.id = QStringLiteral("replay"),
             .title = tr("Replay buffer"),
             .icon = QStringLiteral("table"),
             .tip = tr("The transitions that a training learns from, and a target term by term"),
             .make =
                 [this, feed, browser, tensors, picked, open](QWidget* parent) {
                     auto* view = new ReplayBrowser(feed, &session(), parent);
                     *browser = view;
                     connect(view, &ReplayBrowser::shown, feed, open);
                     connect(view, &ReplayBrowser::statePicked, feed,
                             [tensors, picked](const std::shared_ptr<const ShownState>& state) {
                                 *picked = state;
                                 if (*tensors) (*tensors)->setReplayState(state);
                             });
                     connect(view, &ReplayBrowser::stateFound, this, [this](const StateItem& item) {
                         selection().setCurrent({item, StepItem{item.step}, LevelItem{item.step}});
                         showView(QStringLiteral("inspector"));
                     });
                     return view;
                 },
             .table = [](QWidget* view) { return static_cast<ReplayBrowser*>(view)->tableModel(); },
             .isLate = true,
             .help = QStringLiteral("replay")});
    addView({.id = QStringLiteral("tensors"),
             .title = tr("Tensors"),
             .icon = QStringLiteral("view-grid"),
             .tip = tr("What a learner is given of a state: planes, compact cells, numbers"),
             .make =
                 [this, feed, tensors, picked, open](QWidget* parent) {
                     auto* view = new TensorsView(&session(), feed, parent);
                     *tensors = view;
                     connect(view, &TensorsView::trainingWanted, feed, open);
                     view->setReplayState(*picked);
                     return view;
                 },
             .table = [](QWidget* view) { return static_cast<TensorsView*>(view)->tableModel(); },
             .isLate = true,
             .help = QStringLiteral("replay#tensors")});
}

}  // namespace orrery
