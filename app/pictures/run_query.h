#pragma once

#include <filesystem>
#include <string>
#include <unordered_set>

namespace orrery {

/// The ids of a workspace's runs for which a condition holds, written as in Compare
/// (widgets/compare/run_filter_text.h), those in the trash too. Draws nothing.
/// @throws FilterError
std::unordered_set<std::string> runsWhere(const std::filesystem::path& workspaceFolder,
                                          const std::string& text);

}  // namespace orrery
