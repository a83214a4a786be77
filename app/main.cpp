#include "app/cli.h"
#include "app/gui.h"

int main(int argc, char** argv) {
    return orrery::wantsCommandLine(argc, argv) ? orrery::runCli(argc, argv)
                                                : orrery::runGui(argc, argv);
}
