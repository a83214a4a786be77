#include "core/replay/world_facts.h"

namespace orrery {

int WorldFacts::numRobotActions() const {
    int product = 1;
    for (const int actions : robotActions) product *= actions;
    return product;
}

int WorldFacts::numHumanProfiles() const {
    int product = 1;
    for (const Human& human : humans) product *= human.numActions;
    return product;
}

int WorldFacts::humanProfile(std::span<const std::uint8_t> actions) const {
    int profile = 0;
    for (std::size_t h = 0; h < humans.size(); ++h)
        profile = profile * humans[h].numActions + actions[h];
    return profile;
}

std::size_t WorldFacts::priorNumbers() const {
    std::size_t numbers = 0;
    for (const Human& human : humans)
        numbers += human.goals.size() * static_cast<std::size_t>(human.numActions);
    return numbers;
}

}  // namespace orrery
