#include "widgets/entity/entity_episode.h"

#include <algorithm>
#include <cmath>

namespace orrery {

QString thingName(const EnvironmentSpaces& spaces, const std::vector<ObservedThing>& things,
                  std::size_t thing) {
    if (thing >= things.size()) return QStringLiteral("Game");
    const std::size_t space = things[thing].space;
    const auto before =
        std::count_if(things.begin(), things.begin() + static_cast<std::ptrdiff_t>(thing),
                      [&](const ObservedThing& one) { return one.space == space; });
    return QStringLiteral("%1 %2")
        .arg(QString::fromStdString(spaces.observations[space].name))
        .arg(before);
}

std::int64_t numOptions(const EnvironmentSpaces& spaces, const Observation& seen,
                        std::size_t action) {
    const ActionSpace& space = spaces.actions[action];
    return space.kind == ActionSpace::Kind::Select ? std::ssize(seen.offers[action].candidates)
                                                   : std::ssize(space.choices);
}

std::int64_t numDeciders(const EnvironmentSpaces& spaces, const Observation& seen,
                         std::size_t action) {
    return spaces.actions[action].isOfActors ? std::ssize(seen.offers[action].actors) : 1;
}

bool isAllowed(const EnvironmentSpaces& spaces, const Observation& seen, std::size_t action,
               std::int64_t decider, std::int64_t option) {
    const std::vector<std::uint8_t>& allowed = seen.offers[action].allowed;
    return allowed.empty() ||
           allowed[static_cast<std::size_t>(decider * numOptions(spaces, seen, action) + option)] !=
               0;
}

std::int64_t actorOf(const EnvironmentSpaces& spaces, const Observation& seen, std::size_t action,
                     std::int64_t decider) {
    return spaces.actions[action].isOfActors
               ? seen.offers[action].actors[static_cast<std::size_t>(decider)]
               : -1;
}

QString optionName(const EnvironmentSpaces& spaces, const EntityFrame& frame, std::size_t action,
                   std::int64_t option) {
    const ActionSpace& space = spaces.actions[action];
    const auto at = static_cast<std::size_t>(option);
    if (space.kind != ActionSpace::Kind::Select) return QString::fromStdString(space.choices[at]);
    return thingName(spaces, frame.things,
                     static_cast<std::size_t>(frame.seen.offers[action].candidates[at]));
}

double entropyOf(const Advice& advice) {
    double sum = 0;
    for (const std::vector<double>& action : advice.probabilities)
        for (const double share : action)
            if (share > 0) sum -= share * std::log(share);
    return sum;
}

}  // namespace orrery
