#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/run_fields.h"
#include "core/run/run_spec.h"

namespace orrery {

/// One parameter of a sweep and the values that it takes.
struct SweepAxis {
    std::string field;               ///< key of the spec: "beta_r"
    std::vector<FieldValue> values;  ///< each accepted by the field, none twice
};

/// What was read of a sweep.
struct SweepReading {
    std::vector<SweepAxis> axes;
    std::vector<std::string> problems;  ///< every one: "zeta must be > 0, got '0'"; empty if right
};

/// A sweep has at most this many parameters, beside its seeds, and runs.
inline constexpr std::size_t kMaxSweepAxes = 2;
inline constexpr std::size_t kMaxSweepRuns = 10'000;

/// Reads "beta_r=1,2,5,10" (a list, in its order) and "zeta=1:3:0.5" (from, to, step; both ends
/// taken in). A list may hold ranges, and words that the field knows ("inf", "none", "true").
/// @param kind  the job, by its name
SweepReading readSweep(std::string_view kind, std::span<const std::string> texts);

/// Adds an axis of so many seeds: the base's, and those that follow it.
/// @throws Error (BadInput) if the seeds are swept already, or there would be too many runs
void addSeeds(std::vector<SweepAxis>& axes, const RunSpec& base, std::int64_t count);

/// Fields of a job that can be swept: those that change values and are neither text nor rules, and
/// the seed.
std::vector<std::string> sweepFields(std::string_view kind);

std::size_t numRuns(std::span<const SweepAxis> axes);

/// One spec for every combination, the last axis fastest: "NAME · beta_r 2 · zeta 1".
/// @throws Error (BadInput) naming the first combination that is no right spec
std::vector<RunSpec> sweepRuns(const RunSpec& base, std::span<const SweepAxis> axes);

/// A tag for the runs of one sweep: "sweep-beta_r-zeta-20260301-123456".
/// @param utc  as utcNow()
std::string sweepTag(std::span<const SweepAxis> axes, std::string_view utc);

}  // namespace orrery
