#pragma once

#include <string>
#include <vector>

#include "app/cli/verb.h"

namespace orrery {

/// What a command line asks for.
struct CommandLine {
    const Verb* verb = nullptr;  ///< to be carried out; its places are filled
    std::string help;            ///< to be shown instead
    bool wantsVersion = false;
    std::string problem;  ///< one line for a command line that cannot be read
};

/// Reads a command line by the table below `program`. The only source that knows the library that
/// does it.
CommandLine readCommandLine(const Verb& program, int argc, const char* const* argv);

/// The help of a verb, as `--help` prints it.
/// @param path words of verbs that are there: {"world", "show"}; empty: the program
std::string helpText(const Verb& program, const std::vector<std::string>& path);

/// The library's name and version: "CLI11 2.1.2".
std::string commandLineLibrary();

}  // namespace orrery
