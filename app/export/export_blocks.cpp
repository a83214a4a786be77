#include "app/export/export_blocks.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/world/goal.h"
#include "core/world/world.h"

namespace orrery {
namespace {

void appendPadded(std::vector<double>& row, std::span<const double> values, std::size_t width) {
    row.insert(row.end(), values.begin(), values.end());
    row.insert(row.end(), width - std::min(width, values.size()), kAbsent);
}

std::string humanName(const World& world, std::size_t human) {
    return world.agents()[world.goals()[human].agent].name;
}

ExportBlock single(const char* name, double StateValues::*member) {
    return {name, {name}, [member](const StateValues& values, std::vector<double>& row) {
                row.push_back(values.*member);
            }};
}

ExportBlock robotBlock(const World& world, const char* name,
                       std::vector<double> StateValues::*member) {
    ExportBlock block{.name = name, .columns = {}, .append = {}};
    for (const std::string& profile : robotProfiles(world).names)
        block.columns.push_back(std::string(name) + "[" + profile + "]");
    block.append = [member, width = block.columns.size()](const StateValues& values,
                                                          std::vector<double>& row) {
        appendPadded(row, values.*member, width);
    };
    return block;
}

ExportBlock goalBlock(const World& world, std::size_t human, const char* name,
                      std::vector<std::vector<double>> StateValues::*member) {
    ExportBlock block{
        .name = std::string(name) + "." + humanName(world, human), .columns = {}, .append = {}};
    for (const Goal& goal : world.goals()[human].goals)
        block.columns.push_back(block.name + "[" + goalText(goal) + "]");
    block.append = [member, human, width = block.columns.size()](const StateValues& values,
                                                                 std::vector<double>& row) {
        const auto& all = values.*member;
        appendPadded(
            row,
            human < all.size() ? std::span<const double>(all[human]) : std::span<const double>{},
            width);
    };
    return block;
}

std::vector<ExportBlock> valueBlocks(const Solution& solution) {
    const World& world = solution.world();
    const std::size_t humans = world.goals().size();
    std::vector<ExportBlock> blocks;
    if (!solution.spec().phase1Only) {
        blocks.push_back(single("v_r", &StateValues::v_r));
        blocks.push_back(single("u_r", &StateValues::u_r));
        ExportBlock x_h{.name = "x_h", .columns = {}, .append = {}};
        for (std::size_t h = 0; h < humans; ++h)
            x_h.columns.push_back("x_h." + humanName(world, h));
        x_h.append = [humans](const StateValues& values, std::vector<double>& row) {
            appendPadded(row, values.x_h, humans);
        };
        blocks.push_back(std::move(x_h));
        for (std::size_t h = 0; h < humans; ++h)
            blocks.push_back(goalBlock(world, h, "v_h_e", &StateValues::v_h_e));
    }
    for (std::size_t h = 0; h < humans; ++h)
        blocks.push_back(goalBlock(world, h, "v_h", &StateValues::v_h));
    if (!solution.spec().phase1Only) blocks.push_back(robotBlock(world, "q_r", &StateValues::q_r));
    return blocks;
}

/// The policy of one human: for one goal, or the goal-marginal one (goal -1).
ExportBlock humanPolicyBlock(const World& world, std::size_t human, int goal) {
    const HumanGoals& goals = world.goals()[human];
    ExportBlock block{.name = "pi_h." + humanName(world, human), .columns = {}, .append = {}};
    if (goal >= 0) block.name += "[" + goalText(goals.goals[goal]) + "]";
    const std::vector<std::string>& actions = world.agents()[goals.agent].actions;
    for (const std::string& action : actions)
        block.columns.push_back(block.name + "[" + action + "]");
    block.append = [human, goal, width = actions.size()](const StateValues& values,
                                                         std::vector<double>& row) {
        std::span<const double> policy;
        if (goal < 0 && human < values.marginal.size()) policy = values.marginal[human];
        if (goal >= 0 && human < values.pi_h.size()) policy = values.pi_h[human][goal];
        appendPadded(row, policy, width);
    };
    return block;
}

std::vector<ExportBlock> policyBlocks(const Solution& solution) {
    const World& world = solution.world();
    std::vector<ExportBlock> blocks;
    if (!solution.spec().phase1Only)
        blocks.push_back(robotBlock(world, "pi_r", &StateValues::pi_r));
    for (std::size_t h = 0; h < world.goals().size(); ++h) {
        const auto goals = static_cast<int>(world.goals()[h].goals.size());
        for (int goal = -1; goal < goals; ++goal)
            blocks.push_back(humanPolicyBlock(world, h, goal));
    }
    return blocks;
}

}  // namespace

std::vector<ExportBlock> blocksOf(const Solution& solution, ExportContent content) {
    return content == ExportContent::Values ? valueBlocks(solution) : policyBlocks(solution);
}

}  // namespace orrery
