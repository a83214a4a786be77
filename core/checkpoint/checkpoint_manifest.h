#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/checkpoint/checkpoint_folder.h"

namespace orrery {

inline constexpr const char* kManifestName = "MANIFEST.json";
inline constexpr std::uint64_t kMaxManifestBytes = 1 << 20;

/// The text of MANIFEST.json. Its last member is the SHA-256 of everything before that member.
std::string manifestText(const CheckpointManifest& manifest);

/// Reads it back.
/// @param path  for messages
/// @throws Error (Damaged) if a single byte of it changed, or if it is newer
CheckpointManifest parseManifest(std::string_view text, const std::filesystem::path& path);

/// True if the text is a whole manifest of a newer format.
bool isNewerManifest(std::string_view text);

/// The name of a step's folder, "step_4000", and back: -1 for another name.
std::string checkpointFolderName(std::int64_t step);
std::int64_t stepOfFolderName(std::string_view name);

/// True for the name of a file in a checkpoint.
bool isCheckpointFileName(std::string_view name);

}  // namespace orrery
