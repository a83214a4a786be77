#pragma once

#include <vector>

#include "tests/perf/perf_rows.h"

namespace orrery::perf {

// The benchmarks of learning among things. Each runs once and adds its rows.

/// Operations on ragged buffers: rows `ragged_...`, against the original's times.
void raggedOperations();
/// Steps of many environments, their batches included: rows `envs_...`.
void steppingEnvironments();
/// Forward, backward and AdamW of a transformer against its matrix products: rows `net_...`.
void trainingTransformer();
/// Whole updates: rows `ppo_...`.
void makingUpdates();
/// What a process of Python adds to a step: rows `own_...`.
void bridgingProcesses();
/// How soon each environment is learned, by its spec in resources/specs/entity; takes minutes:
/// parts `learn_...`.
std::vector<Part> learningCurves();

}  // namespace orrery::perf
