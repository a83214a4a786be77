#pragma once

namespace orrery::perf {

// The benchmarks of learned planning. Each runs once and adds its rows; one thread.

/// States drawn and brought into planes: rows `decompress_...`.
void decompressing();
/// Steps of tables of 10^3 and 10^6 rows: rows `table_step_...`.
void updatingTables();
/// Forward, backward and Adam on ready tensors: rows `floor_...`.
void trainingFloor();
/// Training steps of a tabular learner, also among 10^6 rows: rows `learn_tables_...`.
void learningTables();
/// Training steps of networks against the floor of the same sizes: rows `learn_networks_...`.
void learningNetworks();
/// An episode of 50 steps, acting and training, in the setting of seed 000: rows `episode_...`.
void learningEpisode();
/// Successors of a batch at once against one by one: rows `at_once...`.
void learningAtOnce();
/// Two actors on threads against acting in turn: rows `async_...`.
void learningWithActors();
/// Errors to the exact solution after a stated budget: rows `converge_...`. Takes minutes.
void convergingTables();
void convergingNetworks();

}  // namespace orrery::perf
