#include <chrono>

#include "core/checkpoint/checkpoint_manifest.h"
#include "core/train/train_loop.h"

// What a training keeps beside its curves: checkpoints, and batches that spoilt a step.

namespace orrery {

void TrainLoop::checkpointIfDue() {
    const bool isWanted = m_hooks.wantsCheckpoint && m_hooks.wantsCheckpoint();
    if (isWanted || m_checkpointClock.isDue(Clock::now())) checkpoint();
}

/// Again and again while the disk is full.
void TrainLoop::writing(const std::function<void()>& write) {
    if (m_hooks.writing)
        m_hooks.writing(write);
    else
        write();
}

void TrainLoop::checkpoint() {
    if (m_request.folder.empty() || (m_checkpointStep == step() && !m_method.isWithinStep()))
        return m_checkpointClock.noteUnneeded(Clock::now());
    m_method.enter(TrainPhase::Checkpoint);
    const auto begin = Clock::now();
    m_method.prepareSave();
    const auto prepared = Clock::now() - begin;
    if (m_hooks.saving) m_hooks.saving();
    SavedCheckpoint saved;
    std::chrono::duration<double> cost{};  // not of what a full disk kept waiting
    writing([&] {
        const auto again = Clock::now();
        saved = save();
        cost = prepared + (Clock::now() - again);
    });
    m_checkpointStep = step();
    noteWritten(cost.count());
    m_method.enter(TrainPhase::None);
    tellSnapshot();
    if (m_hooks.saved)
        m_hooks.saved({.step = step(),
                       .folder = m_request.folder / checkpointFolderName(step()),
                       .sha256 = saved.sha256,
                       .bytes = saved.totalBytes},
                      m_newest);
    m_keepingSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    m_method.saved(m_keepingSeconds);
}

SavedCheckpoint TrainLoop::save() {
    CheckpointWriter writer(m_request.folder, step());
    writer.text("spec.json", m_request.specJson);
    TensorMap progress;
    m_method.save(writer, progress);
    putExtremeValue(progress, m_extreme);
    return commitCheckpoint(writer, m_request.specJson, progress, trainedSeconds());
}

/// Says when the interval becomes another one.
void TrainLoop::noteWritten(double seconds) {
    const double before = m_checkpointClock.interval();
    m_checkpointClock.noteWritten(Clock::now(), seconds);
    const double after = m_checkpointClock.interval();
    if (after != before) say(longerIntervalMessage(after, seconds));
}

/// A step was skipped: says so, and asks what to do where somebody is there, else ends the training
/// with the third in a row.
void TrainLoop::noteSkipped(const MethodStep& step) {
    const bool isFirst = m_skippedInARow++ == 0;
    m_isAsking = m_request.pausesAtTrouble && (isFirst || step.hasDiverged);
    m_hasDiverged = step.hasDiverged && !m_isAsking;
    m_trouble = {.step = step.troubleStep,
                 .what = step.trouble,
                 .rateField = step.rateField,
                 .batch = {},
                 .toldAt = m_method.stepsDone(),
                 .isLast = step.hasDiverged,
                 .asks = m_isAsking};
    if (m_isAsking || m_hasDiverged || !m_hasKeptBatch) m_trouble.batch = keptBatch();
    say({.level = MessageLevel::Warning,
         .code = "nan",
         .text = troubleText(m_trouble),
         .step = m_trouble.step});
    if (m_hooks.troubled) m_hooks.troubled(m_trouble);
}

/// Of a training that is stopped where it asks: nothing was learned from a first skipped step, so
/// that the run can be resumed from what is there where a checkpoint of it is wanted.
bool TrainLoop::keepsSkipped() const {
    const bool isWanted = m_hooks.wantsCheckpoint && m_hooks.wantsCheckpoint();
    return !m_trouble.isLast && (isWanted || m_checkpointStep == step());
}

/// Keeps the batch of the last step.
/// @return the file; empty if none was kept
std::string TrainLoop::keptBatch() {
    if (m_request.folder.empty()) return {};
    std::string name;
    writing([&] { name = m_method.keepBatch(m_request.folder); });
    if (name.empty()) return {};
    m_hasKeptBatch = true;
    return (m_request.folder / name).string();
}

}  // namespace orrery
