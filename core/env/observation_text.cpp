#include "core/env/observation_text.h"

#include <span>

#include "core/base/text.h"

namespace orrery {

namespace {

std::string namedNumbers(const std::vector<std::string>& names, std::span<const float> numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        text += (i == 0 ? "" : ", ") + (i < names.size() ? names[i] : std::to_string(i)) + '=' +
                shortNumber(static_cast<double>(numbers[i]));
    return text;
}

}  // namespace

std::vector<ObservedThing> observedThings(const EnvironmentSpaces& spaces,
                                          const Observation& seen) {
    std::vector<ObservedThing> things;
    for (std::size_t i = 0; i < spaces.observations.size(); ++i) {
        const ObservedSpace& space = spaces.observations[i];
        if (space.kind != ObservedSpace::Kind::Entities) continue;
        const ObservedPart& part = seen.parts[i];
        const std::size_t width = space.features.size();
        const auto count = static_cast<std::size_t>(part.begins[0][1]);
        for (std::size_t k = 0; k < count; ++k) {
            const auto begin = part.values.begin() + static_cast<std::ptrdiff_t>(k * width);
            things.push_back({.space = i,
                              .features = {begin, begin + static_cast<std::ptrdiff_t>(width)},
                              .isHidden = !part.visible.empty() && part.visible[k] == 0});
        }
    }
    return things;
}

std::string textOf(const EnvironmentSpaces& spaces, const ObservedThing& thing) {
    const ObservedSpace& space = spaces.observations[thing.space];
    return space.name + '(' + namedNumbers(space.features, thing.features) +
           (thing.isHidden ? ") hidden" : ")");
}

std::string arrayText(const ObservedSpace& space, const ObservedPart& part) {
    return namedNumbers(space.features, part.values);
}

}  // namespace orrery
