#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace orrery {

/// The manual page orrery(1) in troff, made of the same texts as `--help`.
/// @param root all verbs declared, none parsed
std::string manPage(const CLI::App& root, const std::string& version);

}  // namespace orrery
