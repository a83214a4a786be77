#pragma once

namespace orrery {

/// The program, for its main: a verb, or the window. What it knows beyond its own lists is named
/// before (useKinds, useFamilies, useParts, useCommands).
/// @return the exit status, as runCli and runGui
int runProgram(int argc, char** argv);

}  // namespace orrery
