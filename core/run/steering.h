#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/run_event.h"
#include "core/history/records.h"
#include "core/run/run_kind.h"
#include "core/run/run_spec.h"
#include "core/spec/problem.h"
#include "core/train/steering.h"

namespace orrery {

/// Codes of the events that tell what became of a change.
inline constexpr std::string_view kSteerCode = "steer";
inline constexpr std::string_view kSteerRefusedCode = "steer.refused";
inline constexpr std::string_view kSteerReplayedCode = "steer.replayed";  ///< known beforehand

/// The name of a field that somebody may call by an alias; other words as they are.
std::string steeredName(const RunKind& kind, const std::string& key);

/// What is wrong with what all trainings have, beyond the ranges of single fields: stop conditions,
/// changes, the checkpoint that it begins with.
/// @param spec  of a training
std::vector<SpecProblem> trainingProblems(const RunSpec& spec);

/// Why a change cannot be made while a run trains, with what can be done instead; nothing if it
/// can. Checked against the field's range and the rest of the spec.
std::optional<std::string> changeProblem(const RunSpec& spec, const std::string& key,
                                         const std::string& value);

/// The value as the field writes it: "1e-3" becomes "0.001". The change must have no problem.
std::string normalValue(const RunKind& kind, const std::string& key, const std::string& value);

/// What a spec says of a key; "running" for actors.
std::string presentValue(const RunSpec& spec, const std::string& key);

/// Carries a change out in a spec; nothing for actors.
void applyChange(RunSpec& spec, const TrainChange& change);

/// The event of a change, with {"key", "value", "old" or "problem", "source", "undo"} as its data;
/// for people "step 2000: lr_q_r 0.0001 -> 0.0005 (orrery steer)", or with the reason in place of
/// the values. And back from a stored one; nothing if it is of another kind.
event::Message steeringMessage(const AppliedChange& change);
std::optional<AppliedChange> steeringOf(const EventRow& event);

/// The changes that a run's events tell of, in their order, without refused and replayed ones.
std::vector<AppliedChange> steeringIn(std::span<const EventRow> events);

/// All changes that made a run what it is, ascending by step: those that its spec lists and
/// those that its events tell of.
std::vector<TrainChange> recordedChanges(const std::vector<TrainChange>& listed,
                                         std::span<const EventRow> events);

/// Carries out, in a spec, the changes of its list up to `step`, those of that step too. The list
/// keeps later ones, and those of actors, which no field says.
void applyChangesUpTo(RunSpec& spec, std::int64_t step);

/// The spec becomes the one that a checkpoint of that step was learned by, but for when the run was
/// to stop.
/// @param recorded  all changes that were made
void goToStep(RunSpec& spec, const std::vector<TrainChange>& recorded, std::int64_t step);

/// The newest change that was not taken back; nothing if there is none.
std::optional<AppliedChange> lastUndoable(std::span<const EventRow> events);

}  // namespace orrery
