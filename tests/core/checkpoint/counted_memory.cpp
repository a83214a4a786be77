#include "counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<std::int64_t> bytesNow{0};
std::atomic<std::int64_t> bytesPeak{0};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

void* takeOrNull(std::size_t size) noexcept {
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) return nullptr;
    const std::int64_t now = bytesNow += static_cast<std::int64_t>(::malloc_usable_size(memory));
    std::int64_t peak = bytesPeak;
    while (now > peak && !bytesPeak.compare_exchange_weak(peak, now)) {
    }
    return memory;
}

void* take(std::size_t size) {
    void* const memory = takeOrNull(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void give(void* memory) noexcept {
    if (memory != nullptr) bytesNow -= static_cast<std::int64_t>(::malloc_usable_size(memory));
    std::free(memory);
}

}  // namespace

std::int64_t countedBytes() {
    return bytesNow;
}
std::int64_t countedPeak() {
    return bytesPeak;
}
void resetPeak() {
    bytesPeak = bytesNow.load();
}

void* operator new(std::size_t size) {
    return take(size);
}
void* operator new[](std::size_t size) {
    return take(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return takeOrNull(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return takeOrNull(size);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    give(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    give(memory);
}
void operator delete(void* memory) noexcept {
    give(memory);
}
void operator delete[](void* memory) noexcept {
    give(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    give(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    give(memory);
}
