#include "core/grid/grid_world.h"

#include <algorithm>
#include <bit>
#include <sstream>
#include <tuple>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/grid/grid_expander.h"
#include "core/grid/grid_layout.h"
#include "core/grid/grid_rules.h"

namespace orrery {

namespace {

/// Order of pickables as the oracles write them.
int pickableRank(Carried kind) {
    return kind == Carried::Ball ? 0 : kind == Carried::Box ? 1 : 2;
}

std::string hashText(const GridLayout& layout) {
    const GridWorldSpec& spec = layout.spec;
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << std::hexfloat << "orrery-grid/1\n";
    for (const std::string& row : spec.map) text << row << '\n';
    text << spec.maxSteps << ' ' << spec.stumbleProbability << ' ' << spec.magicEntryProbability
         << ' ' << spec.solidifyProbability << ' ' << spec.enterBushSuccessProbability << ' '
         << spec.durationPerNonzeroAction << ' ' << spec.fixMagicAll << '\n';
    for (std::size_t i = 0; i < layout.agents.size(); ++i) {
        const GridAgent& agent = layout.agents[i];
        text << static_cast<int>(layout.infos[i].role) << ' '
             << static_cast<int>(layout.initial.agents[i].direction) << ' ' << agent.canPushRocks
             << agent.canEnterMagicWalls;
        for (const Act act : agent.acts) text << ' ' << static_cast<int>(act);
        text << '\n';
    }
    for (const HumanGoals& list : layout.goals)
        for (std::size_t g = 0; g < list.goals.size(); ++g) {
            const Goal& goal = list.goals[g];
            text << list.agent << ' ' << goal.isRectangle << ' ' << goal.x1 << ' ' << goal.y1 << ' '
                 << goal.x2 << ' ' << goal.y2 << ' ' << list.weights[g] << '\n';
        }
    return text.str();
}

}  // namespace

GridWorld::GridWorld(const GridWorldSpec& spec) {
    for (const SpecProblem& problem : validateGrid(spec))
        if (!problem.isWarning)
            throw Error(problem.field + ": " + problem.text, Error::Kind::BadInput);
    m_layout = std::make_unique<const GridLayout>(spec);
    m_fixed = {.doors = m_layout->doorCells,
               .boxes = m_layout->boxCells,
               .magicWalls = m_layout->magicCells,
               .bushes = m_layout->bushCells,
               .killButtons = m_layout->killCells,
               .pauseSwitches = m_layout->pauseCells,
               .controlButtons = m_layout->controlCells,
               .doorColors = m_layout->doorColors};
}

GridWorld::~GridWorld() = default;

const GridWorldSpec& GridWorld::spec() const {
    return m_layout->spec;
}
const std::string& GridWorld::name() const {
    return m_layout->name;
}
int GridWorld::width() const {
    return m_layout->width;
}
int GridWorld::height() const {
    return m_layout->height;
}
int GridWorld::maxSteps() const {
    return m_layout->spec.maxSteps;
}
std::span<const AgentInfo> GridWorld::agents() const {
    return m_layout->infos;
}
int GridWorld::keyBits() const {
    return m_layout->keyBits;
}
std::span<const HumanGoals> GridWorld::goals() const {
    return m_layout->goals;
}
std::span<const Variable> GridWorld::variables() const {
    return m_layout->variables;
}
std::string GridWorld::contentHash() const {
    return sha256Hex(hashText(*m_layout));
}

Configuration GridWorld::initialConfiguration() const {
    return pack(m_layout->initial);
}

std::unique_ptr<Expander> GridWorld::makeExpander() const {
    return std::make_unique<GridExpander>(*m_layout);
}

std::vector<Outcome> GridWorld::outcomes(std::span<const std::uint64_t> configuration, int step,
                                         ActionProfileIndex profile) const {
    if (step >= maxSteps())
        throw Error("Step " + std::to_string(step) + " is terminal (max_steps " +
                        std::to_string(maxSteps()) + "): nothing follows it",
                    Error::Kind::BadInput);
    GridState state;
    m_layout->unpack(configuration.data(), state);
    GridRules rules(*m_layout);
    std::vector<Outcome> merged;
    Configuration key(keyWords());
    for (const GridRules::Branch& branch : rules.step(state, profileActions(profile))) {
        m_layout->pack(branch.state, key.data());
        const auto same = std::ranges::find(merged, key, &Outcome::successor);
        if (same == merged.end())
            merged.push_back({branch.probability, key});
        else
            same->probability += branch.probability;
    }
    if (merged.size() == 1) merged[0].probability = 1.0;
    std::ranges::stable_sort(merged, std::greater<>(), &Outcome::probability);
    return merged;
}

int GridWorld::cellOf(std::span<const std::uint64_t> configuration, int agent) const {
    const GridLayout::AgentFields& fields = m_layout->agentFields[agent];
    return fields.cellOfCode[BitString::get(configuration.data(), fields.cell)];
}

double GridWorld::duration(ActionProfileIndex profile) const {
    const double c = m_layout->spec.durationPerNonzeroAction;
    if (c == 0.0) return 1.0;
    int nonzero = 0;
    for (const GridAgent& agent : m_layout->agents) {
        const auto actions = static_cast<ActionProfileIndex>(agent.acts.size());
        if (profile % actions != 0) ++nonzero;
        profile /= actions;
    }
    return 1.0 + c * nonzero;
}

void GridWorld::valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const {
    GridState state;
    m_layout->unpack(configuration.data(), state);
    int* next = out.data();
    const int width = m_layout->width;
    for (const auto& agent : state.agents) {
        *next++ = agent.cell % width;
        *next++ = agent.cell / width;
        *next++ = agent.direction;
        *next++ = agent.terminated;
        *next++ = agent.paused;
        const auto held =
            std::ranges::find(m_layout->carriables, std::pair{agent.carried, agent.carriedColor});
        *next++ = agent.carried == Carried::Nothing
                      ? 0
                      : static_cast<int>(held - m_layout->carriables.begin()) + 1;
        *next++ = agent.forcedAction;
    }
    for (const auto& mobile : state.mobiles) {
        *next++ = mobile.cell % width;
        *next++ = mobile.cell / width;
    }
    for (const GridLayout::SetFields& set : m_layout->groundSets) {
        std::size_t written = 0;
        for (const auto& thing : state.ground) {
            if (thing.kind != set.kind || thing.color != set.color) continue;
            *next++ = thing.cell % width;
            *next++ = thing.cell / width;
            ++written;
        }
        for (; written < set.cell.size(); ++written) {
            *next++ = -1;
            *next++ = -1;
        }
    }
    for (const DoorState door : state.doors) {
        *next++ = door == DoorState::Open;
        *next++ = door == DoorState::Locked;
    }
    for (const auto flag : state.magicActive) *next++ = flag;
    for (const auto flag : state.bushTrampled) *next++ = flag;
    for (const auto flag : state.killEnabled) *next++ = flag;
    for (std::size_t k = 0; k < state.pauseOn.size(); ++k) {
        *next++ = state.pauseOn[k];
        *next++ = state.pauseEnabled[k];
    }
    for (const auto& control : state.controls) {
        *next++ = control.enabled;
        *next++ = control.awaiting;
        *next++ = control.controlledAgent;
        *next++ = control.triggeredAction;
    }
}

GridState GridWorld::unpack(std::span<const std::uint64_t> configuration) const {
    GridState state;
    m_layout->unpack(configuration.data(), state);
    const int width = m_layout->width;
    const auto column = [width](int cell) { return std::pair{cell % width, cell / width}; };
    std::ranges::sort(state.mobiles, {}, [&](const GridState::Mobile& mobile) {
        return std::pair{mobile.isRock, column(mobile.cell)};
    });
    std::ranges::sort(state.ground, {}, [&](const GridState::Pickable& thing) {
        return std::tuple{pickableRank(thing.kind), column(thing.cell), thing.color};
    });
    return state;
}

Configuration GridWorld::pack(const GridState& state) const {
    const GridLayout& layout = *m_layout;
    const GridState& like = layout.initial;
    const auto refuse = [](const std::string& what) {
        throw Error("This is not a state of the world: " + what, Error::Kind::BadInput);
    };
    if (state.agents.size() != like.agents.size() || state.mobiles.size() != like.mobiles.size() ||
        state.ground.size() > like.ground.size() || state.doors.size() != like.doors.size() ||
        state.magicActive.size() != like.magicActive.size() ||
        state.bushTrampled.size() != like.bushTrampled.size() ||
        state.killEnabled.size() != like.killEnabled.size() ||
        state.pauseOn.size() != like.pauseOn.size() ||
        state.pauseEnabled.size() != like.pauseEnabled.size() ||
        state.controls.size() != like.controls.size())
        refuse("it has another number of things");
    const int numCells = layout.width * layout.height;
    for (std::size_t i = 0; i < state.agents.size(); ++i) {
        const int cell = state.agents[i].cell;
        if (cell < 0 || cell >= numCells || layout.agentFields[i].codeOfCell[cell] < 0)
            refuse(layout.infos[i].name + " cannot be in cell " + std::to_string(cell));
    }
    for (const auto& mobile : state.mobiles)
        if (mobile.cell < 0 || mobile.cell >= numCells || layout.thingCodeOfCell[mobile.cell] < 0)
            refuse("no block or rock can be in cell " + std::to_string(mobile.cell));
    Configuration key(layout.keyWords);
    layout.pack(state, key.data());
    const GridState sorted = unpack(key);
    GridState given = state;
    const int width = layout.width;
    std::ranges::sort(given.mobiles, {}, [width](const GridState::Mobile& mobile) {
        return std::tuple{mobile.isRock, mobile.cell % width, mobile.cell / width};
    });
    std::ranges::sort(given.ground, {}, [width](const GridState::Pickable& thing) {
        return std::tuple{pickableRank(thing.kind), thing.cell % width, thing.cell / width,
                          thing.color};
    });
    if (!(given == sorted)) refuse("something has a value that it can never take");
    return key;
}

std::vector<std::string> GridWorld::warnings() const {
    std::vector<std::string> texts;
    for (const SpecProblem& problem : validateGrid(m_layout->spec))
        if (problem.isWarning) texts.push_back(problem.field + ": " + problem.text);
    return texts;
}

const GridWorld::FixedCells& GridWorld::fixedCells() const {
    return m_fixed;
}

}  // namespace orrery
