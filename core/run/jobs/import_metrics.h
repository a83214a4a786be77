#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/history/workspace.h"

namespace orrery {

/// One point of a curve that another program wrote.
struct ImportedPoint {
    std::string key;
    std::int64_t step = 0;
    double value = 0;
};

/// Curves that belong together: the event files of a folder, or a table.
struct ImportedRun {
    std::string name;
    std::string source;                 ///< the file or folder, for the note
    std::vector<ImportedPoint> points;  ///< in the order of the files
    std::int64_t leftOut = 0;           ///< values that are no scalars
    bool isWhole = true;                ///< false: the end of a file is damaged and was left out
};

/// Reads curves: a CSV or TSV table (.csv, .tsv), a TensorBoard event file, or a folder, in which
/// every folder with event files is a run. A table has a head. Either each row is a point, in the
/// columns key, step and value; or the first column is the step and every other one a curve, whose
/// empty cells are no points. If stopped, returns what was read until then.
/// @param progress  rows of a table, bytes of event files
/// @throws Error (BadInput) naming file and line, (Resource, Damaged) as readTensorBoardFile
std::vector<ImportedRun> readImport(const std::filesystem::path& path, std::stop_token stop = {},
                                    const ProgressSink& progress = {});

/// Gives the curves of Stable-Baselines3 the names that trainings among things have for them, with
/// values in the same sense: its entropy loss is minus the entropy, its loss of the values twice
/// ours. Others keep their names.
void takeStableBaselinesNames(ImportedRun& run);

/// Stores them as a finished run with the tag "imported". It has curves and no values.
/// @return its id; empty if stopped, and then nothing of it is left
/// @throws Error as DbWriter::createRun
std::string storeImport(Workspace& workspace, const ImportedRun& run, std::stop_token stop = {},
                        const ProgressSink& progress = {});

}  // namespace orrery
