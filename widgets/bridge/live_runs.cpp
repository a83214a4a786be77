#include "widgets/bridge/live_runs.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "widgets/bridge/background_worker.h"

namespace orrery {

LiveRun::LiveRun(BackgroundWorker* worker, RunSpec spec, RunOptions options, int number,
                 QObject* parent)
    : QObject(parent),
      m_spec(std::move(spec)),
      m_options(std::move(options)),
      m_number(number),
      m_bridge(worker) {}

LiveRuns::LiveRuns(BackgroundWorker* worker, QObject* parent) : QObject(parent), m_worker(worker) {}

LiveRuns::~LiveRuns() {
    cancelAll();  // all at once; then each is waited for
}

void LiveRuns::setMost(int most) {
    m_most = std::max(1, most);
    giveTurns();
}

LiveRun& LiveRuns::add(RunSpec spec, RunOptions options) {
    auto* run = new LiveRun(m_worker, std::move(spec), std::move(options), ++m_numStarted, this);
    m_runs.push_back(run);
    connect(&run->m_bridge, &RunBridge::snapshotChanged, this, [this, run] {
        m_last = run->snapshot();
        Q_EMIT snapshotChanged(run);
    });
    connect(&run->m_bridge, &RunBridge::ended, this, [this, run] {
        run->m_turn = LiveRun::Turn::Ended;
        std::erase(m_runs, run);
        Q_EMIT ended(run);
        takeOut(*run);
        giveTurns();
    });
    return *run;
}

/// Starts it and puts it behind those that are at work.
void LiveRuns::begin(LiveRun& run) {
    run.m_bridge.start(run.m_spec, run.m_options);
    run.m_turn = LiveRun::Turn::AtWork;
    std::stable_partition(m_runs.begin(), m_runs.end(),
                          [](const LiveRun* each) { return each->isAtWork(); });
    Q_EMIT begun(&run);
    Q_EMIT listChanged();
}

LiveRun& LiveRuns::start(RunSpec spec, RunOptions options) {
    LiveRun& run = add(std::move(spec), std::move(options));
    try {
        begin(run);
    } catch (...) {
        takeOut(run);
        throw;
    }
    return run;
}

LiveRun& LiveRuns::enqueue(RunSpec spec, RunOptions options) {
    if (numAtWork() < m_most) return start(std::move(spec), std::move(options));
    LiveRun& run = add(std::move(spec), std::move(options));
    Q_EMIT listChanged();
    return run;
}

LiveRun& LiveRuns::keep(RunSpec spec, RunOptions options) {
    LiveRun& run = add(std::move(spec), std::move(options));
    run.m_isHeld = true;
    Q_EMIT listChanged();
    return run;
}

int LiveRuns::numAtWork() const {
    return static_cast<int>(std::ranges::count_if(m_runs, &LiveRun::isAtWork));
}

int LiveRuns::numWaiting() const {
    return static_cast<int>(m_runs.size()) - numAtWork();
}

LiveRun* LiveRuns::find(int number) const {
    const auto run = std::ranges::find(m_runs, number, &LiveRun::number);
    return run == m_runs.end() ? nullptr : *run;
}

void LiveRuns::move(LiveRun& run, int by) {
    const auto from = std::ranges::find(m_runs, &run);
    if (from == m_runs.end() || run.isAtWork()) return;
    const auto at = from - m_runs.begin();
    const auto to = std::clamp<std::ptrdiff_t>(at + by, numAtWork(), std::ssize(m_runs) - 1);
    if (to == at) return;
    m_runs.erase(from);
    m_runs.insert(m_runs.begin() + to, &run);
    Q_EMIT listChanged();
}

void LiveRuns::hold(LiveRun& run, bool isHeld) {
    if (run.turn() != LiveRun::Turn::Waiting || run.m_isHeld == isHeld) return;
    run.m_isHeld = isHeld;
    Q_EMIT listChanged();
    giveTurns();
}

void LiveRuns::holdWaiting(bool isHeld) {
    const std::vector<LiveRun*> all = m_runs;
    for (LiveRun* run : all) hold(*run, isHeld);
}

void LiveRuns::cancel(LiveRun& run) {
    if (run.isAtWork()) return run.m_bridge.cancel();
    if (run.turn() == LiveRun::Turn::Waiting) takeOut(run);
}

void LiveRuns::cancelAll() {
    const std::vector<LiveRun*> all = m_runs;
    for (LiveRun* run : all)
        if (run->turn() == LiveRun::Turn::Waiting) takeOut(*run);
    for (LiveRun* run : all)
        if (run->isAtWork()) run->m_bridge.cancel();
}

/// Those that come first begin, as long as there is room.
void LiveRuns::giveTurns() {
    while (numAtWork() < m_most) {
        const auto next = std::ranges::find_if(m_runs, [](const LiveRun* run) {
            return run->turn() == LiveRun::Turn::Waiting && !run->isHeld();
        });
        if (next == m_runs.end()) return;
        LiveRun& run = **next;
        try {
            begin(run);
        } catch (const Error& error) {
            takeOut(run);
            Q_EMIT failed(&run, QString::fromUtf8(error.what()));
        }
    }
}

/// It is deleted when nobody is in the middle of it.
void LiveRuns::takeOut(LiveRun& run) {
    std::erase(m_runs, &run);
    run.m_bridge.release();
    run.deleteLater();
    Q_EMIT listChanged();
}

}  // namespace orrery
