#include "core/collect/robot_moves.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/encode/agent_order.h"

namespace orrery {

namespace {

constexpr double kForwardWeight = 0.58, kStillWeight = 0.06, kOtherWeight = 0.18;

int indexOf(const std::vector<std::string>& names, const char* name) {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

bool isStepName(const std::string& name) {
    return name == "forward" || name == "north" || name == "west" || name == "south" ||
           name == "east";
}

}  // namespace

std::vector<double> explorationWeights(const std::vector<double>& given, int actions,
                                       const std::string& whose) {
    if (given.empty()) return std::vector<double>(static_cast<std::size_t>(actions), 1.0);
    const bool isUsable =
        std::ranges::all_of(given, [](double p) { return std::isfinite(p) && p >= 0.0; }) &&
        std::ranges::any_of(given, [](double p) { return p > 0.0; });
    if (std::ssize(given) != actions || !isUsable)
        throw Error("The exploration policy of " + whose + " must be one weight for each of its " +
                        std::to_string(actions) + " actions, none below 0 and not all 0; got " +
                        std::to_string(given.size()) + ".",
                    Error::Kind::BadInput);
    return given;
}

RobotMoves::RobotMoves(const World& world, const WorldFacts& facts,
                       const RobotExplorationSpec& spec)
    : m_shape(facts.shape) {
    const std::vector<int> order = encodedAgentOrder(world);
    for (const int agent : world.robots()) {
        const std::vector<std::string>& names =
            world.agents()[static_cast<std::size_t>(agent)].actions;
        Robot robot;
        robot.slot = static_cast<int>(std::ranges::find(order, agent) - order.begin());
        robot.forward = indexOf(names, "forward");
        robot.still = std::max(indexOf(names, "still"), indexOf(names, "pass"));
        for (const std::string& name : names) robot.isStep.push_back(isStepName(name));
        robot.weights =
            explorationWeights(spec.weights, static_cast<int>(names.size()), "the robots");
        if (spec.weights.empty() && spec.kind != RobotExplorationSpec::Kind::Policy &&
            robot.forward >= 0) {
            robot.weights.assign(names.size(), kOtherWeight);
            robot.weights[static_cast<std::size_t>(robot.forward)] = kForwardWeight;
            if (robot.still >= 0)
                robot.weights[static_cast<std::size_t>(robot.still)] = kStillWeight;
        }
        m_robots.push_back(std::move(robot));
    }
    for (std::size_t r = m_robots.size(); r-- > 0;) {
        m_robots[r].below = m_numJoint;
        m_numJoint *= static_cast<int>(m_robots[r].weights.size());
        m_allStill += m_robots[r].below * std::max(0, m_robots[r].still);
    }
}

int RobotMoves::actionOf(int jointAction, std::size_t robot) const {
    const Robot& own = m_robots[robot];
    return jointAction / own.below % static_cast<int>(own.weights.size());
}

int RobotMoves::jointOf(const std::vector<int>& actions) const {
    int joint = 0;
    for (std::size_t r = 0; r < m_robots.size(); ++r) joint += actions[r] * m_robots[r].below;
    return joint;
}

int RobotMoves::wayAfter(std::size_t robot, int action) const {
    const Robot& own = m_robots[robot];
    return own.forward >= 0 && action != own.still ? own.forward : action;
}

bool RobotMoves::leadsNowhere(const ModelledRows& rows, std::size_t firstRow, std::size_t robot,
                              int action) const {
    const Robot& own = m_robots[robot];
    if (!own.isStep[static_cast<std::size_t>(action)]) return false;
    const StepModel& model = *rows.model;
    const auto placeIn = [&](std::span<const std::byte> state) {
        const std::int16_t* at = partsOf(m_shape, state).agents.data() +
                                 static_cast<std::size_t>(own.slot) * EncodingShape::kAgentNumbers;
        return std::pair(at[0], at[1]);
    };
    const auto here = placeIn(model.state);
    const int joint = m_allStill + (action - std::max(0, own.still)) * own.below;
    const std::size_t row = firstRow + static_cast<std::size_t>(joint);
    for (std::uint32_t e = model.rowBegin[row]; e < model.rowBegin[row + 1]; ++e)
        if (placeIn(model.successorBytes(model.successor[e])) != here) return false;
    return true;
}

void RobotMoves::weigh(const ModelledRows& rows, std::size_t firstRow, std::size_t robot,
                       std::vector<double>& out) const {
    out = m_robots[robot].weights;
    for (std::size_t a = 0; a < out.size(); ++a)
        if (out[a] > 0 && leadsNowhere(rows, firstRow, robot, static_cast<int>(a))) out[a] = 0;
    if (std::ranges::all_of(out, [](double weight) { return weight == 0; }))
        out = m_robots[robot].weights;
}

void RobotMoves::joint(const std::vector<std::vector<double>>& weights,
                       std::vector<double>& out) const {
    out.assign(static_cast<std::size_t>(m_numJoint), 1.0);
    for (int j = 0; j < m_numJoint; ++j)
        for (std::size_t r = 0; r < m_robots.size(); ++r)
            out[static_cast<std::size_t>(j)] *=
                weights[r][static_cast<std::size_t>(actionOf(j, r))];
}

}  // namespace orrery
