#include "core/world/world.h"

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <string_view>

#include "core/base/error.h"
#include "core/base/text.h"

namespace orrery {

namespace {

std::vector<int> agentsWithRole(std::span<const AgentInfo> agents, AgentRole role) {
    std::vector<int> found;
    for (std::size_t i = 0; i < agents.size(); ++i)
        if (agents[i].role == role) found.push_back(static_cast<int>(i));
    return found;
}

/// "human0" of "human0.x"; the whole name if it has no point.
std::string_view subjectOf(std::string_view name) {
    return name.substr(0, name.find('.'));
}

/// "x" of "human0.x"; empty if the name has no point.
std::string_view propertyOf(std::string_view name) {
    const std::size_t point = name.find('.');
    return point == std::string_view::npos ? std::string_view{} : name.substr(point + 1);
}

bool isTruthValue(const Variable& variable) {
    return variable.low == 0 && variable.high == 1;
}

bool isDirection(std::string_view property) {
    return property == "direction" || property == "dir" || property == "facing";
}

/// "carries red key" by subject, for the agents that carry something.
using CarriedTexts = std::map<std::string, std::string, std::less<>>;

CarriedTexts carriedTexts(const World& world, std::span<const std::uint64_t> configuration) {
    CarriedTexts texts;
    for (const Piece& piece : world.scene(configuration)) {
        if (piece.kind != PieceKind::Agent || piece.carried == Carried::Nothing) continue;
        const char* thing = piece.carried == Carried::Key    ? " key"
                            : piece.carried == Carried::Ball ? " ball"
                                                             : " box";
        texts[world.agents()[piece.agent].name] =
            std::string("carries ") + colorName(piece.carriedColor) + thing;
    }
    return texts;
}

/// The words on one property of a subject, empty if there is nothing to say.
std::string propertyText(const Variable& variable, std::string_view property, int value) {
    if (isDirection(property) && value >= 0 && value < 4) return std::string(1, "ESWN"[value]);
    if (isTruthValue(variable)) return value != 0 ? std::string(property) : std::string();
    if (value < 0) return {};
    return std::string(property) + " " + std::to_string(value);
}

/// The part of the description on the variables [begin, end), which share a subject.
std::string subjectText(std::span<const Variable> variables, std::span<const int> values,
                        const CarriedTexts& carried) {
    const std::string_view subject = subjectOf(variables.front().name);
    if (propertyOf(variables.front().name).empty()) {
        if (values.front() == 0) return {};
        if (isTruthValue(variables.front())) return std::string(subject);
        return std::string(subject) + " " + std::to_string(values.front());
    }
    std::string text;
    std::string_view firstTruth;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const std::string_view property = propertyOf(variables[i].name);
        const bool isPlace =
            property == "x" && i + 1 < variables.size() && propertyOf(variables[i + 1].name) == "y";
        std::string part;
        if (isPlace) {
            if (values[i] >= 0)  // -1: not on the ground
                part = std::to_string(values[i]) + "," + std::to_string(values[i + 1]);
            ++i;
        } else if (property == "carries") {
            if (const auto found = carried.find(subject); found != carried.end())
                part = found->second;
        } else {
            if (firstTruth.empty() && isTruthValue(variables[i])) firstTruth = property;
            part = propertyText(variables[i], property, values[i]);
        }
        if (!part.empty()) text += " " + part;
    }
    if (text.empty() && firstTruth == "open") text = " closed";
    if (text.empty() && !firstTruth.empty()) text = " not " + std::string(firstTruth);
    return text.empty() ? std::string() : std::string(subject) + text;
}

/// The index of a joint action, exact up to 2^53.
double profileNumber(const World& world, std::span<const int> actions) {
    double index = 0;
    double stride = 1;
    for (int agent = 0; agent < world.numAgents(); ++agent) {
        index += stride * actions[agent];
        stride *= world.numActions(agent);
    }
    return index;
}

}  // namespace

ActionProfileIndex World::numProfiles() const {
    std::uint64_t product = 1;
    for (const AgentInfo& agent : agents()) {
        product *= agent.actions.size();
        if (product > std::numeric_limits<ActionProfileIndex>::max())
            throw Error("World \"" + name() +
                            "\" has more than 2^32 joint actions. Use fewer agents "
                            "or a smaller action set.",
                        Error::Kind::BadInput);
    }
    return static_cast<ActionProfileIndex>(product);
}

double World::profileCount() const {
    double product = 1;
    for (const AgentInfo& agent : agents()) product *= static_cast<double>(agent.actions.size());
    return product;
}

std::optional<std::string> World::whyNotPlannable() const {
    if (numAgents() <= kMaxPlannedAgents && profileCount() <= kMaxPlannedProfiles)
        return std::nullopt;
    return "has " + std::to_string(numAgents()) + " agents with " + formatDouble(profileCount()) +
           " joint actions; " + std::to_string(kMaxPlannedAgents) + " agents and " +
           std::to_string(kMaxPlannedProfiles) +
           " joint actions are the most that can be planned for exactly";
}

