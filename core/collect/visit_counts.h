#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/byte_buffer.h"
#include "core/replay/fingerprint.h"

namespace orrery {

/// How often states were visited.
class VisitCounts {
public:
    void visit(const Fingerprint& state) {
        ++m_counts[state];
        ++m_total;
    }
    std::uint32_t countOf(const Fingerprint& state) const {
        const auto at = m_counts.find(state);
        return at == m_counts.end() ? 0 : at->second;
    }
    std::int64_t total() const { return m_total; }
    std::size_t numStates() const { return m_counts.size(); }
    std::vector<std::uint32_t> counts() const;  ///< [numStates()] of each state, in no order

    void save(ByteWriter& out) const;
    /// @throws Error (Damaged)
    void load(ByteReader& in);

private:
    std::unordered_map<Fingerprint, std::uint32_t> m_counts;
    std::int64_t m_total = 0;
};

}  // namespace orrery
