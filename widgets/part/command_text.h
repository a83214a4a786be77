#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/run/run_spec.h"

namespace orrery {

/// Arguments as one line for a shell: what a shell would read otherwise stands in quotes.
QString shellLine(const QStringList& arguments);

/// The verb that does the same as a solve of the window: its world, every field that differs from
/// its default. Habits and beliefs of others have no options: a spec with them gives an empty list.
/// @param workspace  folder of the runs; empty: none is named
QStringList solveArguments(const RunSpec& spec, const QString& workspace);

/// The same for a training of the window.
QStringList trainArguments(const RunSpec& spec, const QString& workspace);

/// The verb that does the same as a sweep; the fields in which the runs differ become its axes.
/// Empty if a run has habits or beliefs, or if there are no runs.
QStringList sweepArguments(const std::vector<RunSpec>& runs, const QString& workspace);

/// The verb that finds the same states. Values of a solution are not known to it: a predicate with
/// one gives an empty list.
QStringList findArguments(const QString& world, const QString& predicate);

}  // namespace orrery
