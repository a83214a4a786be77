#include "core/collect/walk_distances.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <utility>

namespace orrery {

namespace {

constexpr int kNumDirections = 4;
constexpr std::array<int, kNumDirections> kStepX{1, 0, -1, 0};
constexpr std::array<int, kNumDirections> kStepY{0, 1, 0, -1};

/// Distances kept at once; forgotten all together, which changes none.
constexpr std::size_t kMostKeptBytes = 16U << 20U;

/// Of more locked doors and wanted keys no order is sought: such keys are met by chance.
constexpr std::ptrdiff_t kMostPlanned = 6;

std::size_t cellAt(const World& world, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(world.width()) +
           static_cast<std::size_t>(x);
}

}  // namespace

/// Dijkstra backwards from one goal and from what other situations make of it: one search gives the
/// distances from everywhere, which are kept, while the human walks about.
class WalkDistances::Search {
public:
    Search(const WalkDistances& walk, std::size_t goal, const std::vector<float>& stepsToRemove)
        : m_walk(walk),
          m_goal(goal),
          m_stepsToRemove(stepsToRemove),
          m_distance(walk.m_isWall.size() * static_cast<std::size_t>(walk.m_directions),
                     walk.m_far) {
        const int width = walk.m_world->width();
        for (int cell = 0; cell < static_cast<int>(walk.m_isWall.size()); ++cell)
            for (int d = 0; d < walk.m_directions && isGoal(cell % width, cell / width); ++d)
                reach(cell % width, cell / width, d, 0.0F);
    }

    void start(const WayOn& way) {
        const int width = m_walk.m_world->width();
        for (const int pose : way.poses) {
            const int cell = pose / m_walk.m_directions;
            const float after =
                (*way.after)[static_cast<std::size_t>(pose) * m_walk.numGoals() + m_goal];
            reach(cell % width, cell / width, pose % m_walk.m_directions, after + 1.0F);
        }
    }

    const std::vector<float>& run() {
        while (!m_open.empty()) {
            const auto [distance, pose] = m_open.top();
            m_open.pop();
            if (distance == m_distance[static_cast<std::size_t>(pose)]) lookBack(pose, distance);
        }
        return m_distance;
    }

private:
    using Entry = std::pair<float, int>;  ///< distance, pose

    bool isGoal(int x, int y) const { return m_walk.m_goals[m_goal].contains(x, y); }

    void reach(int x, int y, int direction, float distance) {
        const World& world = *m_walk.m_world;
        if (x < 0 || y < 0 || x >= world.width() || y >= world.height()) return;
        const std::size_t cell = cellAt(world, x, y);
        if (m_walk.m_isWall[cell] || (m_walk.m_isBlocked[cell] && !isGoal(x, y))) return;
        const int pose = static_cast<int>(cell) * m_walk.m_directions + direction;
        if (distance >= m_distance[static_cast<std::size_t>(pose)]) return;
        m_distance[static_cast<std::size_t>(pose)] = distance;
        m_open.emplace(distance, pose);
    }

    void lookBack(int pose, float distance) {
        const int width = m_walk.m_world->width();
        const int cell = pose / m_walk.m_directions, x = cell % width, y = cell / width;
        // Whoever enters this cell pays for what lies in it, wherever it comes from.
        const float entered = distance + 1.0F + m_stepsToRemove[static_cast<std::size_t>(cell)];
        if (m_walk.m_directions == 1) {
            for (int d = 0; d < kNumDirections; ++d)
                reach(x - kStepX[d], y - kStepY[d], 0, entered);
            return;
        }
        // A step arrives with the direction it had; a turn to the left, with one less.
        const int d = pose % kNumDirections;
        reach(x - kStepX[d], y - kStepY[d], d, entered);
        if (m_walk.m_turnsLeft) reach(x, y, (d + 1) % kNumDirections, distance + 1.0F);
        if (m_walk.m_turnsRight) reach(x, y, (d + 3) % kNumDirections, distance + 1.0F);
    }

