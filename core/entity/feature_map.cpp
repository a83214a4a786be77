#include "core/entity/feature_map.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/entity/entity_game.h"

namespace orrery {

namespace {

const EntityLayout::Type* typeNamed(const EntityLayout& layout, const std::string& name) {
    const auto found = std::ranges::find(layout.types, name, &EntityLayout::Type::name);
    return found == layout.types.end() ? nullptr : &*found;
}

std::string quoted(const std::string& name) {
    return "'" + escaped(name, 80) + "'";
}

void requireActions(const EntityLayout& learned, const EntityLayout& offered) {
    for (std::size_t i = 0; i < std::max(learned.actions.size(), offered.actions.size()); ++i) {
        const bool isNew = i >= learned.actions.size();
        if (!isNew && i < offered.actions.size() && learned.actions[i] == offered.actions[i])
            continue;
        const std::string name = (isNew ? offered : learned).actions[i].name;
        throw badInput("The action " + quoted(name) + " is " +
                       (isNew ? "new to the network."
                              : "another one, or stands elsewhere, than "
                                "where the network learned."));
    }
}

FeatureMap::Type mapOf(const EntityLayout::Type& learned, const EntityLayout& offered) {
    const EntityLayout::Type* there = typeNamed(offered, learned.name);
    if (there == nullptr && !learned.features.empty() && learned.name == kGlobals)
        throw badInput("The global feature " + quoted(learned.features.front()) +
                       " is missing, which the network learned from.");
    if (there == nullptr)
        throw badInput("The type " + quoted(learned.name) +
                       " is missing, which the network learned from.");
    FeatureMap::Type map{.offered = static_cast<std::size_t>(there - offered.types.data()),
                         .columns = {}};
    for (const std::string& feature : learned.features) {
        const auto found = std::ranges::find(there->features, feature);
        if (found == there->features.end())
            throw badInput("The feature " + quoted(feature) + " of the type " +
                           quoted(learned.name) + " is missing, which the network learned from.");
        map.columns.push_back(static_cast<std::size_t>(found - there->features.begin()));
    }
    return map;
}

}  // namespace

FeatureMap featureMapOf(const EntityLayout& learned, const EntityLayout& offered) {
    requireActions(learned, offered);
    FeatureMap map;
    for (std::size_t i = 0; i < learned.types.size(); ++i) {
        map.types.push_back(mapOf(learned.types[i], offered));
        const FeatureMap::Type& type = map.types.back();
        map.isSame = map.isSame && type.offered == i &&
                     learned.types[i].features == offered.types[i].features;
    }
    map.isSame = map.isSame && learned.types.size() == offered.types.size();
    for (std::size_t i = 0; i < offered.numTypes(); ++i)
        if (typeNamed(learned, offered.types[i].name) == nullptr)
            throw badInput("The type " + quoted(offered.types[i].name) +
                           " is new to the network, which cannot read its things.");
    return map;
}

EnvironmentSpaces spacesOf(const EntityLayout& layout) {
    EnvironmentSpaces spaces;
    for (std::size_t i = 0; i < layout.numTypes(); ++i)
        spaces.observations.push_back(thingsOf(layout.types[i].name, layout.types[i].features));
    if (layout.hasGlobal && !layout.types.back().features.empty())
        spaces.observations.push_back(globalsOf(layout.types.back().features));
    spaces.actions = layout.actions;
    return spaces;
}

}  // namespace orrery
