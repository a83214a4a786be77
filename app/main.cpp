#include <cstdio>

#include "app/cli.h"
#include "app/gui.h"
#include "app/profile.h"

int main(int argc, char** argv) {
    if (const std::string problem = orrery::takeProfile(argc, argv); !problem.empty()) {
        std::fprintf(stderr, "orrery: %s\n", problem.c_str());
        return 2;
    }
    return orrery::wantsCommandLine(argc, argv) ? orrery::runCli(argc, argv)
                                                : orrery::runGui(argc, argv);
}
