#include "core/collect/visit_counts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace orrery {

std::vector<std::uint32_t> VisitCounts::counts() const {
    std::vector<std::uint32_t> all;
    all.reserve(m_counts.size());
    for (const auto& [state, count] : m_counts) all.push_back(count);
    return all;
}

void VisitCounts::save(ByteWriter& out) const {
    std::vector<std::pair<Fingerprint, std::uint32_t>> sorted(m_counts.begin(), m_counts.end());
    std::ranges::sort(sorted);
    out.put(static_cast<std::uint64_t>(sorted.size()));
    for (const auto& [state, count] : sorted) {
        out.put(state);
        out.put(count);
    }
}

void VisitCounts::load(ByteReader& in) {
    m_counts.clear();
    m_total = 0;
    const auto size = in.get<std::uint64_t>();
    in.require(size <= in.left() / (sizeof(Fingerprint) + sizeof(std::uint32_t)),
               "its visits are cut off");
    m_counts.reserve(static_cast<std::size_t>(size));
    for (std::uint64_t i = 0; i < size; ++i) {
        const auto state = in.get<Fingerprint>();
        const auto count = in.get<std::uint32_t>();
        in.require(m_counts.emplace(state, count).second, "a state is counted twice");
        m_total += count;
    }
}

}  // namespace orrery
