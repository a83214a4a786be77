#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/spec_options.h"
#include "core/run/run_spec.h"
#include "core/world/world.h"

namespace orrery {

/// The longest file of a spec or of rules that is read.
inline constexpr std::uint64_t kMaxSpecBytes = 16ULL << 20;

/// What a command line says about a solve.
struct SolveInput {
    std::vector<std::string> words;   ///< a world, which overrides the spec's, and FIELD=VALUE
    std::string specFile, rulesFile;  ///< empty: none
    std::string preset;               ///< over the spec's fields, under the options; empty: none
    FieldOptions runFields, jobFields;
};

/// The spec file's fields, then those of the command line. The world is read too, and the spec is
/// checked against it, so that a mistake costs no run and no exploration.
/// @return nothing if a file has errors or does not fit the world, which is then printed with its
///         place; the verb's status is 2
/// @throws Error (BadInput) if a file is missing or an option is wrong
std::optional<RunSpec> readSolveInput(const SolveInput& input, Console& console);

/// A world's own name, or its file's where it has none.
std::string worldTitle(const World& world, const std::string& file);

}  // namespace orrery
