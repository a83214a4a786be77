#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace orrery {

/// What the library offers for one method.
struct LearnMethod {
    std::string_view name;
    const void* entries;  ///< the struct that the method's own header names
};

/// What the shared library of the learners offers; its one symbol is orreryLearnLibrary.
struct LearnLibrary {
    int version = 8;
    std::span<const LearnMethod> methods = {};
};
inline constexpr int kLearnLibraryVersion = 8;

/// Where the shared library of the learners is looked for, in this order: $ORRERY_LEARN_LIBRARY
/// alone if it is set, else lib/orrery/ and lib/ beside the folder of the program.
std::vector<std::filesystem::path> learnLibraryPlaces();

/// The first of them that exists.
std::optional<std::filesystem::path> findLearnLibrary();

/// Loads the library; it stays loaded until the process ends. Takes up to 0.5 s the first time. Any
/// thread.
/// @throws Error (Resource) in one line if it is missing, does not load or is of another version
const LearnLibrary& loadLearnLibrary();

/// Its entries for a method.
/// @throws Error (Resource) also where it has none of that name
const void* loadLearnMethod(std::string_view name);

}  // namespace orrery

extern "C" const orrery::LearnLibrary* orreryLearnLibrary();
