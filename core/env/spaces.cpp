#include "core/env/spaces.h"

#include <set>

#include "core/base/text.h"

namespace orrery {

std::int64_t ObservedSpace::numbersEach() const {
    std::int64_t numbers = 1;
    for (const std::int64_t length : shape) numbers *= length;
    return numbers;
}

const char* kindOf(const EnvironmentSpaces& spaces) {
    bool hasEntities = false, hasSequences = false;
    for (const ObservedSpace& space : spaces.observations) {
        hasEntities = hasEntities || space.kind == ObservedSpace::Kind::Entities;
        hasSequences = hasSequences || space.kind == ObservedSpace::Kind::Sequence;
    }
    return hasEntities ? "entities" : hasSequences ? "sequences" : "arrays";
}

namespace {

void addNameProblems(const std::vector<std::string>& names, const std::string& what,
                     std::vector<std::string>& problems) {
    std::set<std::string> seen;
    for (const std::string& name : names) {
        if (name.empty())
            problems.push_back(what + " needs a name");
        else if (!seen.insert(name).second)
            problems.push_back(what + " \"" + escaped(name) + "\" stands twice");
    }
}

template <typename Space>
std::vector<std::string> namesOf(const std::vector<Space>& spaces) {
    std::vector<std::string> names;
    names.reserve(spaces.size());
    for (const Space& space : spaces) names.push_back(space.name);
    return names;
}

void addProblems(const ObservedSpace& space, std::vector<std::string>& problems) {
    using enum ObservedSpace::Kind;
    const std::string what = "observation \"" + escaped(space.name) + "\": ";
    for (const std::int64_t length : space.shape)
        if (length < 1 && space.kind != Entities)
            problems.push_back(what + "each length of its shape must be at least 1");
    const int least = space.kind == Array ? 0 : 1;
    const int most = space.kind == Array      ? 0
                     : space.kind == Entities ? 1
                                              : ObservedSpace::kMostDepth;
    if (space.depth < least || space.depth > most)
        problems.push_back(what + "its depth must lie in [" + std::to_string(least) + ", " +
                           std::to_string(most) + "]");
    if (space.kind == Entities && space.shape != std::vector{std::ssize(space.features)})
        problems.push_back(what + "its shape must be the number of its features");
    addNameProblems(space.features, what + "a feature", problems);
    if (space.categories < 0) problems.push_back(what + "its categories must be at least 0");
    if (!(space.low <= space.high)) problems.push_back(what + "low must not lie above high");
}

void addProblems(const ActionSpace& space, std::vector<std::string>& problems) {
    const std::string what = "action \"" + escaped(space.name) + "\": ";
    if (space.kind == ActionSpace::Kind::Choice && space.choices.empty())
        problems.push_back(what + "it needs at least one choice");
    addNameProblems(space.choices, what + "a choice", problems);
    if (space.kind == ActionSpace::Kind::Numbers && space.size < 1)
        problems.push_back(what + "its size must be at least 1");
    if (!(space.low <= space.high)) problems.push_back(what + "low must not lie above high");
}

}  // namespace

std::vector<std::string> problemsOf(const EnvironmentSpaces& spaces) {
    std::vector<std::string> problems;
    addNameProblems(namesOf(spaces.observations), "an observation", problems);
    addNameProblems(namesOf(spaces.actions), "an action", problems);
    addNameProblems(spaces.rewards, "a reward", problems);
    addNameProblems(spaces.facts, "a fact", problems);
    addNameProblems(spaces.metrics, "a metric", problems);
    if (spaces.actions.empty()) problems.emplace_back("there must be at least one action");
    if (spaces.rewards.empty()) problems.emplace_back("there must be at least one reward");
    for (const ObservedSpace& space : spaces.observations) addProblems(space, problems);
    for (const ActionSpace& space : spaces.actions) addProblems(space, problems);
    return problems;
}

}  // namespace orrery
