#include "core/run/steering.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/json_members.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kActor = "actor.";

bool isActor(std::string_view key) {
    return key.starts_with(kActor);
}

const RunField* fieldOf(const RunKind& kind, std::string_view key) {
    const auto found = std::ranges::find_if(
        kind.fields, [&](const RunField& field) { return field.isNamed(key); });
    return found == kind.fields.end() ? nullptr : &*found;
}

bool isSteerable(const RunField& field) {
    return field.isLive || isStopKey(field.name);
}

std::optional<std::string> actorProblem(const RunSpec& spec, const std::string& key,
                                        const std::string& value) {
    const RunKind& kind = spec.job.kind();
    const int actors = kind.numActors ? kind.numActors(spec.job) : 0;
    const int number = actorOf(key);
    if (number < 0 || number >= actors)
        return key + " is none of the run's " + std::to_string(actors) +
               " actors; they are actor.0 and following";
    if (value != "paused" && value != "running")
        return key + " must be paused or running, got '" + escaped(value, 80) + "'";
    return std::nullopt;
}

std::string notLive(const RunKind& kind, const std::string& key) {
    if (fieldOf(kind, key) != nullptr)
        return key +
               " cannot be changed while a run trains: what was learned so far depends on "
               "it; fork the run with " +
               key + "=VALUE instead";
    std::vector<std::string> known;
    for (const RunField& field : kind.fields)
        if (isSteerable(field)) known.push_back(field.name);
    if (kind.numActors) known.emplace_back("actor.0");
    const auto nearest = closestName(key, known);
    return "there is no parameter '" + escaped(key, 80) + "'" +
           (nearest ? "; did you mean '" + *nearest + "'?" : "");
}

void checkStop(const StopConditions& stop, const TrainingDisplay& display,
               std::vector<SpecProblem>& problems) {
    const bool needsMetric = stop.atMost || stop.atLeast || stop.plateauSteps;
    if (!needsMetric || stop.metric) return;
    std::string text = "is not set, but a condition looks at it; name a metric";
    if (!display.stopCurves.empty()) text += " such as " + display.stopCurves.back();
    problems.push_back({"stop_metric", text});
}

void checkChanges(const RunSpec& spec, std::vector<SpecProblem>& problems) {
    const std::vector<TrainChange>& changes = trainSettings(spec.job)->changes;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const TrainChange& change = changes[i];
        const std::string field = "changes[" + std::to_string(i) + "]";
        if (change.step < 0) {
            problems.push_back(
                {field, "must be \"STEP KEY=VALUE\", got '" + escaped(change.value, 80) + "'"});
            continue;
        }
        if (change.step < before)
            problems.push_back({field, "is of step " + std::to_string(change.step) +
                                           ", but stands behind one of step " +
                                           std::to_string(before)});
        before = change.step;
        if (const auto problem = changeProblem(spec, change.key, change.value))
            problems.push_back({field, *problem});
    }
}

}  // namespace

std::string steeredName(const RunKind& kind, const std::string& key) {
    const RunField* field = fieldOf(kind, key);
    return field == nullptr ? key : field->name;
}

std::vector<SpecProblem> trainingProblems(const RunSpec& spec) {
    std::vector<SpecProblem> problems;
    const TrainSettings& settings = *trainSettings(spec.job);
    if (settings.fromRun.empty() && settings.fromStep > 0)
        problems.push_back({"from_step", "needs from_run, the run that the checkpoint is of"});
    checkStop(settings.stop, spec.job.kind().display, problems);
    checkChanges(spec, problems);
    return problems;
}

std::optional<std::string> changeProblem(const RunSpec& spec, const std::string& key,
                                         const std::string& value) {
    if (isActor(key)) return actorProblem(spec, key, value);
    const RunKind& kind = spec.job.kind();
    const RunField* field = fieldOf(kind, key);
    if (field == nullptr || !isSteerable(*field)) return notLive(kind, key);
    RunSpec changed = spec;
    try {
        field->set(changed, fieldFromText(*field, value));
    } catch (const Error& e) {
        return e.what();
    }
    // What was wrong before is not this change's doing.
    const std::vector<SpecProblem> before = kind.problems(spec.job);
    for (const SpecProblem& problem : kind.problems(changed.job))
        if (std::ranges::none_of(before, [&](const SpecProblem& known) {
                return known.field == problem.field && known.text == problem.text;
            }))
            return problem.field + " " + problem.text;
    return std::nullopt;
}

std::string normalValue(const RunKind& kind, const std::string& key, const std::string& value) {
    const RunField* field = fieldOf(kind, key);
    return field == nullptr ? value : fieldText(fieldFromText(*field, value));
}

