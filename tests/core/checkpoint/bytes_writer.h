#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/atomic_write.h"
#include "core/base/error.h"

/// Takes what is written into memory.
class BytesWriter final : public orrery::FileWriter {
public:
    using FileWriter::write;
    void write(std::span<const std::byte> bytes) override {
        m_bytes.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        m_offset += bytes.size();
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// Runs `work` and gives the text of the Error (Damaged) that it throws: "" if it throws none, and
/// the text behind "of another kind: " for an Error of another kind.
template <typename Work>
std::string damageOf(const Work& work) {
    try {
        work();
    } catch (const orrery::Error& e) {
        return (e.kind() == orrery::Error::Kind::Damaged ? "" : "of another kind: ") +
               std::string(e.what());
    }
    return "";
}