std::vector<std::string> World::agentLetters() const {
    std::vector<std::string> letters;
    std::array<int, 3> counts{};
    static constexpr std::array<char, 3> kFirst = {'A', 'R', 'a'};  // by AgentRole
    for (const AgentInfo& agent : agents()) {
        const auto role = static_cast<std::size_t>(agent.role);
        const int index = counts.at(role)++;
        std::string letter(1, static_cast<char>(kFirst.at(role) + index % 9));
        if (index >= 9) letter += std::to_string(index / 9 + 1);
        letters.push_back(std::move(letter));
    }
    return letters;
}

std::vector<int> World::humans() const {
    return agentsWithRole(agents(), AgentRole::Human);
}

std::vector<int> World::robots() const {
    return agentsWithRole(agents(), AgentRole::Robot);
}

ActionProfileIndex World::profileIndex(std::span<const int> actions) const {
    if (std::ssize(actions) != numAgents())
        throw Error("A joint action of world \"" + name() + "\" has " +
                        std::to_string(numAgents()) + " actions, one an agent; got " +
                        std::to_string(actions.size()) + ".",
                    Error::Kind::BadInput);
    for (int agent = 0; agent < numAgents(); ++agent)
        if (actions[agent] < 0 || actions[agent] >= numActions(agent))
            throw Error("Action " + std::to_string(actions[agent]) + " of " + agents()[agent].name +
                            " is not in 0 to " + std::to_string(numActions(agent) - 1) + ".",
                        Error::Kind::BadInput);
    const double index = profileNumber(*this, actions);
    if (index > std::numeric_limits<ActionProfileIndex>::max())
        throw Error("World \"" + name() + "\" has " + formatDouble(profileCount()) +
                        " joint actions, and this one is beyond the first 2^32. Let the agents "
                        "with the highest numbers take their first action.",
                    Error::Kind::BadInput);
    return static_cast<ActionProfileIndex>(index);
}

bool World::hasProfileIndex(std::span<const int> actions) const {
    if (std::ssize(actions) != numAgents()) return false;
    for (int agent = 0; agent < numAgents(); ++agent)
        if (actions[agent] < 0 || actions[agent] >= numActions(agent)) return false;
    return profileNumber(*this, actions) <= std::numeric_limits<ActionProfileIndex>::max();
}

std::vector<int> World::profileActions(ActionProfileIndex profile) const {
    if (profile >= profileCount())
        throw Error("Joint action " + std::to_string(profile) + " is not in 0 to " +
                        formatDouble(profileCount() - 1) + ".",
                    Error::Kind::BadInput);
    std::vector<int> actions(agents().size());
    for (int agent = 0; agent < numAgents(); ++agent) {
        const auto choices = static_cast<ActionProfileIndex>(numActions(agent));
        actions[agent] = static_cast<int>(profile % choices);
        profile /= choices;
    }
    return actions;
}

std::string World::profileText(ActionProfileIndex profile) const {
    const std::vector<int> actions = profileActions(profile);
    std::string text;
    for (int agent = 0; agent < numAgents(); ++agent) {
        if (agent > 0) text += ", ";
        text += agents()[agent].name + ": " + agents()[agent].actions[actions[agent]];
    }
    return text;
}

std::uint64_t World::attainedGoals(std::span<const std::uint64_t> configuration, int human) const {
    const HumanGoals& own = goals()[human];
    const int cell = cellOf(configuration, own.agent);
    const int x = cell % width();
    const int y = cell / width();
    std::uint64_t mask = 0;
    for (std::size_t g = 0; g < own.goals.size(); ++g)
        if (own.goals[g].contains(x, y)) mask |= std::uint64_t{1} << g;
    return mask;
}

SceneChange World::change(std::span<const std::uint64_t> before,
                          std::span<const std::uint64_t> after) const {
    return changeBetween(scene(before), scene(after));
}

std::string describe(const World& world, std::span<const std::uint64_t> configuration) {
    const std::span<const Variable> variables = world.variables();
    std::vector<int> values(variables.size());
    world.valuate(configuration, values);
    const CarriedTexts carried = carriedTexts(world, configuration);
    std::string text;
    for (std::size_t begin = 0; begin < variables.size();) {
        std::size_t end = begin + 1;
        while (end < variables.size() &&
               subjectOf(variables[end].name) == subjectOf(variables[begin].name))
            ++end;
        const std::string part =
            subjectText(variables.subspan(begin, end - begin),
                        std::span<const int>(values).subspan(begin, end - begin), carried);
        if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
        begin = end;
    }
    return text;
}

}  // namespace orrery
