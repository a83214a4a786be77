#pragma once

#include <span>
#include <string_view>

#include "core/run/run_spec.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// A field of a run's spec. Of a spec with another job it reads its default; it can be set in specs
/// with its job alone.
using RunField = SpecRow<RunSpec>;

/// Fields of every run: name, note, seed.
std::span<const RunField> runFields();

/// Fields of SolveJob, those of its SolveSpec included.
std::span<const RunField> solveFields();

/// Fields of TrainJob, those of its EmpoSpec included.
std::span<const RunField> trainFields();

/// Fields of the alternative of that name (jobKinds), without runFields().
std::span<const RunField> jobFields(std::string_view kind);

/// Null if neither runFields() nor the job's fields have that name.
const RunField* findField(std::string_view kind, std::string_view name);

/// The value in a fresh spec of that job.
FieldValue fieldDefault(const RunField& field);

}  // namespace orrery
