#include "core/train/learn_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>

#include "core/base/error.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "liborrery_learn.so";

[[noreturn]] void refuse(const std::string& why) {
    throw Error("Learning is not possible: " + why, Error::Kind::Resource);
}

/// The reason of the last dlopen or dlsym, in one line.
std::string loaderReason() {
    const char* const reason = ::dlerror();  // NOLINT(concurrency-mt-unsafe): it is thread-local
    std::string text = reason == nullptr ? "unknown reason" : reason;
    std::ranges::replace(text, '\n', ' ');
    return text;
}

}  // namespace

std::vector<fs::path> learnLibraryPlaces() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing of ours changes the environment
    if (const char* const given = std::getenv("ORRERY_LEARN_LIBRARY"); given != nullptr)
        return {fs::path(given)};
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return {};
    const fs::path lib = program.parent_path().parent_path() / "lib";
    return {lib / "orrery" / kFile, lib / kFile};
}

std::optional<fs::path> findLearnLibrary() {
    std::error_code error;
    for (const fs::path& place : learnLibraryPlaces())
        if (fs::is_regular_file(place, error)) return place;
    return std::nullopt;
}

const LearnLibrary& loadLearnLibrary() {
    const auto file = findLearnLibrary();
    if (!file) {
        std::string places;
        for (const fs::path& place : learnLibraryPlaces())
            places += (places.empty() ? "" : ", ") + place.string();
        refuse(std::string("there is no ") + kFile + " (looked for " + places +
               "). Install Orrery's learning part, or build with LibTorch.");
    }
    void* const library = ::dlopen(file->c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        refuse(file->string() + " does not load: " + loaderReason() +
               ". Install what it needs; `orrery doctor` looks for it.");
    using Entry = const LearnLibrary* (*)();
    const auto entry = reinterpret_cast<Entry>(::dlsym(library, "orreryLearnLibrary"));
    const LearnLibrary* const offered = entry == nullptr ? nullptr : entry();
    if (offered == nullptr) refuse(file->string() + " is no library of Orrery's learners.");
    if (offered->version != kLearnLibraryVersion)
        refuse(file->string() + " has version " + std::to_string(offered->version) +
               ", this program needs " + std::to_string(kLearnLibraryVersion) +
               ". Install both from one package.");
    return *offered;
}

const void* loadLearnMethod(std::string_view name) {
    const LearnLibrary& library = loadLearnLibrary();
    const auto found = std::ranges::find(library.methods, name, &LearnMethod::name);
    if (found == library.methods.end())
        refuse("the learners' library knows no '" + std::string(name) +
               "'. Install it and the program from one package.");
    return found->entries;
}

}  // namespace orrery
