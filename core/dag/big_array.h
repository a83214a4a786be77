#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace orrery {

/// A growing array of plain values for gigabytes: memory comes from the kernel page by page,
/// growing moves no data, and unused room costs nothing. It can also be a read-only view of mapped
/// memory. New elements are zero. Not thread-safe while growing; disjoint elements may be written
/// by threads.
template <typename T>
class BigArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    BigArray() = default;
    ~BigArray() { release(); }
    BigArray(BigArray&& other) noexcept { swap(other); }
    BigArray& operator=(BigArray&& other) noexcept {
        swap(other);
        return *this;
    }
    BigArray(const BigArray&) = delete;
    BigArray& operator=(const BigArray&) = delete;

    /// A view of memory that outlives this array; it cannot grow.
    static BigArray view(std::span<const T> memory) {
        BigArray array;
        array.m_data = const_cast<T*>(memory.data());  // NOLINT: never written through
        array.m_size = memory.size();
        array.m_isView = true;
        return array;
    }

    T* data() { return m_data; }
    const T* data() const { return m_data; }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    T& operator[](std::size_t i) { return m_data[i]; }
    const T& operator[](std::size_t i) const { return m_data[i]; }
    std::span<const T> span() const { return {m_data, m_size}; }
    std::int64_t bytes() const { return static_cast<std::int64_t>(m_size * sizeof(T)); }

    /// @throws std::bad_alloc
    void resize(std::size_t size) {
        if (size > m_capacity) grow(std::max(size, m_capacity + m_capacity / 2));
        if (size < m_size)
            std::memset(static_cast<void*>(m_data + size), 0, (m_size - size) * sizeof(T));
        m_size = size;
    }
    void append(const T& value) {
        const T copy = value;
        resize(m_size + 1);
        m_data[m_size - 1] = copy;
    }

private:
    void swap(BigArray& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
        std::swap(m_mapped, other.m_mapped);
        std::swap(m_isView, other.m_isView);
    }

    void grow(std::size_t capacity) {
        constexpr std::size_t kPage = 4096;
        const std::size_t bytes = (capacity * sizeof(T) + kPage - 1) / kPage * kPage;
        void* memory = m_data == nullptr ? newMapping(bytes) : moved(bytes);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        if (bytes >= std::size_t{1} << 22) madvise(memory, bytes, MADV_HUGEPAGE);
        m_data = static_cast<T*>(memory);
        m_capacity = bytes / sizeof(T);
        m_mapped = bytes;
    }

    static void* newMapping(std::size_t bytes) {
        return mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }

    /// The elements in a larger mapping, or MAP_FAILED.
    void* moved(std::size_t bytes) {
#if defined(__SANITIZE_THREAD__)
        // The thread sanitizer does not follow mremap and takes memory used again for a race.
        void* memory = newMapping(bytes);
        if (memory == MAP_FAILED) return memory;
        std::memcpy(memory, static_cast<void*>(m_data), m_mapped);
        munmap(static_cast<void*>(m_data), m_mapped);
        return memory;
#else
        return mremap(static_cast<void*>(m_data), m_mapped, bytes, MREMAP_MAYMOVE);
#endif
    }

    void release() {
        if (m_data != nullptr && !m_isView) munmap(static_cast<void*>(m_data), m_mapped);
        m_data = nullptr;
    }

    T* m_data = nullptr;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
    std::size_t m_mapped = 0;
    bool m_isView = false;
};

}  // namespace orrery