    const WalkDistances& m_walk;
    std::size_t m_goal;
    const std::vector<float>& m_stepsToRemove;  ///< [cells]
    std::vector<float> m_distance;              ///< [poses]
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_open;
};

WalkDistances::WalkDistances(std::shared_ptr<const World> world, const HumanGoals& goals)
    : m_world(std::move(world)),
      m_agent(goals.agent),
      m_goals(goals.goals),
      m_turnsLeft(canDo("left")),
      m_turnsRight(canDo("right")),
      m_picksUp(canDo("pickup")),
      m_drops(canDo("drop")),
      m_toggles(canDo("toggle")) {
    readFace();
    readMap();
}

bool WalkDistances::canDo(const char* action) const {
    return std::ranges::count(m_world->agents()[m_agent].actions, action) > 0;
}

void WalkDistances::readFace() {
    const auto variables = m_world->variables();
    const std::string name = m_world->agents()[m_agent].name + ".direction";
    const auto at = std::ranges::find(variables, name, &Variable::name);
    m_variables.resize(variables.size());
    if (at == variables.end()) return;
    m_directionVariable = static_cast<int>(at - variables.begin());
    m_directions = kNumDirections;
}

/// What stands fast, and how far that leaves things at most.
void WalkDistances::readMap() {
    const std::size_t cells =
        static_cast<std::size_t>(m_world->width()) * static_cast<std::size_t>(m_world->height());
    m_isWall.assign(cells, false);
    m_isBlocked.assign(cells, false);
    for (const Piece& piece : m_world->scene(m_world->initialConfiguration())) {
        const std::size_t cell = cellAt(*m_world, piece.x, piece.y);
        switch (piece.kind) {
            case PieceKind::Wall:
                m_isWall[cell] = true;
                break;
            case PieceKind::Lava:
            case PieceKind::MagicWall:
            case PieceKind::KillButton:
            case PieceKind::PauseSwitch:
            case PieceKind::DisablingSwitch:
            case PieceKind::ControlButton:
                m_isBlocked[cell] = true;
                break;
            default:
                break;
        }
    }
    const std::size_t obstacles = m_world->mostObstacles(m_agent);
    m_isFixed = obstacles == 0;
    // No way around takes as many steps, as it visits no pose twice; and as much for each obstacle.
    m_waiting = static_cast<float>(cells) * static_cast<float>(m_directions);
    m_far = m_waiting * static_cast<float>(1 + obstacles);
}

bool WalkDistances::isLocked(const Obstacle& obstacle) {
    return obstacle.kind == PieceKind::Door && obstacle.door == DoorState::Locked;
}

bool WalkDistances::holdsKey(const Situation& situation, Color color) {
    return situation.hands == Carried::Key && situation.handsColor == color;
}

float WalkDistances::stepsToRemove(const Situation& situation, const Obstacle& obstacle) const {
    if (obstacle.kind == PieceKind::Door) {
        const bool yields =
            obstacle.door == DoorState::Closed || holdsKey(situation, obstacle.color);
        return m_toggles && yields ? 1.0F : m_waiting;
    }
    if (obstacle.kind == PieceKind::Box && m_toggles) return 1.0F;
    if (!canTake(obstacle) || situation.hands != Carried::Nothing) return m_waiting;
    // Where there are others, it is dropped again for them.
    const auto things = std::ranges::count_if(
        situation.obstacles, [&](const Obstacle& other) { return canTake(other); });
    return things == 1 ? 1.0F : 2.0F;
}

bool WalkDistances::canTake(const Obstacle& obstacle) const {
    return m_picksUp && obstacle.kind != PieceKind::Door && obstacle.kind != PieceKind::Rock;
}

std::vector<float> WalkDistances::stepsToRemove(const Situation& situation) const {
    std::vector<float> steps(m_isWall.size());
    for (const Obstacle& obstacle : situation.obstacles)
        steps[static_cast<std::size_t>(obstacle.cell)] += stepsToRemove(situation, obstacle);
    return steps;
}

/// A key for a locked door that the one in hand does not open.
bool WalkDistances::isWanted(const Situation& situation, const Obstacle& key) const {
    return key.kind == PieceKind::Key && !holdsKey(situation, key.color) &&
           std::ranges::any_of(situation.obstacles, [&](const Obstacle& other) {
               return isLocked(other) && other.color == key.color;
           });
}

std::vector<int> WalkDistances::posesFacing(int cell) const {
    const int x = cell % m_world->width(), y = cell / m_world->width();
    std::vector<int> poses;
    for (int d = 0; d < kNumDirections; ++d) {
        const int fromX = x - kStepX[d], fromY = y - kStepY[d];
        if (fromX >= 0 && fromY >= 0 && fromX < m_world->width() && fromY < m_world->height())
            poses.push_back((fromY * m_world->width() + fromX) * kNumDirections + d);
    }
    return poses;
}

/// Where something can be dropped.
std::vector<int> WalkDistances::posesFacingFloor(const Situation& situation) const {
    const std::vector<float> steps = stepsToRemove(situation);
    std::vector<int> poses;
    for (std::size_t cell = 0; cell < steps.size(); ++cell)
        if (!m_isWall[cell] && !m_isBlocked[cell] && steps[cell] == 0.0F)
            std::ranges::copy(posesFacing(static_cast<int>(cell)), std::back_inserter(poses));
    return poses;
}

/// The acts that change what lies where and are worth it. What is dropped is never wanted again.
std::vector<WalkDistances::WayOn> WalkDistances::waysOn(const Situation& situation) {
    const std::vector<Obstacle>& obstacles = situation.obstacles;
    std::vector<WayOn> ways;
    if (m_directions == 1 || obstacles.empty()) return ways;
    if (isPlanned(situation))
        for (std::size_t i = 0; i < obstacles.size(); ++i)
            if (auto after = withoutObstacle(situation, i))
                ways.push_back({posesFacing(obstacles[i].cell), &fieldOf(*after)});
    const bool wantsHands =
        situation.hands != Carried::Nothing &&
        std::ranges::any_of(obstacles, [&](const Obstacle& other) { return canTake(other); });
    if (wantsHands && m_drops)
        ways.push_back({posesFacingFloor(situation), &fieldOf({.obstacles = obstacles})});
    return ways;
}

/// Whether keys are wanted, and few enough to seek their order.
bool WalkDistances::isPlanned(const Situation& situation) const {
    const auto wanted = std::ranges::count_if(situation.obstacles, [&](const Obstacle& obstacle) {
        return canTake(obstacle) && isWanted(situation, obstacle);
    });
    const auto locked = std::ranges::count_if(situation.obstacles, isLocked);
    return m_toggles && wanted > 0 && wanted + locked <= kMostPlanned;
}

/// After picking up a wanted key or unlocking a door; nothing if it is neither.
std::optional<Situation> WalkDistances::withoutObstacle(const Situation& situation,
                                                        std::size_t index) const {
    const Obstacle& obstacle = situation.obstacles[index];
    const bool takes = situation.hands == Carried::Nothing && isWanted(situation, obstacle);
    if (!takes && !(isLocked(obstacle) && holdsKey(situation, obstacle.color))) return std::nullopt;
    Situation after = situation;
    after.obstacles.erase(after.obstacles.begin() + static_cast<std::ptrdiff_t>(index));
    if (takes) {
        after.hands = Carried::Key;
        after.handsColor = obstacle.color;
    }
    return after;
}

const WalkDistances::Field& WalkDistances::fieldOf(const Situation& situation) {
    if (const auto known = m_fields.find(situation); known != m_fields.end()) return known->second;
    // This first makes the fields of the situations that follow, which ends, as each has an
    // obstacle less or free hands. They lie in a map because the ways point to them while it grows.
    const std::vector<WayOn> ways = waysOn(situation);
    const std::vector<float> steps = stepsToRemove(situation);
    Field field(steps.size() * static_cast<std::size_t>(m_directions) * numGoals());
    for (std::size_t g = 0; g < numGoals(); ++g) {
        Search search(*this, g, steps);
        for (const WayOn& way : ways) search.start(way);
        const std::vector<float>& distance = search.run();
        for (std::size_t pose = 0; pose < distance.size(); ++pose)
            field[pose * numGoals() + g] = distance[pose];
    }
    return m_fields.emplace(situation, std::move(field)).first->second;
}

std::size_t WalkDistances::poseOf(std::span<const std::uint64_t> configuration) {
    const auto cell = static_cast<std::size_t>(m_world->cellOf(configuration, m_agent));
    if (m_directionVariable < 0) return cell;
    m_world->valuate(configuration, m_variables);
    return cell * kNumDirections +
           static_cast<std::size_t>(m_variables[static_cast<std::size_t>(m_directionVariable)]);
}

std::span<const float> WalkDistances::at(std::span<const std::uint64_t> configuration) {
    const std::size_t fieldBytes =
        m_isWall.size() * static_cast<std::size_t>(m_directions) * numGoals() * sizeof(float);
    // Here only, as nothing points into the fields now.
    if (m_fields.size() * fieldBytes > kMostKeptBytes) m_fields.clear();
    const Field& field =
        fieldOf(m_isFixed ? Situation{} : m_world->situationOf(configuration, m_agent));
    return std::span(field).subspan(poseOf(configuration) * numGoals(), numGoals());
}

}  // namespace orrery
