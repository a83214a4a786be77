#include "core/entity/entity_game.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"

namespace orrery {

EntityGame::EntityGame(std::string name, EnvironmentSpaces spaces)
    : m_name(std::move(name)), m_spaces(std::move(spaces)), m_offered(m_spaces.actions.size()) {}

void EntityGame::show(Observation& out) {
    FrameWriter writer(m_spaces, out);
    observe(writer);
    for (std::size_t i = 0; i < m_offered.size(); ++i) {
        const ActionSpace& space = m_spaces.actions[i];
        const ActionOffer& offer = out.offers[i];
        m_offered[i] = {.deciders = space.isOfActors ? std::ssize(offer.actors) : 1,
                        .options = space.kind == ActionSpace::Kind::Select
                                       ? std::ssize(offer.candidates)
                                       : std::ssize(space.choices),
                        .isLimited = !offer.allowed.empty()};
    }
}

void EntityGame::reset(std::uint64_t seed, Observation& out) {
    m_rng = Rng(seed);
    begin(m_rng);
    show(out);
}

void EntityGame::step(std::span<const ActionTaken> taken, StepResult& result, Observation& out) {
    if (taken.size() != m_offered.size())
        throw badInput(m_name + " takes " + std::to_string(m_offered.size()) + " actions, not " +
                       std::to_string(taken.size()) + '.');
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const Offered& offered = m_offered[i];
        const auto refuse = [&](const std::string& why) {
            throw badInput("The action \"" + m_spaces.actions[i].name + "\" of " + m_name + why);
        };
        if (std::ssize(taken[i].indices) != offered.deciders)
            refuse(" is decided " + std::to_string(offered.deciders) + " times, not " +
                   std::to_string(taken[i].indices.size()) + '.');
        const std::int64_t least = offered.options == 0 || offered.isLimited ? -1 : 0;
        for (const std::int64_t choice : taken[i].indices)
            if (choice < least || choice >= offered.options)
                refuse(" does not offer choice " + std::to_string(choice) + '.');
    }
    act(taken, m_rng, result);
    show(out);
}

std::string EntityGame::state() const {
    nlohmann::json state = toJson();
    state["rng"] = m_rng.words();
    return state.dump();
}

void EntityGame::setState(std::string_view json, Observation& out) {
    try {
        const nlohmann::json state = nlohmann::json::parse(json);
        std::array<std::uint64_t, 4> words = m_rng.words();
        if (state.contains("rng")) words = state.at("rng").get<std::array<std::uint64_t, 4>>();
        if (words == std::array<std::uint64_t, 4>{})
            throw Error("its generator is all zero", Error::Kind::Damaged);
        fromJson(state);
        m_rng.setWords(words);
    } catch (const nlohmann::json::exception& error) {
        throw Error("This is no state of " + m_name + ": " + error.what(), Error::Kind::Damaged);
    } catch (const Error& error) {
        throw Error("This is no state of " + m_name + ": " + error.what() + '.',
                    Error::Kind::Damaged);
    }
    show(out);
}

Picture EntityGame::picture(const PictureWish& wish) const {
    Observation seen;
    FrameWriter writer(m_spaces, seen);
    observe(writer);
    return pictureOfThings(m_spaces, seen, wish, area());
}

ObservedSpace thingsOf(std::string name, std::vector<std::string> features) {
    const auto numbers = static_cast<std::int64_t>(features.size());
    return {.name = std::move(name),
            .kind = ObservedSpace::Kind::Entities,
            .shape = {numbers},
            .depth = 1,
            .features = std::move(features)};
}

ObservedSpace globalsOf(std::vector<std::string> features) {
    const auto numbers = static_cast<std::int64_t>(features.size());
    return {.name = kGlobals, .shape = {numbers}, .features = std::move(features)};
}

ActionSpace choiceOf(std::string name, std::vector<std::string> choices) {
    return {.name = std::move(name), .choices = std::move(choices), .isOfActors = true};
}

ActionSpace globalChoiceOf(std::string name, std::vector<std::string> choices) {
    return {.name = std::move(name), .choices = std::move(choices)};
}

ActionSpace selectionOf(std::string name) {
    return {.name = std::move(name), .kind = ActionSpace::Kind::Select, .isOfActors = true};
}

}  // namespace orrery
