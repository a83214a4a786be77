#include "app/window/program.h"

int main(int argc, char** argv) {
    return orrery::runProgram(argc, argv);
}
