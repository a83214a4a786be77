#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/env/environment.h"

namespace orrery {

/// What a program that serves a game says of it.
struct GameSpaces {
    EnvironmentSpaces spaces = {};
    bool canSave = false;  ///< it gives and takes states

    bool operator==(const GameSpaces&) const = default;
};

inline constexpr int kGameProtocol = 1;

/// Reads the answer to `spaces`: its protocol, the kind of its spaces, and those. What is not known
/// is passed over. Source: resources/specs/environment_protocol.md.
/// @return what is wrong, with the field: "obs_space.entities[1]: ..."; empty: nothing
std::string readGameSpaces(const nlohmann::ordered_json& answer, GameSpaces& out);

/// The answer that says this. @param game  of things and an array of global features
nlohmann::ordered_json jsonOf(const GameSpaces& game);

/// How the first of two differs from the second in what is seen and done; empty: it does not.
std::string differenceOf(const EnvironmentSpaces& now, const EnvironmentSpaces& before);

}  // namespace orrery
