#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/collect/human_prior.h"

namespace orrery {

namespace {

constexpr int kNumDirections = 4;
constexpr int kStepX[kNumDirections] = {1, 0, -1, 0};
constexpr int kStepY[kNumDirections] = {0, 1, 0, -1};

/// How an agent moves: by turning and going forward, or to any neighbour.
struct Gait {
    int agent = 0;
    int directionVariable = -1;  ///< among World::variables(); -1: it faces nowhere
    bool turnsLeft = false, turnsRight = false;

    int numDirections() const { return directionVariable < 0 ? 1 : kNumDirections; }
};

int indexOf(const std::vector<std::string>& names, const std::string& name) {
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

int stillAction(const AgentInfo& agent) {
    for (const char* name : {"still", "pass", "done"})
        if (const int action = indexOf(agent.actions, name); action >= 0) return action;
    return 0;
}

Gait gaitOf(const World& world, int agent) {
    const AgentInfo& info = world.agents()[agent];
    Gait gait{.agent = agent,
              .turnsLeft = indexOf(info.actions, "left") >= 0,
              .turnsRight = indexOf(info.actions, "right") >= 0};
    const auto variables = world.variables();
    const auto at = std::ranges::find(variables, info.name + ".direction", &Variable::name);
    if (at != variables.end()) gait.directionVariable = static_cast<int>(at - variables.begin());
    return gait;
}

/// Cells that no walk leads through, by what lies there at first.
struct Obstacles {
    std::vector<bool> isWall;     ///< [cells] never entered
    std::vector<bool> isBlocked;  ///< [cells] entered only where it is the goal
};

Obstacles obstaclesOf(const World& world) {
    const auto width = static_cast<std::size_t>(world.width());
    const std::size_t cells = width * static_cast<std::size_t>(world.height());
    Obstacles obstacles{std::vector<bool>(cells), std::vector<bool>(cells)};
    for (const Piece& piece : world.scene(world.initialConfiguration())) {
        const std::size_t cell =
            static_cast<std::size_t>(piece.y) * width + static_cast<std::size_t>(piece.x);
        switch (piece.kind) {
            case PieceKind::Wall:
                obstacles.isWall[cell] = true;
                break;
            case PieceKind::Lava:
            case PieceKind::MagicWall:
            case PieceKind::KillButton:
            case PieceKind::PauseSwitch:
            case PieceKind::DisablingSwitch:
            case PieceKind::ControlButton:
                obstacles.isBlocked[cell] = true;
                break;
            default:
                break;
        }
    }
    return obstacles;
}

/// Fewest own steps from each pose (cell, direction) to a goal, by a search backwards from it.
class DistanceField {
public:
    DistanceField(const World& world, const Obstacles& obstacles, const Gait& gait,
                  const Goal& goal)
        : m_world(world), m_obstacles(obstacles), m_gait(gait), m_goal(goal) {
        const int poses = world.width() * world.height() * gait.numDirections();
        m_distance.assign(static_cast<std::size_t>(poses), static_cast<float>(poses));
        m_isKnown.assign(m_distance.size(), false);
        for (int y = 0; y < world.height(); ++y)
            for (int x = 0; x < world.width(); ++x)
                for (int d = 0; d < gait.numDirections() && goal.contains(x, y); ++d)
                    reach(x, y, d, 0.0F);
        for (std::size_t i = 0; i < m_queue.size(); ++i) lookBack(m_queue[i]);
        m_queue = {};
    }

    std::vector<float> take() { return std::move(m_distance); }

private:
    struct Pose {
        int x, y, direction;
    };

    bool isFree(int x, int y) const {
        if (x < 0 || y < 0 || x >= m_world.width() || y >= m_world.height()) return false;
        const std::size_t cell = cellOf(x, y);
        return !m_obstacles.isWall[cell] && (!m_obstacles.isBlocked[cell] || m_goal.contains(x, y));
    }

    std::size_t cellOf(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_world.width()) +
               static_cast<std::size_t>(x);
    }
    std::size_t indexOfPose(int x, int y, int direction) const {
        return cellOf(x, y) * static_cast<std::size_t>(m_gait.numDirections()) +
               static_cast<std::size_t>(direction);
    }

    void reach(int x, int y, int direction, float distance) {
        const std::size_t pose = indexOfPose(x, y, direction);
        if (!isFree(x, y) || m_isKnown[pose]) return;
        m_isKnown[pose] = true;
        m_distance[pose] = distance;
        m_queue.push_back({x, y, direction});
    }

    void lookBack(Pose pose) {
        const float further = m_distance[indexOfPose(pose.x, pose.y, pose.direction)] + 1.0F;
        if (m_gait.numDirections() == 1) {
            for (int d = 0; d < kNumDirections; ++d)
                reachInside(pose.x - kStepX[d], pose.y - kStepY[d], 0, further);
            return;
        }
        const int d = pose.direction;
        reachInside(pose.x - kStepX[d], pose.y - kStepY[d], d, further);
        if (m_gait.turnsLeft) reach(pose.x, pose.y, (d + 1) % kNumDirections, further);
        if (m_gait.turnsRight) reach(pose.x, pose.y, (d + 3) % kNumDirections, further);
    }

    void reachInside(int x, int y, int direction, float distance) {
        if (isFree(x, y)) reach(x, y, direction, distance);
    }

    const World& m_world;
    const Obstacles& m_obstacles;
    const Gait& m_gait;
    const Goal& m_goal;
    std::vector<float> m_distance;  ///< [poses]
    std::vector<bool> m_isKnown;    ///< [poses]
    std::vector<Pose> m_queue;
};

/// Writes softmax(beta * -distance) of one goal's actions.
void softmaxOfNearness(std::span<const double> distance, double beta, std::span<float> out) {
    const double best = std::ranges::min(distance);
    double sum = 0;
    for (std::size_t a = 0; a < distance.size(); ++a) {
        // Means over outcomes are rounded: what is this near is a tie.
        const double behind = distance[a] - best < 1e-9 ? 0.0 : distance[a] - best;
        const double weight = behind == 0.0 ? 1.0 : std::exp(-beta * behind);
        out[a] = static_cast<float>(weight);
        sum += weight;
    }
    for (float& probability : out) probability = static_cast<float>(probability / sum);
}

class ShortestPathPolicy final : public GoalPolicy {
public:
    ShortestPathPolicy(std::shared_ptr<const World> world, double beta_h)
        : m_world(std::move(world)), m_beta_h(beta_h) {
        const Obstacles obstacles = obstaclesOf(*m_world);
        for (const HumanGoals& list : m_world->goals()) {
            Walker walker;
            walker.gait = gaitOf(*m_world, list.agent);
            for (const Goal& goal : list.goals)
                walker.distance.push_back(
                    DistanceField(*m_world, obstacles, walker.gait, goal).take());
            m_walkers.push_back(std::move(walker));
        }
        for (const AgentInfo& agent : m_world->agents()) m_still.push_back(stillAction(agent));
        m_variables.resize(m_world->variables().size());
    }

