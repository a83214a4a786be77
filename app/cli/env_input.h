#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "core/env/advice.h"
#include "core/env/catalogue.h"

namespace orrery {

/// How a command line names an environment.
struct EnvChoice {
    std::vector<std::string> words;  ///< its name, then OPTION=VALUE
};

/// The positionals NAME and OPTION=VALUE.
void addEnvOptions(Verb& verb, EnvChoice& choice);

/// @throws Error (BadInput) if there is none of that name, with the nearest
const EnvironmentEntry& entryOf(const EnvChoice& choice);

/// Its options as a JSON object; what is no JSON is a text.
/// @throws Error (BadInput) if a word is no OPTION=VALUE
std::string optionsOf(const EnvChoice& choice);

/// `env add` and `env remove`, below `env`.
void addOwnEnvironmentVerbs(Verb& group);

/// Plays in a terminal: shows what is there, asks for each decision on the standard input.
/// @param agent  says what it would do, which an empty line takes; null: nobody does
/// @return the exit status
int playEnvironment(std::unique_ptr<Environment> environment, std::uint64_t seed,
                    AdvisingPolicy* agent, VerbContext& context);

}  // namespace orrery
