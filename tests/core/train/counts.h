#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace orrery::test {

/// True where the environment asks for what is done before a release: ORRERY_COUNTS=full.
inline bool hasFullCounts() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no test changes this variable
    const char* const given = std::getenv("ORRERY_COUNTS");
    return given != nullptr && std::string_view(given) == "full";
}

/// How often to do what is done `full` times before a release: else a twentieth of that, but at
/// least `least` times.
inline int counted(int full, int least = 1) {
    return hasFullCounts() ? full : std::max(least, full / 20);
}

}  // namespace orrery::test
