#include "core/env/environment.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace orrery {

namespace {

/// Rows of the outermost nesting are free; every other one must fit the next.
std::string nestingProblem(const ObservedSpace& space, const ObservedPart& part) {
    if (std::ssize(part.begins) != space.depth)
        return "is nested " + std::to_string(part.begins.size()) + " deep, not " +
               std::to_string(space.depth);
    std::int64_t elements = 1;
    for (std::size_t depth = 0; depth < part.begins.size(); ++depth) {
        const std::vector<std::int64_t>& begin = part.begins[depth];
        if (std::ssize(begin) != elements + 1 || begin.front() != 0 ||
            !std::ranges::is_sorted(begin))
            return "has rows that do not follow each other at depth " + std::to_string(depth);
        elements = begin.back();
    }
    if (!part.visible.empty() &&
        (space.kind != ObservedSpace::Kind::Entities || std::ssize(part.visible) != elements))
        return "says of " + std::to_string(part.visible.size()) + " things whether they are seen";
    if (std::ssize(part.values) != elements * space.numbersEach())
        return "has " + std::to_string(part.values.size()) + " numbers where " +
               std::to_string(elements * space.numbersEach()) + " are due";
    return {};
}

std::string numberProblem(const ObservedSpace& space, float value) {
    if (!std::isfinite(value)) return "has a number that is not finite";
    if (value < space.low || value > space.high)
        return "has " + formatDouble(value) + ", out of [" + formatDouble(space.low) + ", " +
               formatDouble(space.high) + "]";
    if (space.categories > 0 &&
        (value != std::floor(value) || value < 0 || value >= static_cast<double>(space.categories)))
        return "has " + formatDouble(value) + ", which is no category below " +
               std::to_string(space.categories);
    return {};
}

std::string problemOf(const ObservedSpace& space, const ObservedPart& part) {
    if (std::string problem = nestingProblem(space, part); !problem.empty()) return problem;
    for (const float value : part.values)
        if (std::string problem = numberProblem(space, value); !problem.empty()) return problem;
    return {};
}

std::int64_t numEntities(const EnvironmentSpaces& spaces, const Observation& observation) {
    std::int64_t entities = 0;
    for (std::size_t i = 0; i < spaces.observations.size(); ++i)
        if (spaces.observations[i].kind == ObservedSpace::Kind::Entities)
            entities += observation.parts[i].begins.front().back();
    return entities;
}

std::int64_t numDeciders(const ActionSpace& space, const ActionOffer& offer) {
    return space.isOfActors ? std::ssize(offer.actors) : 1;
}

/// What each decider chooses among; 0 for numbers.
std::int64_t numOptions(const ActionSpace& space, const ActionOffer& offer) {
    switch (space.kind) {
        case ActionSpace::Kind::Choice:
            return std::ssize(space.choices);
        case ActionSpace::Kind::Select:
            return std::ssize(offer.candidates);
        case ActionSpace::Kind::Numbers:
            break;
    }
    return 0;
}

std::string problemOf(const ActionSpace& space, const ActionOffer& offer, std::int64_t entities) {
    const auto isThing = [&](std::int64_t thing) { return thing >= 0 && thing < entities; };
    if (!space.isOfActors && !offer.actors.empty()) return "is decided once, but names actors";
    if (space.kind != ActionSpace::Kind::Select && !offer.candidates.empty())
        return "selects nothing, but names candidates";
    if (!std::ranges::all_of(offer.actors, isThing)) return "names an actor that is not observed";
    if (!std::ranges::all_of(offer.candidates, isThing))
        return "names a candidate that is not observed";
    const std::int64_t deciders = numDeciders(space, offer), options = numOptions(space, offer);
    if (space.kind == ActionSpace::Kind::Select && deciders > 0 && options == 0)
        return "offers nothing to select";
    if (offer.allowed.empty()) return {};
    if (std::ssize(offer.allowed) != deciders * options)
        return "allows " + std::to_string(offer.allowed.size()) + " of " +
               std::to_string(deciders * options) + " choices";
    for (std::int64_t decider = 0; decider < deciders; ++decider) {
        const auto row = std::span(offer.allowed).subspan(decider * options, options);
        if (std::ranges::all_of(row, [](std::uint8_t allowed) { return allowed == 0; }))
            return "allows decider " + std::to_string(decider) + " nothing";
    }
    return {};
}

std::string problemOf(const ActionSpace& space, const ActionOffer& offer,
                      const ActionTaken& taken) {
    const std::int64_t deciders = numDeciders(space, offer);
    if (space.kind == ActionSpace::Kind::Numbers) {
        if (std::ssize(taken.numbers) != deciders * space.size)
            return "takes " + std::to_string(deciders * space.size) + " numbers, not " +
                   std::to_string(taken.numbers.size());
        for (const float number : taken.numbers)
            if (!(number >= space.low && number <= space.high))
                return "takes no " + formatDouble(number);
        return {};
    }
    if (std::ssize(taken.indices) != deciders)
        return "is decided " + std::to_string(deciders) + " times, not " +
               std::to_string(taken.indices.size());
    const std::int64_t options = numOptions(space, offer);
    for (std::int64_t decider = 0; decider < deciders; ++decider) {
        const std::int64_t chosen = taken.indices[decider];
        if (chosen < 0 || chosen >= options ||
            (!offer.allowed.empty() && offer.allowed[decider * options + chosen] == 0))
            return "does not offer choice " + std::to_string(chosen);
    }
    return {};
}

}  // namespace

std::vector<std::string> problemsOf(const EnvironmentSpaces& spaces,
                                    const Observation& observation) {
    std::vector<std::string> problems;
    if (observation.parts.size() != spaces.observations.size())
        problems.push_back("there are " + std::to_string(observation.parts.size()) +
                           " observations, not " + std::to_string(spaces.observations.size()));
    if (observation.offers.size() != spaces.actions.size())
        problems.push_back("there are " + std::to_string(observation.offers.size()) +
                           " actions, not " + std::to_string(spaces.actions.size()));
    if (!problems.empty()) return problems;
    for (std::size_t i = 0; i < spaces.observations.size(); ++i) {
        const std::string problem = problemOf(spaces.observations[i], observation.parts[i]);
        if (!problem.empty())
            problems.push_back("observation \"" + escaped(spaces.observations[i].name) + "\" " +
                               problem);
    }
    if (!problems.empty()) return problems;
    const std::int64_t entities = numEntities(spaces, observation);
    for (std::size_t i = 0; i < spaces.actions.size(); ++i) {
        const std::string problem = problemOf(spaces.actions[i], observation.offers[i], entities);
        if (!problem.empty())
            problems.push_back("action \"" + escaped(spaces.actions[i].name) + "\" " + problem);
    }
    return problems;
}

std::string problemOf(const EnvironmentSpaces& spaces, const Observation& offered,
                      std::span<const ActionTaken> taken) {
    if (taken.size() != spaces.actions.size())
        return std::to_string(spaces.actions.size()) + " actions are due, not " +
               std::to_string(taken.size());
    for (std::size_t i = 0; i < spaces.actions.size(); ++i) {
        const std::string problem = problemOf(spaces.actions[i], offered.offers[i], taken[i]);
        if (!problem.empty())
            return "action \"" + escaped(spaces.actions[i].name) + "\" " + problem;
    }
    return {};
}

}  // namespace orrery
