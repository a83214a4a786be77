#include "app/cli/profile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "app/cli/console.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 60;

struct Folder {
    const char* variable;
    const char* below;  ///< its default, below the home folder
    const char* name;   ///< in a portable home
};
constexpr std::array<Folder, 4> kFolders{{{"XDG_CONFIG_HOME", ".config", "config"},
                                          {"XDG_DATA_HOME", ".local/share", "data"},
                                          {"XDG_STATE_HOME", ".local/state", "state"},
                                          {"XDG_CACHE_HOME", ".cache", "cache"}}};

void setFolder(const char* variable, const fs::path& folder) {
    setenv(variable, folder.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
}

void useProfile(const std::string& name) {
    for (const Folder& folder : kFolders) {
        const std::string chosen = environment(folder.variable);
        const fs::path base =
            chosen.empty() ? fs::path(environment("HOME")) / folder.below : fs::path(chosen);
        setFolder(folder.variable, base / "orrery" / "profiles" / name);
    }
}

bool usePortable() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return false;
    for (const Folder& folder : kFolders)
        setFolder(folder.variable, program.parent_path() / "orrery-home" / folder.name);
    return true;
}

/// Takes `count` arguments out from a place on.
void takeOut(int& argc, char** argv, int at, int count) {
    std::move(argv + at + count, argv + argc + 1, argv + at);
    argc -= count;
}

}  // namespace

bool isProfileName(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
           std::ranges::all_of(name, [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
           });
}

std::string takeProfile(int& argc, char** argv) {
    constexpr std::string_view kOption = "--profile";
    std::optional<std::string> name;
    bool isPortable = false;
    for (int i = 1; i < argc;) {
        const std::string_view word = argv[i];
        if (word == "--") break;
        if (word == "--portable") {
            isPortable = true;
            takeOut(argc, argv, i, 1);
        } else if (word == kOption) {
            name = i + 1 < argc ? argv[i + 1] : "";
            takeOut(argc, argv, i, i + 1 < argc ? 2 : 1);
        } else if (word.starts_with("--profile=")) {
            name = word.substr(kOption.size() + 1);
            takeOut(argc, argv, i, 1);
        } else {
            ++i;
        }
    }
    if (name && !isProfileName(*name))
        return "A profile is named by letters, digits, dots, dashes and underscores, for example "
               "--profile course.";
    if (isPortable && !usePortable())
        return "Where the program lies cannot be found out, so --portable has no folder.";
    if (name) useProfile(*name);
    return {};
}

}  // namespace orrery
