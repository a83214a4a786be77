#include "app/cli/world_input.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/diagnostic.h"
#include "core/files/world_file.h"
#include "core/run/builtin_worlds.h"

namespace orrery {
namespace {

std::vector<std::string> splitAtCommas(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == ',')
            parts.emplace_back();
        else if (c != ' ')
            parts.back() += c;
    return parts;
}

int actionNamed(const AgentInfo& agent, const std::string& name) {
    for (std::size_t a = 0; a < agent.actions.size(); ++a)
        if (agent.actions[a] == name) return static_cast<int>(a);
    throw badInput(agent.name + " has no action '" + escaped(name, 60) +
                   "'; it has: " + commaList(agent.actions));
}

/// All of the standard input; it can be read once, so it is kept.
const std::string& standardInput() {
    static const std::string kText = [] {
        std::string text(std::istreambuf_iterator<char>(std::cin), {});
        if (text.size() > kMaxWorldFileBytes)
            throw badInput("The standard input holds more than a world file may.");
        return text;
    }();
    return kText;
}

std::size_t agentNamed(const World& world, const std::string& name) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < world.agents().size(); ++i) {
        if (world.agents()[i].name == name) return i;
        names.push_back(world.agents()[i].name);
    }
    throw badInput("There is no agent '" + escaped(name, 60) + "'; there are: " + commaList(names));
}

}  // namespace

void addWorldOptions(Verb& verb, WorldChoice& choice) {
    verb.option("WORLD", &choice.world,
                "World file (YAML or JSON), the name of an example world, or - for the "
                "standard input",
                {.isRequired = true});
    verb.option("--lenient", &choice.lenient,
                "Take unknown keys of the world file as warnings instead of errors");
}

std::string worldNamed(const std::string& word) {
    std::error_code error;
    if (isBuiltinWorld(word) || std::filesystem::exists(word, error)) return word;
    if (word.find('/') != std::string::npos || word.find('.') != std::string::npos) return word;
    const std::vector<std::string> names = builtinWorlds();
    return std::ranges::find(names, word) == names.end() ? word : "builtin:" + word;
}

bool isWorld(const std::string& word) {
    std::error_code error;
    return word == "-" || isBuiltinWorld(worldNamed(word)) ||
           std::filesystem::is_regular_file(word, error);
}

WorldRef worldRefOf(const std::string& word, bool lenient) {
    if (word != "-") return {.name = worldNamed(word), .lenient = lenient};
    return {.name = "standard input", .text = standardInput(), .lenient = lenient};
}

WorldFile readWorld(const WorldChoice& choice) {
    return readWorld(worldRefOf(choice.world, choice.lenient)).file;
}

std::shared_ptr<const World> loadWorld(const WorldRef& named, Console& console) {
    const WorldFile file = readWorld(named).file;
    for (const Diagnostic& diagnostic : file.diagnostics)
        console.message(diagnosticLine(diagnostic));
    if (file.omitted > 0)
        console.message(escaped(named.name) + ": and " + std::to_string(file.omitted) + " more");
    return file.hasErrors ? nullptr : makeWorld(file.spec);
}

std::shared_ptr<const World> loadWorld(const WorldChoice& choice, Console& console) {
    return loadWorld(worldRefOf(choice.world, choice.lenient), console);
}

ActionProfileIndex parseJointAction(const World& world, const std::string& text) {
    std::vector<int> actions(world.agents().size(), 0);
    const std::vector<std::string> parts = splitAtCommas(text);
    const bool byName = text.find('=') != std::string::npos;
    if (!byName && parts.size() != actions.size())
        throw badInput("A joint action names one action for each of the " +
                       std::to_string(actions.size()) + " agents, for example '" +
                       world.profileText(0) + "'; got '" + escaped(text, 80) + "'");
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t equals = parts[i].find('=');
        if (byName && equals == std::string::npos)
            throw badInput("'" + escaped(parts[i], 60) +
                           "' does not say whose action it is; write "
                           "AGENT=ACTION for all of them");
        const std::size_t agent = byName ? agentNamed(world, parts[i].substr(0, equals)) : i;
        const std::string name = byName ? parts[i].substr(equals + 1) : parts[i];
        actions[agent] = actionNamed(world.agents()[agent], name);
    }
    return world.profileIndex(actions);
}

}  // namespace orrery
