#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace orrery {

/// Collects plain numbers one after the other, as this machine keeps them (little-endian).
class ByteWriter {
public:
    template <typename T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(&value, sizeof(T));
    }
    /// The numbers alone; how many there are is the caller's to write.
    template <typename T>
    void putAll(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(values.data(), values.size_bytes());
    }
    /// Their number, then they.
    template <typename T>
    void putList(const std::vector<T>& values) {
        put(static_cast<std::uint64_t>(values.size()));
        putAll(std::span<const T>(values));
    }

    std::span<const std::byte> bytes() const { return m_bytes; }
    std::vector<std::byte> take() { return std::exchange(m_bytes, {}); }
    void clear() { m_bytes.clear(); }

private:
    void append(const void* from, std::size_t size) {
        if (size == 0) return;
        const std::size_t at = m_bytes.size();
        m_bytes.resize(at + size);
        std::memcpy(m_bytes.data() + at, from, size);
    }
    std::vector<std::byte> m_bytes;
};

/// Reads what ByteWriter wrote. Everything that does not fit throws Error (Damaged) naming `what`.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, std::string what)
        : m_bytes(bytes), m_what(std::move(what)) {}

    template <typename T>
    T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        copy(&value, sizeof(T));
        return value;
    }
    template <typename T>
    void getAll(std::span<T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        copy(values.data(), values.size_bytes());
    }
    template <typename T>
    std::vector<T> getList() {
        const auto size = get<std::uint64_t>();
        require(size <= m_bytes.size() / sizeof(T), "a list is longer than the data");
        std::vector<T> values(static_cast<std::size_t>(size));
        getAll(std::span<T>(values));
        return values;
    }

    std::size_t left() const { return m_bytes.size(); }
    void requireEnd() const { require(m_bytes.empty(), "there is more than there should be"); }
    void require(bool holds, const char* why) const {
        if (!holds)
            throw Error(
                "The saved " + m_what + " is damaged: " + why + ". Take an earlier checkpoint.",
                Error::Kind::Damaged);
    }

private:
    void copy(void* to, std::size_t size) {
        require(size <= m_bytes.size(), "it ends too early");
        if (size > 0) std::memcpy(to, m_bytes.data(), size);
        m_bytes = m_bytes.subspan(size);
    }
    std::span<const std::byte> m_bytes;
    std::string m_what;
};

}  // namespace orrery
