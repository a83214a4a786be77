#pragma once

#include <QString>

#include "core/base/progress.h"
#include "widgets/frame/job_list.h"

namespace orrery {

/// How far something is, for the list of jobs.
JobProgress jobProgress(const Progress& progress);

/// "1 204 of 41 208 states · 85 200 per second · 3 s left".
QString progressText(const Progress& progress);

/// "Explore", "Solve": the phase with a capital.
QString phaseText(const Progress& progress);

}  // namespace orrery
