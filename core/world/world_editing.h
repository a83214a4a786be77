#pragma once

#include <any>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/world/piece.h"
#include "core/world/world.h"
#include "core/world/world_spec.h"

namespace orrery {

/// Something to paint with.
struct WorldBrush {
    static constexpr std::size_t kNumColors = 6;  ///< Color::Red to Color::Grey

    std::vector<std::string> codes;  ///< one, or one for each of the colours

    bool isColored() const { return codes.size() > 1; }
    const std::string& code(std::size_t color) const { return codes[isColored() ? color : 0]; }
};

/// A rule of a world that is written in one line.
struct WorldRule {
    const char* key = "";    ///< as files and validate() name it: "stumble_probability"
    const char* label = "";  ///< as a form names it: "Stumbling"
    std::string (*text)(const WorldSpec& spec) = nullptr;
    /// Takes what is written, without blanks around. @return false: it is no such value
    bool (*take)(WorldSpec& spec, const std::string& text) = nullptr;
};

/// A rule of a world that is chosen, for all agents or for each.
struct WorldRuleChoice {
    const char* key = "";
    const char* label = "";  ///< "Actions"; a form adds " of A" for one agent
    const char* none = "";   ///< what no choice means: "by the map"
    std::vector<std::string> choices;
    bool ofAgents = false;  ///< one for each agent
    /// @param agent  index, 0 for a rule of all. @return the choice, -1: none
    int (*chosen)(const WorldSpec& spec, int agent) = nullptr;
    void (*choose)(WorldSpec& spec, int agent, int choice) = nullptr;
};

/// An agent on the map of a spec.
struct DraftAgent {
    int x = 0, y = 0;  ///< cell
    std::string code;  ///< of its cell
    AgentRole role = AgentRole::Other;
    int direction = -1;  ///< 0 E, 1 S, 2 W, 3 N; -1: it faces nowhere
    /// What else its family keeps for it by index; goes with it where agents are put elsewhere.
    std::any traits;
};

/// How the worlds of a family are edited: their specs are maps of cells, each with a code that
/// stands for what is in it. Every member may be asked of any spec of the family, valid or not;
/// what is not overridden is that of a spec without cells and rules.
class WorldEditing {
public:
    WorldEditing() = default;
    WorldEditing(const WorldEditing&) = delete;
    WorldEditing& operator=(const WorldEditing&) = delete;
    virtual ~WorldEditing() = default;

    /// A world that has this map, written row by row, and is otherwise as its family's standard.
    virtual WorldSpec specOfRows(const std::vector<std::string>& /*rows*/) const { return {}; }

    // ---- cells ----
    virtual int width(const WorldSpec&) const { return 0; }
    virtual int height(const WorldSpec&) const { return 0; }
    /// The code of a cell of the map; empty where a row is too short.
    virtual std::string codeAt(const WorldSpec&, int /*x*/, int /*y*/) const { return {}; }
    virtual void setCode(WorldSpec&, int /*x*/, int /*y*/, const std::string& /*code*/) const {}
    /// Puts a map of [height][width] codes in the place of the spec's.
    virtual void setCodes(WorldSpec&, const std::vector<std::vector<std::string>>&) const {}

    // ---- codes ----
    virtual std::string blank() const { return {}; }  ///< a cell without anything
    virtual std::string wall() const { return {}; }   ///< around every map; empty: maps have none
    virtual bool isCode(const std::string&) const { return false; }
    virtual bool isAgent(const std::string& /*code*/) const { return false; }
    /// The code of a human or a robot in a new world.
    virtual std::string agentCode(AgentRole) const { return {}; }
    virtual std::vector<WorldBrush> brushes(const WorldSpec&) const { return {}; }
    /// What is painted with in a world just opened. @param before  code in the world before it
    virtual std::string firstBrush(const std::string& /*before*/) const { return blank(); }
    virtual Piece pieceOf(const std::string& /*code*/) const { return {}; }
    /// What is drawn below an agent beside the floor.
    virtual std::optional<Piece> belowAgents(const WorldSpec&) const { return std::nullopt; }
    /// The same thing seen in a mirror.
    virtual std::string mirrored(const std::string& code, bool /*leftRight*/,
                                 bool /*upDown*/) const {
        return code;
    }
    /// The same thing turned a quarter, or the next state of it; nothing: it has but one.
    virtual std::optional<std::string> turned(const std::string& /*code*/) const {
        return std::nullopt;
    }
    /// A number for what an agent can enter: those with the same can stand in the same cells.
    virtual int wayClass(const WorldSpec&, int /*agent*/) const { return 0; }
    /// Whether an agent of that class may come to stand in a cell of that code, now or after it is
    /// opened.
    virtual bool isWay(const std::string& /*code*/, int /*wayClass*/) const { return true; }

    // ---- agents ----
    /// [agents] those whose codes are isAgent(), by agent index.
    virtual std::vector<DraftAgent> agents(const WorldSpec&) const { return {}; }
    /// Gives one of agents() the direction, role and traits of an agent just painted.
    virtual void initAgent(DraftAgent&) const {}
    /// Writes directions and traits of all agents: those of agents(), in that order.
    virtual void setAgents(WorldSpec&, const std::vector<DraftAgent>&) const {}

    // ---- rules ----
    virtual std::vector<WorldRule> rules() const { return {}; }  ///< beside name and steps
    virtual std::vector<WorldRuleChoice> choices() const { return {}; }
};

/// How the worlds of a spec's family are edited; of one that cannot be: as without cells.
const WorldEditing& editingOf(const WorldSpec& spec);
/// That of the first family, of which worlds are made anew.
const WorldEditing& editingOfNew();

/// A number as a form shows it: with 15 digits.
std::string typedText(double value);
/// A number as a person writes it: also "+1", "5." and ".5". Nothing: the text is none.
std::optional<double> typedNumber(std::string_view text);
std::optional<int> typedWhole(std::string_view text);

}  // namespace orrery
