#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/env/environment.h"

namespace orrery {

/// An environment that can be made by name.
struct EnvironmentEntry {
    std::string id;       ///< "corridor": what specs and commands say
    std::string title;    ///< "Corridor"
    std::string summary;  ///< one line: what is to be done in it
    /// Of its options as JSON, "{}" for their defaults: "length: [2, 1000] cells, 10". A line each.
    std::vector<std::string> options = {};
    /// @throws Error (BadInput) that names the option which is wrong
    std::function<std::unique_ptr<Environment>(std::string_view optionsJson)> make;
};

/// All environments of a program: a plain list, passed in (core/README.md). It knows none of them.
using EnvironmentCatalogue = std::span<const EnvironmentEntry>;

/// @return nullptr if there is none
const EnvironmentEntry* findEnvironment(EnvironmentCatalogue catalogue, std::string_view id);

/// @throws Error (BadInput) naming the id that is nearest
const EnvironmentEntry& environmentNamed(EnvironmentCatalogue catalogue, std::string_view id);

}  // namespace orrery
