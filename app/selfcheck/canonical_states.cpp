#include "app/selfcheck/canonical_states.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/sha256.h"
#include "core/base/text.h"

namespace orrery {
namespace {

const char* truthText(bool value) {
    return value ? "true" : "false";
}
std::string orNull(int value) {
    return value < 0 ? "null" : std::to_string(value);
}

const char* carriedName(Carried kind) {
    switch (kind) {
        case Carried::Key:
            return "key";
        case Carried::Ball:
            return "ball";
        case Carried::Box:
            return "box";
        case Carried::Nothing:
            break;
    }
    return "";
}

/// Writes JSON arrays of one configuration.
class Writer {
public:
    explicit Writer(const GridWorld& world) : m_world(world), m_width(world.width()) {}

    std::string agents(const GridState& state) const {
        std::string out = "[";
        for (const GridState::Agent& agent : state.agents) {
            separate(out);
            out += "[" + cell(agent.cell) + "," + std::to_string(agent.direction) + "," +
                   truthText(agent.terminated) + ",true," + truthText(agent.paused) + ",";
            if (agent.carried == Carried::Nothing)
                out += "null,null,";
            else
                out += quoted(carriedName(agent.carried)) + "," +
                       quoted(colorName(agent.carriedColor)) + ",";
            out += orNull(agent.forcedAction) + "]";
        }
        return out + "]";
    }

    std::string mobiles(const GridState& state) const {
        std::string out = "[";
        for (const GridState::Mobile& mobile : state.mobiles) {
            separate(out);
            out += "[" + quoted(mobile.isRock ? "rock" : "block") + "," + cell(mobile.cell) + "]";
        }
        return out + "]";
    }

    std::string ground(const GridState& state) const {
        std::string out = "[";
        for (const GridState::Pickable& item : state.ground) {
            separate(out);
            out += "[" + quoted(carriedName(item.kind)) + "," + cell(item.cell) + "," +
                   quoted(colorName(item.color)) + "]";
        }
        return out + "]";
    }

    /// Everything that can change but not move, in row-major order of the initial map.
    std::string mutables(const GridState& state) const {
        std::vector<std::pair<int, std::string>> entries;  // cell, text
        const GridWorld::FixedCells& fixed = m_world.fixedCells();
        const auto add = [&](const char* kind, int where, const std::string& rest) {
            entries.emplace_back(where, "[" + quoted(kind) + "," + cell(where) + "," + rest + "]");
        };
        for (std::size_t i = 0; i < fixed.doors.size(); ++i)
            add("door", fixed.doors[i],
                std::string(truthText(state.doors[i] == DoorState::Open)) + "," +
                    truthText(state.doors[i] == DoorState::Locked));
        for (const int box : fixed.boxes) add("box", box, "null,null");
        for (std::size_t i = 0; i < fixed.magicWalls.size(); ++i)
            add("magicwall", fixed.magicWalls[i], truthText(state.magicActive[i] != 0));
        for (std::size_t i = 0; i < fixed.bushes.size(); ++i)
            add("bush", fixed.bushes[i], truthText(state.bushTrampled[i] != 0));
        for (std::size_t i = 0; i < fixed.killButtons.size(); ++i)
            add("killbutton", fixed.killButtons[i], truthText(state.killEnabled[i] != 0));
        for (std::size_t i = 0; i < fixed.pauseSwitches.size(); ++i)
            add("pauseswitch", fixed.pauseSwitches[i],
                std::string(truthText(state.pauseOn[i] != 0)) + "," +
                    truthText(state.pauseEnabled[i] != 0));
        for (std::size_t i = 0; i < fixed.controlButtons.size(); ++i) {
            const GridState::Control& control = state.controls[i];
            add("controlbutton", fixed.controlButtons[i],
                std::string(truthText(control.enabled)) + "," + orNull(control.controlledAgent) +
                    "," + orNull(control.triggeredAction) + "," + truthText(control.awaiting));
        }
        std::ranges::sort(entries);
        std::string out = "[";
        for (const auto& entry : entries) {
            separate(out);
            out += entry.second;
        }
        return out + "]";
    }

private:
    static void separate(std::string& out) {
        if (out.size() > 1) out += ',';
    }
    static std::string quoted(const char* word) { return std::string("\"") + word + "\""; }
    std::string cell(int index) const {
        return std::to_string(index % m_width) + "," + std::to_string(index / m_width);
    }

    const GridWorld& m_world;
    int m_width;
};

std::string stepPrefix(int step) {
    return "[" + std::to_string(step) + ",";
}

}  // namespace

std::string canonicalConfiguration(const GridWorld& world,
                                   std::span<const std::uint64_t> configuration) {
    const GridState state = world.unpack(configuration);
    const Writer writer(world);
    return writer.agents(state) + "," + writer.mobiles(state) + "," + writer.mutables(state) + "," +
           writer.ground(state) + "]";
}

CanonicalStates::CanonicalStates(const GridWorld& world, const StateGraph& graph) : m_graph(graph) {
    m_texts.reserve(graph.numConfigs());
    for (ConfigIndex c = 0; c < graph.numConfigs(); ++c) {
        m_texts.push_back(canonicalConfiguration(world, graph.configuration(c)));
        m_byText.push_back(c);
    }
    std::ranges::sort(m_byText, {},
                      [&](ConfigIndex c) -> const std::string& { return m_texts[c]; });
}

std::string CanonicalStates::text(State state) const {
    return stepPrefix(state.step) + m_texts[state.config];
}

std::optional<State> CanonicalStates::find(std::string_view text) const {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || comma < 2) return std::nullopt;
    const auto step = parseInt(text.substr(1, comma - 1));
    if (!step || *step < 0 || *step >= m_graph.numLevels()) return std::nullopt;
    const std::string_view rest = text.substr(comma + 1);
    auto found = std::ranges::lower_bound(
        m_byText, rest, {}, [&](ConfigIndex c) -> std::string_view { return m_texts[c]; });
    for (; found != m_byText.end() && m_texts[*found] == rest; ++found)  // one, or one a step
        if (m_graph.inLevel(static_cast<int>(*step), *found))
            return State{.step = static_cast<int>(*step), .config = *found};
    return std::nullopt;
}

std::string CanonicalStates::setHash() const {
    std::vector<std::pair<std::string, int>> steps;  // in the order of their texts, not numbers
    steps.reserve(m_graph.numLevels());
    for (int t = 0; t < m_graph.numLevels(); ++t) steps.emplace_back(stepPrefix(t), t);
    std::ranges::sort(steps);
    Sha256 hash;
    const char* separator = "";
    for (const auto& [prefix, step] : steps)
        for (const ConfigIndex c : m_byText)
            if (m_graph.inLevel(step, c)) {
                hash.update(separator);
                hash.update(prefix);
                hash.update(m_texts[c]);
                separator = "\n";
            }
    return hash.finishHex();
}

}  // namespace orrery
