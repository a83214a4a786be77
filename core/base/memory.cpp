#include "core/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "core/base/text.h"

namespace orrery {

namespace {

namespace fs = std::filesystem;

/// The number on the line that begins with `key` and a blank or colon.
std::optional<std::uint64_t> numberAfter(const fs::path& file, const std::string& key) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string name;
        std::uint64_t value = 0;
        if (words >> name >> value && (name == key || name == key + ":")) return value;
    }
    return std::nullopt;
}

/// The number that a control file holds; nothing for "max" or a file that is not there.
std::optional<std::uint64_t> number(const fs::path& file) {
    std::ifstream in(file);
    std::uint64_t value = 0;
    if (in >> value) return value;
    return std::nullopt;
}

struct ControlFiles {
    const char* limit;
    const char* used;
    const char* inactive;
};

/// What is left in the group at `mount / below` and in all groups around it.
std::uint64_t leftInGroups(const fs::path& mount, const fs::path& below,
                           const ControlFiles& names) {
    std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
    fs::path group = below;
    while (true) {
        const fs::path folder = group.empty() ? mount : mount / group;
        const auto limit = number(folder / names.limit);
        const auto used = number(folder / names.used);
        if (limit && used) {
            const std::uint64_t cache =
                numberAfter(folder / "memory.stat", names.inactive).value_or(0);
            const std::uint64_t held = *used - std::min(cache, *used);
            left = std::min(left, *limit - std::min(held, *limit));
        }
        if (group.empty()) return left;
        group = group.parent_path();
    }
}

std::uint64_t leftInControlGroups(const fs::path& root) {
    std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
    const fs::path mount = root / "sys/fs/cgroup";
    std::ifstream in(root / "proc/self/cgroup");
    std::string line;  // "0::/group" (version 2) or "4:memory,cpu:/group" (version 1)
    while (std::getline(in, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const fs::path below = fs::path(line.substr(second + 1)).relative_path();
        if (controllers == ",,")
            left = std::min(left, leftInGroups(mount, below,
                                               {"memory.max", "memory.current", "inactive_file"}));
        else if (controllers.find(",memory,") != std::string::npos)
            left = std::min(left, leftInGroups(mount / "memory", below,
                                               {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                                "total_inactive_file"}));
    }
    return left;
}

std::uint64_t pagesInStatm(const fs::path& root, int field) {
    std::ifstream in(root / "proc/self/statm");
    std::uint64_t pages = 0;
    for (int i = 0; i <= field; ++i)
        if (!(in >> pages)) return 0;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t availableMemory(const fs::path& root) {
    const auto machine = numberAfter(root / "proc/meminfo", "MemAvailable");
    std::uint64_t available = leftInControlGroups(root);
    if (machine) available = std::min(available, *machine * 1024);
    if (available == std::numeric_limits<std::uint64_t>::max()) return 0;
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        const std::uint64_t used = pagesInStatm("/", 0);
        available =
            std::min(available, limit.rlim_cur - std::min<std::uint64_t>(used, limit.rlim_cur));
    }
    return available;
}

std::uint64_t residentBytes() {
    return pagesInStatm("/", 1);
}

std::string mebibytes(std::int64_t bytes) {
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

}  // namespace orrery
