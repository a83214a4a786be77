#pragma once

#include <string>

#include "app/cli/verb.h"

namespace orrery {

/// The manual page orrery(1) in troff, made of the same texts as `--help`.
/// @param program all verbs declared
std::string manPage(const Verb& program, const std::string& version);

}  // namespace orrery
