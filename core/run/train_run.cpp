#include "core/run/train_run.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/atomic_write.h"
#include "core/base/fault.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/encode/state_encoder.h"
#include "core/history/workspace.h"
#include "core/run/exact_solution.h"
#include "core/run/span_file.h"
#include "core/run/steering.h"
#include "core/run/train_job.h"
#include "core/spec/field_effect.h"

namespace orrery {

namespace {

constexpr std::chrono::seconds kRowPatience{2};  // also where a stop was requested
constexpr std::chrono::seconds kLastRowPatience{10};

std::string numbered(const char* stem, std::size_t index, const char* suffix) {
    return stem + (index == 0 ? std::string() : "_" + std::to_string(index + 1)) + suffix;
}

/// What learning needs of a world beyond what reading it checks.
std::string worldProblems(const World& world, const TrainJob& job) {
    std::string problems;
    const auto add = [&](const std::string& text) {
        problems += (problems.empty() ? "" : "; ") + text;
    };
    for (const SpecProblem& problem : validate(exactSpecOf(job.empo), world))
        add(problem.field + " " + problem.text);
    if (world.robots().empty()) add("world has no robot, so there is nothing to learn; add one");
    const std::vector<double>& policy = job.empo.explorationPolicy;
    for (const int robot : world.robots())
        if (const auto& actions = world.agents()[static_cast<std::size_t>(robot)].actions;
            !policy.empty() && policy.size() != actions.size())
            add("exploration_policy has " + std::to_string(policy.size()) +
                " probabilities, but a robot has " + std::to_string(actions.size()) + " actions");
    const std::vector<double>& ofHumans = job.empo.explorationPolicy_h;
    for (const HumanGoals& human : world.goals())
        if (const int actions = world.numActions(human.agent);
            !ofHumans.empty() && std::ssize(ofHumans) != actions)
            add("human_exploration_policy has " + std::to_string(ofHumans.size()) +
                " probabilities, but a human has " + std::to_string(actions) + " actions");
    return problems;
}

/// The config as a Markdown code block.
std::string configText(const std::string& specJson) {
    return "```json\n" + nlohmann::ordered_json::parse(specJson).dump(2) + "\n```";
}

int exitStatusOf(RunState state) {
    if (state == RunState::Finished) return 0;
    return state == RunState::Diverged ? Error("", Error::Kind::Diverged).exitStatus() : 130;
}

}  // namespace

std::filesystem::path checkpointFolder(const std::filesystem::path& runFolder, std::int64_t step) {
    return runFolder / ("step_" + std::to_string(step));
}

void TrainRun::show(const std::function<void(TrainSnapshot&)>& change) {
    m_context.update([&](JobSnapshot& snapshot) { change(std::get<TrainSnapshot>(snapshot)); });
}

std::string TrainRun::prepare() {
    std::string problems;
    for (const WorldRef& named : worldRefs(m_job)) {
        WorldReading read = readWorld(named);
        auto world = makeWorld(requireSpec(read.file));
        m_worldTexts.push_back(std::move(read.text));
        for (const Diagnostic& diagnostic : read.file.diagnostics)
            m_warnings.push_back(diagnosticLine(diagnostic));
        for (const std::string& what : notEncoded(*world))
            m_warnings.push_back("'" + named.name + "': encoded states do not tell " + what +
                                 " apart, so what differs in them alone is learned as one state");
        if (const std::string wrong = worldProblems(*world, m_job); !wrong.empty())
            problems += (problems.empty() ? "The training cannot be started: " : "; ") + wrong;
        m_empo.worlds.push_back(std::move(world));
    }
    show([this](TrainSnapshot& snapshot) {
        snapshot.worlds = m_empo.worlds;
        snapshot.warnings = m_warnings;
    });
    if (!problems.empty()) throw Error(problems + ".", Error::Kind::BadInput);
    m_context.onCommand([this](const RunCommand& command) { obey(command); });
    return worldHashOf(m_empo.worlds);
}

RunOutcome TrainRun::work() {
    writeInputs();
    const EmpoLibrary& library = empoLibrary();
    chooseStart();
    takeKnownChanges();
    beginMirror();
    TrainOutcome outcome{.state = RunState::Stopped,
                         .summary = "stopped before the first step",
                         .newest = m_request.newest};
    if (solveExactly()) {
        m_empo.spec = m_job.empo;
        m_empo.solveAgain = [this](const EmpoSpec& spec) { return solveAgain(spec); };
        m_request.cadence = {.metricInterval = m_job.empo.metricInterval,
                             .checkpointSeconds = m_job.empo.checkpointSeconds,
                             .checkpointSteps = m_job.empo.checkpointSteps};
        m_request.folder = m_context.folder();
        m_request.stop = m_job.stop;
        m_request.pausesAtTrouble = m_context.pausesAtTrouble();
        m_context.onQuestion(
            [this] { return m_training && m_training->desk && m_training->desk->takeIsAsked(); });
        faultPoint("run.train");
        const std::unique_ptr<Method> method = library.make(m_empo);
        outcome = train(*method, m_request, hooks(), m_context.stop());
        m_context.showProgress({.phase = "train",
                                .done = outcome.steps,
                                .total = m_job.empo.trainingSteps,
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

void TrainRun::writeInputs() {
    for (std::size_t i = 0; i < m_worldTexts.size(); ++i)
        m_context.artefact(numbered("world", i, ""), numbered("world", i, ".yaml"),
                           m_worldTexts[i]);
    for (const std::string& warning : m_warnings)
        m_context.message(MessageLevel::Warning, "world.warning", warning);
    for (const SpecProblem& note : inertFields(trainJobFields().rows(), m_job, TrainJob()))
        m_context.message(MessageLevel::Warning, "train.no_effect", note.field + ' ' + note.text);
    RunSpec whole;
    whole.seed = m_job.empo.seed;
    whole.job = m_job;
    whole.job.as<TrainJob>().worldTexts.clear();
    m_request.specJson = toJson(whole, -1);
}

/// Solves the worlds that are small enough. @return false if stopped
bool TrainRun::solveExactly() {
    for (std::size_t i = 0; i < m_empo.worlds.size(); ++i) {
        const ExactSolution exact =
            exactSolutionOf(m_empo.worlds[i], m_job.empo, m_job.exactStates, m_context.stop(),
                            [this](const Progress& progress) { m_context.progress(progress); });
        if (m_context.stop().stop_requested()) return false;
        if (!exact.solution) tellNotExact(i, exact.whyNot);
        m_empo.exact.push_back(exact.solution);
    }
    show([this](TrainSnapshot& snapshot) { snapshot.exact = m_empo.exact; });
    return true;
}

void TrainRun::tellNotExact(std::size_t world, const std::string& whyNot) {
    m_context.message(MessageLevel::Info, "train.not_exact",
                      "'" + m_job.worlds[world] +
                          "' is not solved exactly, so errors are not measured: " + whyNot);
}

/// Solves the worlds that were solved at the start once more, for a steered spec. A run that does
/// single steps is not held up within one.
/// @return [worlds], null where a world is not solved or the run was stopped
std::vector<std::shared_ptr<const Solution>> TrainRun::solveAgain(const EmpoSpec& spec) {
    std::vector<std::shared_ptr<const Solution>> solutions;
    for (std::size_t i = 0; i < m_empo.exact.size(); ++i) {
        ExactSolution exact;
        if (m_empo.exact[i])
            exact = solvedAgain(*m_empo.exact[i], spec, m_context.stop(),
                                [this](const Progress& progress) {
                                    if (m_context.state() == RunState::Paused)
                                        m_context.showProgress(progress);
                                    else
                                        m_context.progress(progress);
                                });
        if (!exact.whyNot.empty()) tellNotExact(i, exact.whyNot);
        solutions.push_back(exact.solution);
    }
    if (m_context.stop().stop_requested()) return solutions;
    show([&](TrainSnapshot& snapshot) { snapshot.exact = solutions; });
    m_context.message(MessageLevel::Info, "train.solved_again",
                      "errors are measured against exact solutions for beta_r = " +
                          formatDouble(spec.beta_r) + " from here on");
    return solutions;
}

void TrainRun::chooseStart() {
    if (m_context.isResumed()) return resumeFromNewest();
    if (m_job.fromRun.empty()) return;
    if (m_context.workspace() == nullptr)
        throw Error("A run that begins with another one's checkpoint needs its workspace.",
                    Error::Kind::BadInput);
    const Workspace& workspace = *m_context.workspace();
    const std::string parent = workspace.reader().findRun(m_job.fromRun).id;
    const Checkpoint checkpoint = Checkpoint::open(workspace.runFolder(parent), m_job.fromStep);
    m_request.resumeFrom = checkpoint.folder();
    m_context.message(MessageLevel::Info, "train.forked",
                      "begins with step " + std::to_string(m_job.fromStep) + " of run " + parent);
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
    findBest();
    m_context.message({.code = "train.resumed",
                       .text = choice.checkpoint
                                   ? "goes on from the checkpoint of step " + std::to_string(step)
                                   : "has no good checkpoint and begins at the start",
                       .step = choice.checkpoint ? step : 0});
}

/// Those of the spec, and of the run's earlier lives.
void TrainRun::takeKnownChanges() {
    std::vector<EventRow> events;
    if (m_context.isResumed()) events = m_context.workspace()->reader().events(m_context.id());
    std::vector<TrainChange> known = recordedChanges(m_job.changes, events);
    for (TrainChange& change : known) change.isReplay = true;
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
    hooks.saved = [this](const TrainCheckpoint& checkpoint, const NewestMetrics& newest) {
        saved(checkpoint, newest);
    };
    hooks.wantsCheckpoint = [this] { return std::exchange(m_wantsCheckpoint, false); };
    return hooks;
}

void TrainRun::troubled(const TrainTrouble& trouble) {
    m_trouble = trouble;
    show([&](TrainSnapshot& snapshot) { snapshot.trouble = trouble; });
    if (trouble.asks) m_context.halt();
}

void TrainRun::obey(const RunCommand& command) {
    if (command.kind == RunCommand::Kind::Checkpoint) {
        m_wantsCheckpoint = true;
        return;
    }
    TrainChange change{.key = steeredName(command.key),
                       .value = command.value,
                       .source = command.source,
                       .isUndo = command.isUndo};
    if (const auto problem = changeProblem(m_live, change.key, change.value)) {
        changed({.change = change, .problem = *problem});
        return;
    }
    change.value = normalValue(change.key, change.value);
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
    const std::filesystem::path manifest = checkpoint.folder / "MANIFEST.json";
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
    const bool isDurable = areRowsDurable(kRowPatience);
    // A checkpoint of the same step was replaced, on disk too.
    std::erase_if(m_rows, [&](const CheckpointRow& old) {
        if (old.step != row.step) return false;
        writer.removeCheckpoint(m_context.id(), old.generation);
        return true;
    });
    m_rows.push_back(std::move(row));
    if (!isDurable) return;  // told with the next one; the run's end tells of a database in trouble
    tellSaved();
    dropOldCheckpoints();
}

bool TrainRun::areRowsDurable(std::chrono::milliseconds patience) {
    DbWriter& writer = m_context.workspace()->writer();
    bool isDurable = false;
    m_context.writing([&] { isDurable = writer.flush(patience); });
    // A full disk was waited for meanwhile.
    if (!isDurable && writer.troubleText().empty()) isDurable = writer.flush(patience);
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
    const auto measure = measureOf(newest, m_job.bestMetric);
    if (!measure) return;
    const CheckpointRow* const best = bestRow(m_rows);
    const bool isBest =
        best == nullptr || !m_best || best->step == row.step || measure->isBetterThan(*m_best);
    if (!isBest) return;
    row.state = kBestCheckpoint;
    m_best = measure;
}

/// Of a run that is gone on with: what its best checkpoint is measured by, and newest values of the
/// curves that decide.
void TrainRun::findBest() {
    if (m_rows.empty()) return;
    const HistoryReader reader = m_context.workspace()->reader();
    const auto curvesAt = [&](std::int64_t step) {
        return measuredCurves(reader, m_context.id(), step, m_job.bestMetric);
    };
    m_request.newest = curvesAt(m_rows.back().step);
    const CheckpointRow* const marked = bestRow(m_rows);
    std::int64_t best = marked != nullptr ? marked->generation : -1;
    if (marked != nullptr) m_best = measureOf(curvesAt(marked->step), m_job.bestMetric);
    for (const CheckpointRow& row : m_rows) {
        if (marked != nullptr) break;
        const auto measure = measureOf(curvesAt(row.step), m_job.bestMetric);
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
    if (m_job.tensorBoardFolder.empty()) return;
    const std::string id = m_context.id();
    m_mirror = std::make_unique<MetricMirror>(
        MetricMirror::Options{.folder = m_job.tensorBoardFolder,
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
    const auto kept = static_cast<std::size_t>(m_job.empo.keptCheckpoints);
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
    pruneCheckpoints(m_context.folder(), m_job.empo.keptCheckpoints, isListed, m_rows.back().step);
    show([&](TrainSnapshot& snapshot) {
        std::erase_if(snapshot.checkpoints,
                      [&](const KeptCheckpoint& old) { return !isListed(old.step); });
    });
}

/// A condition on a metric that has no points never holds.
void TrainRun::warnOfUnknownMetric(const NewestMetrics& newest) {
    if (!m_live.stop.metric || newest.empty() || newest.contains(*m_live.stop.metric)) return;
    std::vector<std::string> known;
    for (const auto& [key, value] : newest) known.push_back(key);
    const auto nearest = closestName(*m_live.stop.metric, known);
    m_context.message(MessageLevel::Warning, "train.no_metric",
                      "stop_metric '" + *m_live.stop.metric +
                          "' had no point, so its condition never held." +
                          (nearest ? " Did you mean '" + *nearest + "'?" : ""));
}

void TrainRun::writeResults(const TrainOutcome& outcome) {
    if (m_context.folder().empty()) return;
    nlohmann::ordered_json json;
    json["format"] = 1;
    json["end"] = nameOf(outcome.state);
    json["worlds"] = nlohmann::ordered_json::array();
    for (const auto& world : m_empo.worlds)
        json["worlds"].push_back({{"name", world->name()},
                                  {"hash", world->contentHash()},
                                  {"width", world->width()},
                                  {"height", world->height()},
                                  {"max_steps", world->maxSteps()}});
    json["world"] = json["worlds"].front();
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

/// Changes with each checkpoint, so no row of the history says what it must hold.
void TrainRun::writeSpans() {
    const auto* now = empoOf(m_training.get());
    if (now == nullptr || !now->timeline) return;
    m_context.writing([&] {
        atomicWrite(m_context.folder() / kSpanFile, spansJson(*now->timeline, now->memory));
    });
}

}  // namespace orrery
