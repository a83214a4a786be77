#include "core/run/run_name.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/run/run_kind.h"

namespace orrery {

std::string describeRun(const std::string& world, const RunSpec& spec) {
    std::string name = world;
    for (const std::string& part : spec.job.kind().describe(spec))
        name += (name.empty() ? "" : " · ") + part;
    return name;
}

std::string nameWithoutDescription(const RunSpec& spec) {
    const std::vector<std::string> parts = spec.job.kind().describe(spec);
    return parts.empty() ? spec.name : spec.name.substr(0, spec.name.find(" · " + parts.front()));
}

std::string titleOfWorlds(const std::string& worlds) {
    constexpr std::string_view kBetween = ", ", kBuiltin = "builtin:";
    std::string titles;
    for (std::size_t begin = 0; begin < worlds.size();) {
        const std::size_t end = std::min(worlds.find(kBetween, begin), worlds.size());
        std::string title = worlds.substr(begin, end - begin);
        if (title.starts_with(kBuiltin)) title.erase(0, kBuiltin.size());
        title = std::filesystem::path(title).stem().string();
        std::ranges::replace(title, '_', ' ');
        if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
            title[0] = static_cast<char>(title[0] - 'a' + 'A');
        titles += (titles.empty() ? "" : std::string(kBetween)) + title;
        begin = end + kBetween.size();
    }
    return titles;
}

std::string runFolderName(const std::string& runName, const std::string& id) {
    constexpr std::size_t kMostNameBytes = 120;
    std::string name;
    // A middle dot separates the parts of a run's name; in a file name a dash is easier to type.
    constexpr std::string_view kDot = "\u00b7";
    for (std::size_t i = 0; i < runName.size();) {
        if (runName.compare(i, kDot.size(), kDot) == 0) {
            name += '-';
            i += kDot.size();
            continue;
        }
        const char c = runName[i++];
        const bool isPlain = static_cast<unsigned char>(c) >= ' ' && c != 0x7f &&
                             std::string_view("/\\:*?\"<>|").find(c) == std::string_view::npos;
        name += isPlain ? c : '-';
    }
    if (name.size() > kMostNameBytes) {
        name.resize(kMostNameBytes);
        // No half of a UTF-8 character stays.
        while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xc0U) == 0x80U)
            name.pop_back();
        if (!name.empty() && static_cast<unsigned char>(name.back()) >= 0x80U) name.pop_back();
    }
    while (!name.empty() && (name.front() == '.' || name.front() == ' ')) name.erase(0, 1);
    if (name.empty()) return id;
    return id.empty() ? name : name + " - " + id;
}

}  // namespace orrery
