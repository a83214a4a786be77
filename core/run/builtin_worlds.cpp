#include "core/run/builtin_worlds.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::string_view kPrefix = "builtin:";

bool isWorldFile(const std::filesystem::path& file) {
    return file.extension() == ".yaml" || file.extension() == ".yml" || file.extension() == ".json";
}

}  // namespace

std::filesystem::path dataFolder() {
    std::vector<std::filesystem::path> places;
    // Read while nothing of ours changes the environment.
    if (const char* given = std::getenv("ORRERY_DATA"))  // NOLINT(concurrency-mt-unsafe)
        places.emplace_back(given);
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    if (!program.empty()) places.push_back(program.parent_path().parent_path() / "share/orrery");
    places.emplace_back(ORRERY_SOURCE_DATA);
    std::string tried;
    for (const auto& place : places) {
        if (std::filesystem::is_directory(place / "worlds", ignored)) return place;
        tried += (tried.empty() ? "" : ", ") + place.string();
    }
    throw Error("The program's data folder is missing; looked in " + tried +
                    ". Set ORRERY_DATA to the folder that holds worlds/.",
                Error::Kind::Resource);
}

std::vector<std::string> builtinWorlds() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / "worlds"))
        if (isWorldFile(entry.path())) names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
}

std::map<std::string, double> exampleSolveSeconds() {
    std::map<std::string, double> seconds;
    std::ifstream file(dataFolder() / "worlds/solve_seconds.txt");
    std::string name, number;
    while (file >> name >> number)
        if (const auto value = parseDouble(number)) seconds[name] = *value;
    return seconds;
}

bool isBuiltinWorld(std::string_view world) {
    return world.starts_with(kPrefix);
}

std::filesystem::path builtinWorldFile(std::string_view world) {
    const std::string name(world.substr(kPrefix.size()));
    for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / "worlds"))
        if (isWorldFile(entry.path()) && entry.path().stem() == name) return entry.path();
    const auto nearest = closestName(name, builtinWorlds());
    throw Error("There is no built-in world '" + escaped(name) + "'" +
                    (nearest ? "; did you mean builtin:" + *nearest + "?"
                             : ". `orrery world list` names them."),
                Error::Kind::BadInput);
}

}  // namespace orrery
