// run_victim WORKSPACE RUNS: opens the workspace and solves a small world RUNS times. Prints one
// line a finished run, "FINISHED r00001", after the run is durable. The crash test kills it.
#include <cstdio>
#include <cstdlib>

#include "core/base/error.h"
#include "core/history/workspace.h"
#include "core/run/run.h"
#include "small_world.h"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    try {
        const auto workspace = orrery::Workspace::open(argv[1], orrery::Workspace::Mode::Create);
        for (int i = 0; i < std::atoi(argv[2]); ++i) {
            const auto run =
                orrery::Run::start(orrery::smallSolve(6 + i % 3), {.workspace = workspace.get()});
            const orrery::RunOutcome outcome = run->wait();
            if (outcome.state != orrery::RunState::Finished) {
                std::fprintf(stderr, "%s\n", outcome.text.c_str());
                return outcome.exitStatus;
            }
            std::printf("FINISHED %s\n", run->id().c_str());
            std::fflush(stdout);
        }
    } catch (const orrery::Error& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return e.exitStatus();
    }
    return 0;
}
