#pragma once

#include <QString>
#include <span>

#include "core/world/world.h"

namespace orrery {

/// What a step did, in words: "A moves north, R turns left, door opens"; "nothing changes".
QString changeText(const World& world, const std::vector<QString>& letters,
                   std::span<const std::uint64_t> before, std::span<const std::uint64_t> after);

}  // namespace orrery