    void fill(std::span<const std::uint64_t> configuration, int step,
              std::span<float> out) override {
        std::size_t at = 0;
        for (const Walker& walker : m_walkers) {
            const auto actions = static_cast<std::size_t>(m_world->numActions(walker.gait.agent));
            const std::size_t goals = walker.distance.size();
            m_expected.assign(goals * actions, 0.0);
            for (std::size_t a = 0; a < actions; ++a) addOutcomes(walker, configuration, step, a);
            for (std::size_t g = 0; g < goals; ++g, at += actions)
                softmaxOfNearness(std::span(m_expected).subspan(g * actions, actions), m_beta_h,
                                  out.subspan(at, actions));
        }
    }

private:
    struct Walker {
        Gait gait;
        std::vector<std::vector<float>> distance;  ///< [G][poses]
    };

    void addOutcomes(const Walker& walker, std::span<const std::uint64_t> configuration, int step,
                     std::size_t action) {
        const auto agent = static_cast<std::size_t>(walker.gait.agent);
        const auto actions = static_cast<std::size_t>(m_world->numActions(walker.gait.agent));
        std::vector<int> profile = m_still;
        profile[agent] = static_cast<int>(action);
        for (const Outcome& outcome :
             m_world->outcomes(configuration, step, m_world->profileIndex(profile))) {
            const std::size_t pose = poseOf(walker.gait, outcome.successor);
            for (std::size_t g = 0; g < walker.distance.size(); ++g)
                m_expected[g * actions + action] +=
                    outcome.probability * static_cast<double>(walker.distance[g][pose]);
        }
    }

    std::size_t poseOf(const Gait& gait, std::span<const std::uint64_t> configuration) {
        const auto cell = static_cast<std::size_t>(m_world->cellOf(configuration, gait.agent));
        if (gait.directionVariable < 0) return cell;
        m_world->valuate(configuration, m_variables);
        return cell * kNumDirections +
               static_cast<std::size_t>(
                   m_variables[static_cast<std::size_t>(gait.directionVariable)]);
    }

    std::shared_ptr<const World> m_world;
    double m_beta_h;
    std::vector<Walker> m_walkers;   ///< [H]
    std::vector<int> m_still;        ///< [agents]
    std::vector<int> m_variables;    ///< scratch
    std::vector<double> m_expected;  ///< scratch [G x A_h]
};

}  // namespace

std::unique_ptr<GoalPolicy> makeShortestPathPolicy(std::shared_ptr<const World> world,
                                                   double beta_h) {
    return std::make_unique<ShortestPathPolicy>(std::move(world), beta_h);
}

}  // namespace orrery
