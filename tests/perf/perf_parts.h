#pragma once

#include <benchmark/benchmark.h>

namespace orrery::perf {

// The benchmarks of the window's parts. Each runs once and adds its rows; a QApplication exists.

/// Layered layout of 5,000 nodes.
void planLayout(benchmark::State& state);
/// Level bands and predicates over 10^6 states; over 10^7, with neighbourhoods and the canvas.
void planMillion(benchmark::State& state);
void planTenMillion(benchmark::State& state);
/// Other parameters on a graph of 10^7 products: rows `resolve_...`.
void exploreParameters(benchmark::State& state);

/// The pyramid of 10^7 points: building, memory, asking for 1,920 columns.
void chartQuery(benchmark::State& state);
/// Frames of a chart of 10^7 points x 4 series while zooming and panning.
void chartDrawing(benchmark::State& state);

/// What views that follow a solve ten times a second cost its worker: row `drawing_costs_worker`.
void drawingCost(benchmark::State& state);

/// From a new selection to all views of a window that shows 10^6 states.
void selecting(benchmark::State& state);

/// The table of 10^4 runs: filtering and scrolling.
void runsTable(benchmark::State& state);
/// A window that opens a workspace of 10^4 runs.
void runsStart(benchmark::State& state);

}  // namespace orrery::perf
