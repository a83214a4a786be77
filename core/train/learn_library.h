#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/train/train.h"

namespace orrery {

/// Where the shared library of the learners is looked for, in this order: $ORRERY_LEARN_LIBRARY
/// alone if it is set, else lib/orrery/ and lib/ beside the folder of the program.
std::vector<std::filesystem::path> learnLibraryPlaces();

/// The first of them that exists.
std::optional<std::filesystem::path> findLearnLibrary();

/// Loads the library; it stays loaded until the process ends. Takes up to 0.5 s the first time. Any
/// thread.
/// @throws Error (Resource) in one line if it is missing, does not load or is of another version
const LearnLibrary& loadLearnLibrary();

}  // namespace orrery
