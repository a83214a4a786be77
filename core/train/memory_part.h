#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace orrery {

/// One of the things that hold a training's memory.
struct MemoryPart {
    std::string title;       ///< "replay buffer"
    std::int64_t bytes = 0;  ///< at most
};

std::int64_t bytesOf(std::span<const MemoryPart> parts);

/// "3.2 GiB: replay buffer 3.1 GiB, networks 12 MiB"; parts below 1 % are left out.
std::string memoryText(std::span<const MemoryPart> parts);

/// What a run may take: as it is set, or, where that is 0, 70 % of what is free; 0: not known.
std::int64_t memoryLimit(std::int64_t set);

/// @throws Error (Resource) with the numbers where the parts are more than the limit
/// @param advice  what to do about it: "Take a smaller buffer."
void requireMemory(std::span<const MemoryPart> parts, std::int64_t limit,
                   const std::string& advice);

}  // namespace orrery
