#include "core/train/memory_part.h"

#include "core/base/error.h"
#include "core/base/memory.h"

namespace orrery {

std::int64_t bytesOf(std::span<const MemoryPart> parts) {
    std::int64_t bytes = 0;
    for (const MemoryPart& part : parts) bytes += part.bytes;
    return bytes;
}

std::string memoryText(std::span<const MemoryPart> parts) {
    const std::int64_t all = bytesOf(parts);
    std::string text = mebibytes(all);
    const char* between = ": ";
    for (const MemoryPart& part : parts) {
        if (part.bytes < all / 100) continue;
        text += between + part.title + " " + mebibytes(part.bytes);
        between = ", ";
    }
    return text;
}

std::int64_t memoryLimit(std::int64_t set) {
    return set > 0 ? set : static_cast<std::int64_t>(availableMemory() / 10 * 7);
}

void requireMemory(std::span<const MemoryPart> parts, std::int64_t limit,
                   const std::string& advice) {
    if (limit <= 0 || bytesOf(parts) <= limit) return;
    throw Error("The training may come to hold " + memoryText(parts) + ". That is more than the " +
                    mebibytes(limit) + " that it may take. " + advice + " Or raise memory.",
                Error::Kind::Resource);
}

}  // namespace orrery
