#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/atomic_write.h"

namespace orrery {

/// Writes a .npz file: a zip archive (stored, ZIP64) of .npy arrays, as numpy.load reads it.
/// Arrays are streamed, so they may be larger than memory. Used by one thread.
class NpzWriter {
public:
    explicit NpzWriter(FileWriter& out) : m_out(out) {}

    /// Takes the values of one array in C order, in pieces of any size.
    class Array {
    public:
        void add(std::span<const double> values);
        void add(std::span<const std::int64_t> values);

    private:
        friend class NpzWriter;
        explicit Array(NpzWriter& writer) : m_writer(writer) {}
        NpzWriter& m_writer;
    };

    enum class Type { Double, Int64 };

    /// Adds the array `name` of that shape; `fill` must give exactly as many values as it has, or
    /// return false to give up, and the archive is then of no use.
    /// @return what `fill` returned
    bool array(const std::string& name, Type type, const std::vector<std::int64_t>& shape,
               const std::function<bool(Array&)>& fill);
    /// A small array of doubles or integers at once.
    void array(const std::string& name, std::span<const double> values);
    void array(const std::string& name, std::span<const std::int64_t> values);

    /// Writes the archive's directory; nothing may follow.
    void finish();

private:
    struct Entry {
        std::string name;
        std::uint32_t crc = 0;
        std::uint64_t size = 0;    ///< bytes of the member
        std::uint64_t offset = 0;  ///< of its local header
    };
    void bytes(std::span<const std::byte> data);  ///< member content: counted in the checksum
    void writeDirectoryEntry(const Entry& entry);

    FileWriter& m_out;
    std::vector<Entry> m_entries;
    std::uint32_t m_crc = 0;
    std::uint64_t m_written = 0;  // bytes of the member so far
};

}  // namespace orrery
