#include "core/entity/entity_layout.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/entity/entity_game.h"

namespace orrery {

EntityLayout entityLayoutOf(const EnvironmentSpaces& spaces) {
    EntityLayout layout;
    EntityLayout::Type game{.name = kGlobals, .features = {}};
    for (std::size_t part = 0; part < spaces.observations.size(); ++part) {
        const ObservedSpace& space = spaces.observations[part];
        switch (space.kind) {
            case ObservedSpace::Kind::Entities:
                layout.types.push_back({space.name, space.features, part});
                break;
            case ObservedSpace::Kind::Array:
                layout.globals.push_back(part);
                for (std::int64_t i = 0; i < space.numbersEach(); ++i)
                    game.features.push_back(space.features.empty()
                                                ? space.name + '.' + std::to_string(i)
                                                : space.features[static_cast<std::size_t>(i)]);
                break;
            case ObservedSpace::Kind::Sequence:
                throw badInput("The observation \"" + escaped(space.name) +
                               "\" is a sequence; things and arrays are learned here.");
        }
    }
    for (const ActionSpace& action : spaces.actions)
        if (action.kind == ActionSpace::Kind::Numbers)
            throw badInput("The action \"" + escaped(action.name) +
                           "\" is a vector of numbers; choices and selections are learned here.");
    layout.actions = spaces.actions;
    layout.hasGlobalAction = std::ranges::any_of(
        spaces.actions, [](const ActionSpace& action) { return !action.isOfActors; });
    layout.hasGlobal = !game.features.empty() || layout.hasGlobalAction;
    if (layout.hasGlobal) layout.types.push_back(std::move(game));
    return layout;
}

}  // namespace orrery
