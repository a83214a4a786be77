#include <chrono>
#include <optional>
#include <utility>

#include "core/train/driver/kept_batch.h"
#include "core/train/driver/train_loop.h"

// What a training keeps beside its curves: checkpoints, and batches that spoilt a step.

namespace orrery {

void TrainLoop::checkpointIfDue() {
    const bool isWanted = m_hooks.wantsCheckpoint && m_hooks.wantsCheckpoint();
    if (isWanted || m_checkpointClock.isDue(Clock::now())) checkpoint();
}

/// The last step did. Where checkpoints are made by steps alone it does not count.
bool TrainLoop::endsStage() const {
    const EmpoSchedule& schedule = m_training.learner.schedule();
    return m_training.spec.checkpointSeconds > 0 &&
           schedule.stageIndex(step()) != schedule.stageIndex(step() - 1);
}

/// Again and again while the disk is full.
void TrainLoop::writing(const std::function<void()>& write) {
    if (m_hooks.writing)
        m_hooks.writing(write);
    else
        write();
}

void TrainLoop::checkpoint() {
    if (m_request.folder.empty() || m_checkpointStep == step())
        return m_checkpointClock.noteUnneeded(Clock::now());
    profile().enter(ProfileStage::Idle, SpanKind::Checkpoint);
    const auto begin = Clock::now();
    const std::vector<std::vector<std::byte>> collectors = m_collecting->save(m_training);
    const auto collected = Clock::now() - begin;
    std::optional<TrainCheckpoint> saved;
    std::chrono::duration<double> cost{};  // not of what a full disk kept waiting
    writing([&] {
        const auto again = Clock::now();
        saved = saveTraining(m_training, collectors, m_request, trainedSeconds());
        cost = collected + (Clock::now() - again);
    });
    m_checkpointStep = step();
    noteWritten(cost.count());
    profile().enter(ProfileStage::Idle);
    tellSnapshot();
    if (saved && m_hooks.saved) m_hooks.saved(*saved);
    m_keepingSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    tellStageTimes();
}

/// Says when the interval becomes another one.
void TrainLoop::noteWritten(double seconds) {
    const double before = m_checkpointClock.interval();
    m_checkpointClock.noteWritten(Clock::now(), seconds);
    const double after = m_checkpointClock.interval();
    if (after != before) say(longerIntervalMessage(after, seconds));
}

/// The profile so far as points of curves, so that stored runs can be compared.
void TrainLoop::tellStageTimes() {
    const BatchProfileStats& stats = profile().stats();
    if (!m_hooks.metric || stats.calls == 0) return;
    m_hooks.metric(step(), "Profile/calls", static_cast<double>(stats.calls));
    m_hooks.metric(step(), "Profile/checkpoints_seconds", m_keepingSeconds);
    for (int i = 0; i < kNumProfileStages; ++i) {
        const auto stage = static_cast<ProfileStage>(i);
        m_hooks.metric(step(), std::string("Profile/") + nameOf(stage), stats.milliseconds(stage));
    }
}

/// A step was skipped: says so, and asks what to do where somebody is there, else ends the training
/// with the third in a row.
void TrainLoop::noteSkipped(const StepReport& report) {
    const bool isFirst = m_skippedInARow++ == 0;
    m_isAsking = m_request.pausesAtTrouble && (isFirst || report.hasDiverged);
    m_hasDiverged = report.hasDiverged && !m_isAsking;
    m_trouble = {.step = report.troubleStep,
                 .what = report.trouble,
                 .batch = {},
                 .toldAt = step(),
                 .isLast = report.hasDiverged,
                 .asks = m_isAsking};
    if (m_isAsking || m_hasDiverged || !m_hasKeptBatch) m_trouble.batch = keptBatch();
    say({.level = MessageLevel::Warning,
         .code = "nan",
         .text = troubleText(m_trouble),
         .step = m_trouble.step});
    if (m_hooks.troubled) m_hooks.troubled(m_trouble);
}

/// Of a training that is stopped where it asks: nothing was learned from a first skipped step, so
/// that what is there can be gone on from where a checkpoint of it is wanted.
bool TrainLoop::keepsSkipped() const {
    const bool isWanted = m_hooks.wantsCheckpoint && m_hooks.wantsCheckpoint();
    return !m_trouble.isLast && (isWanted || m_checkpointStep == step());
}

/// Keeps the batch of the last step. A GPU tells too late to know which it was.
/// @return the file; empty if none was kept
std::string TrainLoop::keptBatch() {
    if (m_request.folder.empty() || m_training.learner.deviceName() != "cpu") return {};
    m_hasKeptBatch = true;
    std::string name;
    writing([&] {
        name = keepBatch(m_request.folder, step(), m_training.buffer,
                         m_training.learner.lastBatch(), m_training.learner.facts());
    });
    return (m_request.folder / name).string();
}

}  // namespace orrery
