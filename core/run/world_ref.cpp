#include "core/run/world_ref.h"

#include <filesystem>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/run/builtin_worlds.h"

namespace orrery {

std::string worldFileText(const WorldRef& world) {
    if (world.text) return *world.text;
    const std::filesystem::path file = isBuiltinWorld(world.name)
                                           ? builtinWorldFile(world.name)
                                           : std::filesystem::path(world.name);
    std::error_code unknown;  // reading says what else is wrong
    if (std::filesystem::status(file, unknown).type() == std::filesystem::file_type::not_found)
        throw Error(
            "There is no world file '" + world.name +
                "'. Give the path of a world file or builtin:NAME (see `orrery world list`).",
            Error::Kind::BadInput);
    return readFile(file, kMaxWorldFileBytes);
}

WorldReading readWorld(const WorldRef& world) {
    WorldReading reading{.text = worldFileText(world), .file = {}};
    reading.file = parseWorld(reading.text, world.name, {.lenient = world.lenient});
    return reading;
}

std::shared_ptr<const World> requireWorld(const WorldRef& world) {
    return makeWorld(requireSpec(readWorld(world).file));
}

std::vector<std::shared_ptr<const World>> requireWorlds(const std::vector<WorldRef>& worlds) {
    std::vector<std::shared_ptr<const World>> all;
    all.reserve(worlds.size());
    for (const WorldRef& world : worlds) all.push_back(requireWorld(world));
    return all;
}

std::string worldHashOf(const std::vector<std::string>& hashes) {
    if (hashes.empty()) return {};
    return hashes.size() == 1 ? hashes.front() : sha256Hex(commaList(hashes));
}

std::string worldHashOf(const std::vector<std::shared_ptr<const World>>& worlds) {
    std::vector<std::string> hashes;
    hashes.reserve(worlds.size());
    for (const auto& world : worlds) hashes.push_back(world->contentHash());
    return worldHashOf(hashes);
}

}  // namespace orrery
