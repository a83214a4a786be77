#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace orrery {

enum class Shell { Bash, Zsh, Fish };

/// A script that makes a shell complete verbs, sub-verbs and options of the command line, made of
/// the same table as `--help`; files elsewhere.
/// @param root all verbs declared, none parsed
std::string completionScript(const CLI::App& root, Shell shell);

}  // namespace orrery
