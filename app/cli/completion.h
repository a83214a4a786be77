#pragma once

#include <string>

#include "app/cli/verb.h"

namespace orrery {

enum class Shell { Bash, Zsh, Fish };

/// A script that makes a shell complete verbs, sub-verbs and options of the command line, made of
/// the same table as `--help`; files elsewhere.
/// @param program all verbs declared
std::string completionScript(const Verb& program, Shell shell);

}  // namespace orrery