std::string presentValue(const RunSpec& spec, const std::string& key) {
    const RunField* field = fieldOf(spec.job.kind(), key);
    return field == nullptr ? "running" : fieldText(field->get(spec));
}

void applyChange(RunSpec& spec, const TrainChange& change) {
    if (isActor(change.key)) return;
    const RunField* field = fieldOf(spec.job.kind(), change.key);
    if (field == nullptr) return;
    field->set(spec, fieldFromText(*field, change.value));
}

event::Message steeringMessage(const AppliedChange& applied) {
    const TrainChange& change = applied.change;
    const bool isRefused = !applied.problem.empty();
    Json data{{"key", change.key}, {"value", change.value}};
    if (isRefused)
        data["problem"] = applied.problem;
    else
        data["old"] = applied.oldValue;
    data["source"] = change.source;
    if (!applied.now.empty()) data["now"] = applied.now;
    if (change.isUndo) data["undo"] = true;
    std::string text = "step " + std::to_string(change.step) + ": " + change.key;
    text += isRefused ? "=" + change.value + " refused: " + applied.problem
                      : " " + applied.oldValue + " -> " + change.value;
    if (!applied.now.empty()) text += ", " + applied.now + " now";
    text += std::string(" (") + (change.isReplay ? "replay of " : "") +
            (change.source.empty() ? "unknown" : change.source) + ")";
    return {.level = isRefused ? MessageLevel::Warning : MessageLevel::Info,
            .code = std::string(isRefused         ? kSteerRefusedCode
                                : change.isReplay ? kSteerReplayedCode
                                                  : kSteerCode),
            .text = std::move(text),
            .step = change.step,
            .data = data.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

std::optional<AppliedChange> steeringOf(const EventRow& event) {
    const bool isReplay = event.code == kSteerReplayedCode;
    if (event.code != kSteerCode && event.code != kSteerRefusedCode && !isReplay)
        return std::nullopt;
    const Json data = Json::parse(event.data, nullptr, false);
    if (!event.step || !data.is_object()) return std::nullopt;
    return AppliedChange{.change = {.step = *event.step,
                                    .key = textMember(data, "key"),
                                    .value = textMember(data, "value"),
                                    .source = textMember(data, "source"),
                                    .isUndo = flagMember(data, "undo"),
                                    .isReplay = isReplay},
                         .oldValue = textMember(data, "old"),
                         .problem = textMember(data, "problem"),
                         .now = textMember(data, "now")};
}

std::vector<AppliedChange> steeringIn(std::span<const EventRow> events) {
    std::vector<AppliedChange> changes;
    for (const EventRow& event : events)
        if (event.code == kSteerCode)
            if (auto change = steeringOf(event)) changes.push_back(std::move(*change));
    return changes;
}

std::vector<TrainChange> recordedChanges(const std::vector<TrainChange>& listed,
                                         std::span<const EventRow> events) {
    std::vector<TrainChange> changes = listed;
    for (const AppliedChange& applied : steeringIn(events)) changes.push_back(applied.change);
    std::ranges::stable_sort(changes, {}, &TrainChange::step);
    return changes;
}

void applyChangesUpTo(RunSpec& spec, std::int64_t step) {
    const auto listOf = [&]() -> auto& {
        return spec.job.kind().training(spec.job)->changes;
    };
    for (const TrainChange& change : std::exchange(listOf(), {}))
        if (change.step > step || isActor(change.key))
            listOf().push_back(change);
        else if (!changeProblem(spec, change.key, change.value))
            applyChange(spec, change);
}

void goToStep(RunSpec& spec, const std::vector<TrainChange>& recorded, std::int64_t step) {
    RunSpec steered = spec;
    steered.job.kind().training(steered.job)->changes = recorded;
    applyChangesUpTo(steered, step);
    applyChangesUpTo(spec, step);
    const TrainSettings& own = *trainSettings(spec.job);
    TrainSettings& settings = *steered.job.kind().training(steered.job);
    settings.stop = own.stop;
    settings.changes = own.changes;
    spec = std::move(steered);
}

std::optional<AppliedChange> lastUndoable(std::span<const EventRow> events) {
    std::vector<AppliedChange> open;
    for (AppliedChange& change : steeringIn(events)) {
        if (!change.change.isUndo)
            open.push_back(std::move(change));
        else if (!open.empty())
            open.pop_back();
    }
    return open.empty() ? std::nullopt : std::optional(open.back());
}

}  // namespace orrery
