#include "core/env/random_actions.h"

namespace orrery {

std::int64_t drawOption(std::span<const std::uint8_t> allowed, std::int64_t options, Rng& rng) {
    if (options == 0) return -1;
    if (allowed.empty()) return static_cast<std::int64_t>(rng.below(options));
    std::int64_t count = 0;
    for (const std::uint8_t each : allowed) count += each != 0 ? 1 : 0;
    if (count == 0) return -1;
    auto left = static_cast<std::int64_t>(rng.below(count));
    std::int64_t option = 0;
    while (allowed[static_cast<std::size_t>(option)] == 0 || left-- > 0) ++option;
    return option;
}

void drawActions(const EnvironmentSpaces& spaces, const Observation& offered, Rng& rng,
                 std::vector<ActionTaken>& out) {
    out.resize(spaces.actions.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const ActionSpace& space = spaces.actions[i];
        const ActionOffer& offer = offered.offers[i];
        const std::int64_t deciders = space.isOfActors ? std::ssize(offer.actors) : 1;
        out[i].indices.clear();
        out[i].numbers.clear();
        if (space.kind == ActionSpace::Kind::Numbers) {
            for (std::int64_t k = 0; k < deciders * space.size; ++k)
                out[i].numbers.push_back(
                    static_cast<float>(space.low + (space.high - space.low) * rng.uniform()));
            continue;
        }
        const std::int64_t options = space.kind == ActionSpace::Kind::Select
                                         ? std::ssize(offer.candidates)
                                         : std::ssize(space.choices);
        for (std::int64_t k = 0; k < deciders; ++k)
            out[i].indices.push_back(drawOption(
                offer.allowed.empty() ? std::span<const std::uint8_t>()
                                      : std::span(offer.allowed).subspan(k * options, options),
                options, rng));
    }
}

}  // namespace orrery
