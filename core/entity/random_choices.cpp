#include "core/entity/random_choices.h"

#include <span>

#include "core/env/random_actions.h"

namespace orrery {

VecActions drawChoices(const EntityLayout& layout, const VecObs& frames, Rng& rng) {
    VecActions all;
    for (std::size_t i = 0; i < frames.offers.size(); ++i) {
        const VecObs::Offer& offer = frames.offers[i];
        auto chosen = RaggedBuffer<std::int64_t>::ofShape(1, offer.actors.rowBegin());
        std::size_t at = 0, rule = 0;
        for (std::int64_t frame = 0; frame < frames.frames(); ++frame) {
            const std::int64_t options = offer.isSelection ? offer.candidates.size1(frame)
                                                           : std::ssize(layout.actions[i].choices);
            for (std::int64_t k = 0; k < offer.actors.size1(frame); ++k) {
                std::span<const std::uint8_t> allowed;
                if (offer.allowed.size0() > 0)
                    allowed = offer.allowed.flat().subspan(rule, static_cast<std::size_t>(options));
                rule += static_cast<std::size_t>(options);
                chosen.flat()[at++] = drawOption(allowed, options, rng);
            }
        }
        all.push_back(std::move(chosen));
    }
    return all;
}

}  // namespace orrery
