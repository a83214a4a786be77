#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/env/environment.h"
#include "core/env/outside.h"

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
    /// Of one that another program serves: makes many that share its processes. Else empty.
    /// @throws Error as `make`
    std::function<TogetherMaker(std::string_view optionsJson, const OutsideRules& rules)> together =
        {};
    /// Of such a one: what it is made of, for who compares runs. A user's own, else empty.
    std::string origin = {};
    /// What state() gives goes on exactly, whatever becomes of the program that serves it.
    bool isExact = true;

    bool isOwn() const { return static_cast<bool>(together); }
};

/// Makes environments that go together, whoever serves them.
/// @param entry  is there as long as the maker
TogetherMaker makerTogether(const EnvironmentEntry& entry, std::string_view optionsJson,
                            const OutsideRules& rules);

/// All environments of a program: a plain list, passed in (core/README.md). It knows none of them.
using EnvironmentCatalogue = std::span<const EnvironmentEntry>;

/// @return nullptr if there is none
const EnvironmentEntry* findEnvironment(EnvironmentCatalogue catalogue, std::string_view id);

/// @throws Error (BadInput) naming the id that is nearest
const EnvironmentEntry& environmentNamed(EnvironmentCatalogue catalogue, std::string_view id);

}  // namespace orrery
