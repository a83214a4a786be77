#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/history/history_reader.h"
#include "core/solve/solution.h"

namespace orrery {

enum class ExportFormat { Csv, Json, Npz };
/// By the names that a command line takes.
const std::map<std::string, ExportFormat>& exportFormats();
enum class ExportContent { Values, Policies };

/// In a row of numbers, in place of one that there is not.
inline constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/// Writes one row a state, by step then by configuration index: step, configuration, the world's
/// variables, then V_r, U_r, X_h, V_h^e, phase 1's V and Q_r (Values) or pi_r and pi_h (Policies).
/// CSV and JSON hold a table with one column a number; npz holds one array a quantity, its first
/// axis the states. What a terminal state lacks is empty, null or NaN. Written as writeOutput.
/// @return false if stopped
/// @throws Error (Resource) if the file cannot be written
bool exportSolution(const Solution& solution, ExportContent content, ExportFormat format,
                    const std::filesystem::path& file, std::stop_token stop = {},
                    const ProgressSink& progress = {});

/// Brings the solution of a run, when its turn comes; null if stopped.
using SolutionOfRun = std::function<std::shared_ptr<const Solution>(const std::string& runId)>;

/// The same of several runs in one file: CSV with a column `run` in front, for which all must have
/// the same columns; JSON as a list of tables, each with its `run`; npz with the arrays of each run
/// below its id, "r00003/v_r".
/// @throws Error also (BadInput) if a CSV is wanted of runs whose columns differ
bool exportSolutions(const std::vector<std::string>& runIds, const SolutionOfRun& solutionOf,
                     ExportContent content, ExportFormat format, const std::filesystem::path& file,
                     const std::stop_token& stop = {}, const ProgressSink& progress = {});

/// Writes all metrics of runs: key, seq, step, value; of several runs with `run` in front, in npz
/// below the run's id. False if stopped.
bool exportMetrics(const HistoryReader& reader, const std::vector<std::string>& runIds,
                   ExportFormat format, const std::filesystem::path& file,
                   const std::stop_token& stop = {});

}  // namespace orrery
