#include "core/train/steering.h"

#include "core/base/text.h"

namespace orrery {

int actorOf(std::string_view key) {
    constexpr std::string_view kPrefix = "actor.";
    if (!key.starts_with(kPrefix)) return -1;
    const auto number = parseInt(key.substr(kPrefix.size()));
    return number && *number >= 0 && *number <= 65'535 ? static_cast<int>(*number) : -1;
}

}  // namespace orrery
