#include "core/run/train_run.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/atomic_write.h"
#include "core/base/fault.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/checkpoint/checkpoint_manifest.h"
#include "core/history/workspace.h"
#include "core/run/best_checkpoint.h"
#include "core/run/span_file.h"
#include "core/run/steering.h"
#include "core/run/training_memory.h"
#include "core/spec/field_effect.h"

namespace orrery {

namespace {

constexpr std::chrono::seconds kRowPatience{2};  // also where a stop was requested
constexpr std::chrono::seconds kLastRowPatience{10};

/// The config as a Markdown code block.
std::string configText(const std::string& specJson) {
    return "```json\n" + nlohmann::ordered_json::parse(specJson).dump(2) + "\n```";
}

int exitStatusOf(RunState state) {
    if (state == RunState::Finished) return 0;
    return state == RunState::Diverged ? Error("", Error::Kind::Diverged).exitStatus() : 130;
}

}  // namespace

TrainRun::TrainRun(const Job& job, RunContext& context)
    : m_job(job), m_settings(*trainSettings(job)), m_context(context), m_live{.job = job} {}

void TrainRun::show(const std::function<void(TrainSnapshot&)>& change) {
    m_context.update([&](JobSnapshot& snapshot) { change(std::get<TrainSnapshot>(snapshot)); });
}

void TrainRun::warn(std::string warning) {
    m_warnings.push_back(std::move(warning));
    show([this](TrainSnapshot& snapshot) { snapshot.warnings = m_warnings; });
}

std::string TrainRun::prepare() {
    std::string hash = readInputs();
    m_context.onCommand([this](const RunCommand& command) { obey(command); });
    return hash;
}

RunOutcome TrainRun::work() {
    tellWarnings();
    keepInputs();
    m_request.specJson = toJson(keptSpec(), -1);
    chooseStart();
    takeKnownChanges();
    beginMirror();
    TrainOutcome outcome{.state = RunState::Stopped,
                         .summary = "stopped before the first step",
                         .newest = m_request.newest};
    requireTrainingMemory(m_job, m_context.stop());
    if (const std::unique_ptr<Method> method = makeMethod()) {
        m_request.cadence = m_settings.cadence;
        m_request.memoryBudget = m_settings.memoryBudget;
        m_request.folder = m_context.folder();
        m_request.stop = m_settings.stop;
        m_request.goal = m_settings.goal;
        m_request.pausesAtTrouble = m_context.pausesAtTrouble();
        m_context.onQuestion(
            [this] { return m_training && m_training->desk && m_training->desk->takeIsAsked(); });
        faultPoint("run.train");
        outcome = train(*method, m_request, hooks(), m_context.stop());
        m_context.showProgress({.phase = "train",
                                .done = outcome.steps,
                                .total = method->totalSteps(),
                                .unit = "steps"});
    }
    tellLateSaved();
    warnOfUnknownMetric(outcome.newest);
    for (const TrainChange& change : m_asked)
        changed({.change = change, .problem = "the run ended before its next step"});
    writeResults(outcome);
    if (m_mirror) m_mirror->close();
    tellMirror();
    return {
        .state = outcome.state, .text = outcome.summary, .exitStatus = exitStatusOf(outcome.state)};
}

void TrainRun::tellWarnings() {
    for (const std::string& warning : m_warnings)
        m_context.message(MessageLevel::Warning, "world.warning", warning);
    const RunSpec fresh{.job = m_job.kind().fresh()};
    for (const SpecProblem& note : inertFields(m_job.kind().fields, m_live, fresh))
        m_context.message(MessageLevel::Warning, "train.no_effect", note.field + ' ' + note.text);
}

void TrainRun::chooseStart() {
    if (m_context.isResumed()) return resumeFromNewest();
    if (m_settings.fromRun.empty()) return;
    if (m_context.workspace() == nullptr)
        throw Error("A run that begins with another one's checkpoint needs its workspace.",
                    Error::Kind::BadInput);
    const Workspace& workspace = *m_context.workspace();
    const std::string parent = workspace.reader().findRun(m_settings.fromRun).id;
    const Checkpoint checkpoint =
        Checkpoint::open(workspace.runFolder(parent), m_settings.fromStep);
    m_request.resumeFrom = checkpoint.folder();
    m_context.message(
        MessageLevel::Info, "train.forked",
        "begins with step " + std::to_string(m_settings.fromStep) + " of run " + parent);
}

void TrainRun::resumeFromNewest() {
    const std::string id = m_context.id();
    Workspace& workspace = *m_context.workspace();
    sweepUnfinishedCheckpoints(m_context.folder());
    CheckpointChoice choice = newestCheckpoint(m_context.folder());
    for (const std::string& line : choice.skipped)
        m_context.message(MessageLevel::Warning, "checkpoint.skipped", line);
    const std::int64_t step = choice.checkpoint ? choice.checkpoint->manifest().step : 0;
    if (choice.checkpoint) m_request.resumeFrom = choice.checkpoint->folder();
    std::vector<CheckpointRow> rows = workspace.reader().checkpoints(id);
    std::ranges::reverse(rows);
    for (const CheckpointRow& row : rows) {
        m_generation = std::max(m_generation, row.generation);
        if (row.step > step)
            workspace.writer().removeCheckpoint(id, row.generation);
        else
            m_rows.push_back(row);
    }
    workspace.writer().supersedeMetrics(id, choice.checkpoint ? step : -1);
    m_restartStep = choice.checkpoint ? step + 1 : 0;
    if (choice.checkpoint) {
        findBest(step);
        if (m_rows.empty() || m_rows.back().step < step) listUnlisted(*choice.checkpoint);
    }
    m_context.message({.code = "train.resumed",
                       .text = choice.checkpoint
                                   ? "goes on from the checkpoint of step " + std::to_string(step)
                                   : "has no good checkpoint and begins at the start",
                       .step = choice.checkpoint ? step : 0});
}

/// A checkpoint that was made durable before the program ended, but not its row.
void TrainRun::listUnlisted(const Checkpoint& checkpoint) {
    const TrainCheckpoint made{.step = checkpoint.manifest().step,
                               .folder = checkpoint.folder(),
                               .sha256 = sha256HexOfFile(checkpoint.folder() / kManifestName)};
    m_rows.push_back(list(made, m_request.newest));
}

/// Those of the spec, and of the run's earlier lives.
void TrainRun::takeKnownChanges() {
    std::vector<EventRow> events;
    if (m_context.isResumed()) events = m_context.workspace()->reader().events(m_context.id());
    std::vector<TrainChange> known = recordedChanges(m_settings.changes, events);
    for (TrainChange& change : known) {
        change.key = steeredName(m_job.kind(), change.key);
        change.isReplay = true;
    }
    m_request.changes = std::move(known);
}

TrainHooks TrainRun::hooks() {
    TrainHooks hooks;
    hooks.metric = [this](std::int64_t step, const std::string& key, double value) {
        m_context.metric(step, key, value);
        if (m_mirror) m_mirror->point(step, key, value);
    };
    hooks.message = [this](const event::Message& message) {
        if (message.code == "profile")
            show([&](TrainSnapshot& snapshot) { snapshot.profile = message.text; });
        m_context.message(message);
    };
    hooks.boundary = [this](const Progress& progress) {
        m_context.showProgress(progress);
        tellMirror();
        faultPoint("run.step");
        return m_context.boundary(progress.phase + ", step " + std::to_string(progress.done));
    };
    hooks.snapshot = [this](std::shared_ptr<const TrainingSnapshot> now) {
        m_training = now;
        show([&](TrainSnapshot& snapshot) { snapshot.training = std::move(now); });
    };
    hooks.snapshotPause = [this] { return m_context.viewPause(); };
    hooks.takeChanges = [this] { return std::exchange(m_asked, {}); };
    hooks.changed = [this](const AppliedChange& change) { changed(change); };
    hooks.troubled = [this](const TrainTrouble& trouble) { troubled(trouble); };
    hooks.writing = [this](const std::function<void()>& write) { m_context.writing(write); };
    hooks.saving = [this] {
        if (m_context.isStored()) areRowsDurable(kRowPatience);
    };
    hooks.saved = [this](const TrainCheckpoint& checkpoint, const NewestMetrics& newest) {
        saved(checkpoint, newest);
    };
    hooks.wantsCheckpoint = [this] { return std::exchange(m_wantsCheckpoint, false); };
    return hooks;
}

void TrainRun::troubled(const TrainTrouble& trouble) {
    show([&](TrainSnapshot& snapshot) { snapshot.trouble = trouble; });
    if (trouble.asks) m_context.halt();
}

void TrainRun::obey(const RunCommand& command) {
    if (command.kind == RunCommand::Kind::Checkpoint) {
        m_wantsCheckpoint = true;
        return;
    }
    TrainChange change{.key = steeredName(m_job.kind(), command.key),
                       .value = command.value,
                       .source = command.source,
                       .isUndo = command.isUndo};
    if (const auto problem = changeProblem(m_live, change.key, change.value)) {
        changed({.change = change, .problem = *problem});
        return;
    }
    change.value = normalValue(m_job.kind(), change.key, change.value);
    m_asked.push_back(std::move(change));
}

void TrainRun::changed(const AppliedChange& change) {
    const bool isRefused = !change.problem.empty();
    if (!isRefused) applyChange(m_live, change.change);
    m_context.message(steeringMessage(change));
    show([&](TrainSnapshot& snapshot) { snapshot.changes.push_back(change); });
}

void TrainRun::saved(const TrainCheckpoint& checkpoint, const NewestMetrics& newest) {
    m_untold.push_back({.step = checkpoint.step, .bytes = checkpoint.bytes});
    if (!m_context.isStored()) return tellSaved();
    writeSpans();
    CheckpointRow row = list(checkpoint, newest);
    const bool isDurable = areRowsDurable(kRowPatience);
    // A checkpoint of the same step was replaced, on disk too.
    std::erase_if(m_rows, [&](const CheckpointRow& old) {
        if (old.step != row.step) return false;
        m_context.workspace()->writer().removeCheckpoint(m_context.id(), old.generation);
        return true;
    });
    m_rows.push_back(std::move(row));
    if (!isDurable) return;  // told with the next one; the run's end tells of a database in trouble
    tellSaved();
    dropOldCheckpoints();
}

/// Queues a checkpoint's row, and what becomes of the one that was the best.
CheckpointRow TrainRun::list(const TrainCheckpoint& checkpoint, const NewestMetrics& newest) {
    const std::filesystem::path manifest = checkpoint.folder / kManifestName;
    CheckpointRow row{.generation = ++m_generation,
                      .step = checkpoint.step,
                      .file = manifest.lexically_relative(m_context.workspaceFolder()).string(),
                      .sha256 = checkpoint.sha256,
                      .bytes = std::filesystem::file_size(manifest)};
    mark(row, newest);
    DbWriter& writer = m_context.workspace()->writer();
    writer.addCheckpoint(m_context.id(), row);
    // The new mark first: after a crash between the two the newer one counts.
    if (row.state == kBestCheckpoint)
        for (CheckpointRow& old : m_rows)
            if (old.state == kBestCheckpoint) {
                old.state = kReadyCheckpoint;
                writer.addCheckpoint(m_context.id(), old);
            }
    return row;
}

bool TrainRun::areRowsDurable(std::chrono::milliseconds patience) {
    bool isDurable = false;
    m_context.writing([&] { isDurable = m_context.flush(patience); });
    // A full disk was waited for meanwhile.
    if (!isDurable && m_context.workspace()->writer().troubleText().empty())
        isDurable = m_context.flush(patience);
    return isDurable;
}

/// Only now: who is told of a checkpoint finds its files and its row, whatever happens next.
void TrainRun::tellSaved() {
    show([this](TrainSnapshot& snapshot) {
        for (const KeptCheckpoint& kept : m_untold) {
            std::erase_if(snapshot.checkpoints, [&](const KeptCheckpoint& replaced) {
                return replaced.step == kept.step;
            });
            snapshot.checkpoints.push_back(kept);
        }
    });
    for (const KeptCheckpoint& kept : std::exchange(m_untold, {}))
        m_context.message({.code = "train.saved",
                           .text = "checkpoint of step " + std::to_string(kept.step),
                           .step = kept.step});
}

/// Before the end, of a database that was only slow.
void TrainRun::tellLateSaved() {
    if (m_untold.empty() || !m_context.workspace()->writer().troubleText().empty()) return;
    if (!areRowsDurable(kLastRowPatience)) return;
    tellSaved();
    dropOldCheckpoints();
}

/// Marks a new checkpoint as best if it is, or if it takes the place of the best one.
void TrainRun::mark(CheckpointRow& row, const NewestMetrics& newest) {
    const auto measure = measureOf(m_live, newest);
    if (!measure) return;
    const CheckpointRow* const best = bestRow(m_rows);
    const bool isBest =
        best == nullptr || !m_best || best->step == row.step || measure->isBetterThan(*m_best);
    if (!isBest) return;
    row.state = kBestCheckpoint;
    m_best = measure;
}

/// Of a run that is resumed at a step: what its best checkpoint is measured by, and newest values
/// of the curves that decide.
void TrainRun::findBest(std::int64_t step) {
    const HistoryReader reader = m_context.workspace()->reader();
    const auto curvesAt = [&](std::int64_t at) {
        return measuredCurves(reader, m_context.id(), at, m_live);
    };
    m_request.newest = curvesAt(step);
    const CheckpointRow* const marked = bestRow(m_rows);
    std::int64_t best = marked != nullptr ? marked->generation : -1;
    if (marked != nullptr) m_best = measureOf(m_live, curvesAt(marked->step));
    for (const CheckpointRow& row : m_rows) {
        if (marked != nullptr) break;
        const auto measure = measureOf(m_live, curvesAt(row.step));
        if (!measure || (m_best && !measure->isBetterThan(*m_best))) continue;
        m_best = measure;
        best = row.generation;
    }
    for (CheckpointRow& row : m_rows) {
        const std::string_view state = row.generation == best ? kBestCheckpoint : kReadyCheckpoint;
        if (row.state == state) continue;
        row.state = state;
        m_context.workspace()->writer().addCheckpoint(m_context.id(), row);
    }
}

void TrainRun::beginMirror() {
    if (m_settings.tensorBoardFolder.empty()) return;
    const std::string id = m_context.id();
    m_mirror = std::make_unique<MetricMirror>(
        MetricMirror::Options{.folder = m_settings.tensorBoardFolder,
                              .runName = m_context.name(),
                              .runId = id,
                              .config = configText(m_request.specJson),
                              .restartStep = m_restartStep});
}

void TrainRun::tellMirror() {
    if (!m_mirror) return;
    for (const std::string& line : m_mirror->takeMessages())
        m_context.message(MessageLevel::Warning, "tensorboard", line);
}

/// All but the newest ones and the best.
void TrainRun::dropOldCheckpoints() {
    const auto kept = static_cast<std::size_t>(m_settings.keptCheckpoints);
    DbWriter& writer = m_context.workspace()->writer();
    std::size_t beyond = m_rows.size() - std::min(m_rows.size(), kept);
    std::erase_if(m_rows, [&](const CheckpointRow& row) {
        const bool goes = beyond > 0 && row.state != kBestCheckpoint;
        if (beyond > 0) --beyond;
        if (goes) writer.removeCheckpoint(m_context.id(), row.generation);
        return goes;
    });
    const auto isListed = [this](std::int64_t step) {
        return std::ranges::find(m_rows, step, &CheckpointRow::step) != m_rows.end();
    };
    pruneCheckpoints(m_context.folder(), m_settings.keptCheckpoints, isListed, m_rows.back().step);
    show([&](TrainSnapshot& snapshot) {
        std::erase_if(snapshot.checkpoints,
                      [&](const KeptCheckpoint& old) { return !isListed(old.step); });
    });
}

/// A condition on a metric that has no points never holds.
void TrainRun::warnOfUnknownMetric(const NewestMetrics& newest) {
    const std::optional<std::string>& metric = trainSettings(m_live.job)->stop.metric;
    if (!metric || newest.empty() || newest.contains(*metric)) return;
    std::vector<std::string> known;
    for (const auto& [key, value] : newest) known.push_back(key);
    const auto nearest = closestName(*metric, known);
    m_context.message(MessageLevel::Warning, "train.no_metric",
                      "stop_metric '" + *metric + "' had no point, so its condition never held." +
                          (nearest ? " Did you mean '" + *nearest + "'?" : ""));
}

/// Spans change with each checkpoint, so no row of the history says what their file must hold.
void TrainRun::writeSpans() {
    if (!m_training || !m_training->timeline) return;
    m_context.writing([this] {
        atomicWrite(m_context.folder() / kSpanFile,
                    spansJson(*m_training->timeline, m_training->memoryByName()));
    });
}

void TrainRun::writeResults(const TrainOutcome& outcome) {
    if (m_context.folder().empty()) return;
    nlohmann::ordered_json json;
    json["format"] = 1;
    json["end"] = nameOf(outcome.state);
    addResults(json);
    json["train"] = {{"steps", outcome.steps}, {"summary", outcome.summary}};
    if (m_training) json["train"]["seconds"] = m_training->seconds;
    if (!m_rows.empty()) json["train"]["checkpoint"] = m_rows.back().step;
    json["last"] = nlohmann::ordered_json::object();
    for (const auto& [key, value] : outcome.newest)
        json["last"][key] = std::isfinite(value) ? nlohmann::ordered_json(value)
                                                 : nlohmann::ordered_json(formatDouble(value));
    m_context.artefact(
        "result", "result.json",
        json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    writeSpans();
    m_context.writeManifest();
}

}  // namespace orrery
