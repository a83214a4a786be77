#pragma once

#include <string>

#include "core/run/jobs/solve_job.h"
#include "core/run/run_spec.h"

namespace orrery {

/// A world of one human and one robot in a room of 2 x 3 cells; `steps` levels below the initial
/// one.
inline std::string smallWorld(int steps) {
    return "metadata: {name: small}\n"
           "map: |\n"
           "  We We We We We\n"
           "  We Ay .. Ae We\n"
           "  We .. .. .. We\n"
           "  We We We We We\n"
           "max_steps: " +
           std::to_string(steps) +
           "\n"
           "possible_goals: ['1,1', '3,2', '1,1, 3,2']\n";
}

/// A solve of smallWorld that reads no file.
inline RunSpec smallSolve(int steps = 8) {
    RunSpec spec;
    spec.name = "small";
    spec.job = SolveJob{.world = {.name = "small.yaml", .text = smallWorld(steps)}};
    spec.job.as<SolveJob>().solve.threads = 1;
    return spec;
}

}  // namespace orrery
