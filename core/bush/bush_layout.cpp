#include "core/bush/bush_layout.h"

#include <bit>

#include "core/base/text.h"

namespace orrery {

namespace {

AgentInfo makeAgent(bool isRobot, int number) {
    AgentInfo agent;
    agent.name = (isRobot ? "robot" : "human") + std::to_string(number);
    agent.role = isRobot ? AgentRole::Robot : AgentRole::Human;
    agent.color = isRobot ? Color::Grey : Color::Yellow;
    agent.actions = {"north", "west", "south", "east", "pass"};
    return agent;
}

void placeAgents(BushLayout& layout) {
    for (const bool isRobot : {true, false}) {
        int number = 0;
        for (int cell = 0; cell < layout.width * layout.height; ++cell) {
            const std::string& text = layout.spec.map[cell / layout.width][cell % layout.width];
            if (text != (isRobot ? "Ro" : "Hu")) continue;
            layout.agents.push_back(makeAgent(isRobot, number++));
            layout.initialCells.push_back(cell);
            layout.numProfiles *= kBushActions;
        }
        if (isRobot) layout.numRobots = number;
    }
}

void layOutKey(BushLayout& layout) {
    const auto cells = static_cast<std::uint32_t>(layout.width * layout.height);
    const auto append = [&layout](std::vector<BushField>& fields, int bits) {
        fields.push_back({layout.keyBits, bits});
        layout.keyBits += bits;
    };
    for (std::size_t agent = 0; agent < layout.agents.size(); ++agent)
        append(layout.cellField, std::bit_width(cells - 1));
    for (const int density : layout.initialDensities)
        append(layout.densityField, std::bit_width(static_cast<std::uint32_t>(density)));
}

void linkNeighbours(BushLayout& layout) {
    constexpr int kDx[] = {0, -1, 0, 1};
    constexpr int kDy[] = {-1, 0, 1, 0};
    for (int cell = 0; cell < layout.width * layout.height; ++cell) {
        for (int action = 0; action < 4; ++action) {
            const int x = cell % layout.width + kDx[action];
            const int y = cell / layout.width + kDy[action];
            const bool inside = x >= 0 && y >= 0 && x < layout.width && y < layout.height;
            layout.neighbour.push_back(inside ? y * layout.width + x : -1);
        }
    }
}

void giveUniformWeights(HumanGoals& own) {
    if (!own.weights.empty()) return;
    own.weights.assign(own.goals.size(), 1.0 / static_cast<double>(own.goals.size()));
}

void setGoals(BushLayout& layout) {
    std::vector<Goal> common = layout.spec.possibleGoals;
    if (common.empty())
        for (int y = 0; y < layout.height; ++y)
            for (int x = 0; x < layout.width; ++x) common.push_back({x, y, x, y, false});
    for (int agent = layout.numRobots; agent < static_cast<int>(layout.agents.size()); ++agent) {
        HumanGoals own{agent, common, layout.spec.goalWeights};
        for (const HumanGoals& given : layout.spec.ownGoals)
            if (given.agent == agent) own = given;
        giveUniformWeights(own);
        layout.goals.push_back(std::move(own));
    }
}

void listVariables(BushLayout& layout) {
    for (const AgentInfo& agent : layout.agents) {
        layout.variables.push_back({agent.name + ".x", 0, layout.width - 1});
        layout.variables.push_back({agent.name + ".y", 0, layout.height - 1});
    }
    for (int cell = 0; cell < layout.width * layout.height; ++cell) {
        if (layout.initialDensities[cell] == 0) continue;
        layout.variables.push_back({"density_" + std::to_string(cell % layout.width) + "_" +
                                        std::to_string(cell / layout.width),
                                    0, layout.initialDensities[cell]});
        layout.denseCells.push_back(cell);
    }
}

}  // namespace

BushLayout::BushLayout(const BushWorldSpec& given) : spec(given) {
    height = static_cast<int>(spec.map.size());
    width = static_cast<int>(spec.map.front().size());
    for (const auto& row : spec.map)
        for (const std::string& text : row)
            initialDensities.push_back(text == "Ro" || text == "Hu"
                                           ? spec.fillDensity
                                           : static_cast<int>(parseInt(text).value()));
    placeAgents(*this);
    layOutKey(*this);
    linkNeighbours(*this);
    setGoals(*this);
    listVariables(*this);
}

}  // namespace orrery
