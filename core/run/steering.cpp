#include "core/run/steering.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/empo/spec_fields.h"
#include "core/run/json_members.h"
#include "core/run/train_job.h"

namespace orrery {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kActor = "actor.";

bool isActor(std::string_view key) {
    return key.starts_with(kActor);
}

/// The names of all fields that may be changed while a run trains.
std::vector<std::string> steerableFields() {
    std::vector<std::string> fields = liveFields();
    fields.insert(fields.end(), kStopKeys.begin(), kStopKeys.end());
    return fields;
}

std::optional<std::string> actorProblem(const TrainJob& job, const std::string& key,
                                        const std::string& value) {
    const auto number = parseInt(std::string_view(key).substr(kActor.size()));
    if (!number || *number < 0 || *number >= job.empo.numCollectors)
        return key + " is none of the run's " + std::to_string(job.empo.numCollectors) +
               " actors; they are actor.0 and following";
    if (value != "paused" && value != "running")
        return key + " must be paused or running, got '" + escaped(value, 80) + "'";
    return std::nullopt;
}

std::string notLive(const std::string& key) {
    if (trainJobFields().find(key) != nullptr)
        return key +
               " cannot be changed while a run trains: what was learned so far depends on "
               "it; fork the run with " +
               key + "=VALUE instead";
    std::vector<std::string> known = steerableFields();
    known.emplace_back("actor.0");
    const auto nearest = closestName(key, known);
    return "there is no parameter '" + escaped(key, 80) + "'" +
           (nearest ? "; did you mean '" + *nearest + "'?" : "");
}

}  // namespace

std::string steeredName(const std::string& key) {
    const SpecField* field = trainJobFields().find(key);
    return field == nullptr ? key : field->name;
}

std::string changeText(const TrainChange& change) {
    return std::to_string(change.step) + " " + change.key + "=" + change.value;
}

std::optional<TrainChange> changeOf(std::string_view text) {
    const std::size_t space = text.find(' ');
    const std::size_t equals = text.find('=');
    if (space == std::string_view::npos || equals == std::string_view::npos || equals < space + 2)
        return std::nullopt;
    const auto step = parseInt(text.substr(0, space));
    if (!step || *step < 0) return std::nullopt;
    return TrainChange{.step = *step,
                       .key = steeredName(std::string(text.substr(space + 1, equals - space - 1))),
                       .value = std::string(text.substr(equals + 1)),
                       .source = "spec"};
}

std::optional<std::string> changeProblem(const TrainJob& job, const std::string& key,
                                         const std::string& value) {
    if (isActor(key)) return actorProblem(job, key, value);
    if (std::ranges::count(steerableFields(), key) == 0) return notLive(key);
    const SpecRow<TrainJob>* field = trainJobFields().find(key);
    if (field == nullptr) return notLive(key);
    TrainJob changed = job;
    try {
        field->set(changed, fieldFromText(*field, value));
    } catch (const Error& e) {
        return e.what();
    }
    // What was wrong before is not this change's doing.
    const std::vector<SpecProblem> before = validate(job.empo);
    for (const SpecProblem& problem : validate(changed.empo))
        if (std::ranges::none_of(before, [&](const SpecProblem& known) {
                return known.field == problem.field && known.text == problem.text;
            }))
            return problem.field + " " + problem.text;
    return std::nullopt;
}

std::string normalValue(const std::string& key, const std::string& value) {
    const SpecField* field = trainJobFields().find(key);
    return field == nullptr ? value : fieldText(fieldFromText(*field, value));
}

std::string presentValue(const TrainJob& job, const std::string& key) {
    const SpecRow<TrainJob>* field = trainJobFields().find(key);
    return field == nullptr ? "running" : fieldText(field->get(job));
}

void applyChange(TrainJob& job, const TrainChange& change) {
    if (const SpecRow<TrainJob>* field = trainJobFields().find(change.key))
        field->set(job, fieldFromText(*field, change.value));
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
    if (change.isUndo) data["undo"] = true;
    std::string text = "step " + std::to_string(change.step) + ": " + change.key;
    text += isRefused ? "=" + change.value + " refused: " + applied.problem
                      : " " + applied.oldValue + " -> " + change.value;
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
                         .problem = textMember(data, "problem")};
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

void applyChangesUpTo(TrainJob& job, std::int64_t step) {
    const std::vector<TrainChange> changes = std::exchange(job.changes, {});
    for (const TrainChange& change : changes)
        if (change.step > step || isActor(change.key))
            job.changes.push_back(change);
        else if (!changeProblem(job, change.key, change.value))
            applyChange(job, change);
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
