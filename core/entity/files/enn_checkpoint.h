#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.h"
#include "core/checkpoint/tensor_map.h"
#include "core/env/spaces.h"

namespace orrery {

/// What a checkpoint's folder of enn-trainer holds: config.ron, state.ron, and the networks in
/// state.agent.msgpack and, where values have one of their own, state.value_function.msgpack.
struct EnnCheckpoint {
    std::string config;        ///< the text of config.ron
    std::int64_t step = 0;     ///< frames that were learned from
    EnvironmentSpaces spaces;  ///< things, then global features; actions
    TensorMap model;           ///< float; those of the values' network behind "value/"
};

/// Whether a folder has what only such a checkpoint has.
bool isEnnCheckpoint(const std::filesystem::path& folder);

/// Why a pickle is not read, and what to do: BadInput.
Error ennPickleRefusal(const std::filesystem::path& file);

/// Numbers that are no use any more are left out, whole ones become floats.
/// @throws Error (Resource) a file that cannot be read, (BadInput) naming it and what is wrong; a
///         pickle is never read, since reading one runs whatever stands in it
/// Source: spec entity, section 7.
EnnCheckpoint readEnnCheckpoint(const std::filesystem::path& folder);

/// Writes such a folder, each file whole or not there.
/// @param folder  is made where there is none
/// @throws Error (Resource)
void writeEnnCheckpoint(const std::filesystem::path& folder, const EnnCheckpoint& checkpoint);

/// A text of Rusty Object Notation.
std::string ronQuoted(std::string_view text);

}  // namespace orrery
