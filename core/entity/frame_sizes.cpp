#include "core/entity/frame_sizes.h"

#include <algorithm>

namespace orrery {

FrameSizes::FrameSizes(const EntityLayout& layout)
    : m_types(layout.types.size()), m_columns(2 * m_types + 3 * layout.actions.size()) {}

void FrameSizes::resize(std::int64_t frames) {
    m_frames = frames;
    m_numbers.resize(m_columns * static_cast<std::size_t>(frames));
}

void FrameSizes::measure(const EntityLayout& layout, std::span<const Observation> frames,
                         std::int64_t begin, std::int64_t end) {
    const std::size_t numTypes = layout.numTypes();
    for (std::int64_t i = begin; i < end; ++i) {
        const Observation& frame = frames[static_cast<std::size_t>(i)];
        std::int64_t* number = m_numbers.data() + i;
        const auto put = [&](std::int64_t value) {
            *number = value;
            number += m_frames;
        };
        for (std::size_t type = 0; type < m_types; ++type) {
            const ObservedPart* const part =
                type < numTypes ? &frame.parts[layout.types[type].part] : nullptr;
            put(part != nullptr ? part->begins[0][1] : 1);
            put(part != nullptr && !part->visible.empty() ? 1 : 0);
        }
        for (std::size_t action = 0; action < layout.actions.size(); ++action) {
            const ActionOffer& offer = frame.offers[action];
            put(layout.actions[action].isOfActors ? std::ssize(offer.actors) : 1);
            put(std::ssize(offer.candidates));
            put(offer.allowed.empty() ? 0 : 1);
        }
    }
}

bool FrameSizes::any(std::size_t index) const {
    return std::ranges::any_of(column(index), [](std::int64_t number) { return number != 0; });
}

}  // namespace orrery
