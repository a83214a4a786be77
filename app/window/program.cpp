#include "app/window/program.h"

#include <cstdio>

#include "app/cli/cli.h"
#include "app/cli/profile.h"
#include "app/window/gui.h"

namespace orrery {

int runProgram(int argc, char** argv) {
    if (const std::string problem = takeProfile(argc, argv); !problem.empty()) {
        std::fprintf(stderr, "orrery: %s\n", problem.c_str());
        return 2;
    }
    return wantsCommandLine(argc, argv) ? runCli(argc, argv) : runGui(argc, argv);
}

}  // namespace orrery
