#include "widgets/compare/example_study.h"

#include <array>
#include <string>

#include "core/run/jobs/solve_job.h"
#include "core/run/sweep.h"

namespace orrery {

std::vector<RunSpec> studyRuns() {
    RunSpec base;
    base.name = "Locked pantry";
    base.note = "The example study: does a sharper policy help the human out more often?";
    SolveJob job;
    job.world.name = "builtin:locked_pantry";
    job.episodes = 300;
    base.job = job;
    const std::array<std::string, 2> axes{"beta_r=10,100", "seed=1:5:1"};
    return sweepRuns(base, readSweep("solve", axes).axes);
}

}  // namespace orrery
