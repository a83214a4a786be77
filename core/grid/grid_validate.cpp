#include <cmath>
#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/grid/grid_layout.h"
#include "core/grid/grid_world.h"

namespace orrery {

namespace {

constexpr std::int64_t kMaxCells = 100'000'000;
constexpr int kMaxGridAgents = 1000;
constexpr std::size_t kMaxGridGoals = 64;

/// Collects problems of one grid spec.
class GridCheck {
public:
    explicit GridCheck(const GridWorldSpec& spec) : m_spec(spec) {}

    std::vector<SpecProblem> run() {
        if (shapeIsGood() && cellsAreGood()) {
            checkWalls();
            checkAgents();
            checkGoals();
        }
        checkNumbers();
        return std::move(m_problems);
    }

private:
    void add(std::string field, std::string text, int row = -1, int column = -1,
             bool isWarning = false) {
        if (m_problems.size() < 20)
            m_problems.push_back({std::move(field), std::move(text), row, column, isWarning});
    }

    bool shapeIsGood() {
        m_height = static_cast<int>(m_spec.map.size());
        if (m_height < 3) {
            add("map", "has " + std::to_string(m_height) + " rows; a world needs at least 3");
            return false;
        }
        const std::size_t length = m_spec.map[0].size();
        for (int y = 0; y < m_height; ++y) {
            if (m_spec.map[y].size() % 2 != 0)
                add("map",
                    "row " + std::to_string(y) + " ends in half a cell; a cell has two characters",
                    y, static_cast<int>(m_spec.map[y].size() / 2));
            else if (m_spec.map[y].size() != length)
                add("map",
                    "row " + std::to_string(y) + " has " +
                        std::to_string(m_spec.map[y].size() / 2) +
                        " cells, but the first row has " + std::to_string(length / 2),
                    y);
        }
        m_width = static_cast<int>(length / 2);
        if (m_width < 3)
            add("map", "has rows of " + std::to_string(m_width) + " cells; 3 is the least", 0);
        if (static_cast<std::int64_t>(m_width) * m_height > kMaxCells)
            add("map", "has more than 100 million cells; use a smaller map");
        return m_problems.empty();
    }

    bool cellsAreGood() {
        for (int y = 0; y < m_height; ++y)
            for (int x = 0; x < m_width; ++x) {
                const std::string_view code =
                    std::string_view(m_spec.map[y]).substr(std::size_t{2} * x, 2);
                CellCode cell;
                if (!decodeCell(code, cell))
                    add("map", "'" + std::string(code) + "' is not a cell code", y, x);
                else
                    count(cell);
            }
        return m_problems.empty();
    }

    void count(const CellCode& cell) {
        switch (cell.kind) {
            case PieceKind::Agent:
                m_agentColors.push_back(cell.color);
                break;
            case PieceKind::Door:
            case PieceKind::Key:
            case PieceKind::Ball:
            case PieceKind::Box:
            case PieceKind::KillButton:
            case PieceKind::PauseSwitch:
            case PieceKind::DisablingSwitch:
            case PieceKind::ControlButton:
                m_hasObjects = true;
                break;
            default:
                break;
        }
    }

    void checkWalls() {
        const auto wall = [&](int x, int y) {
            CellCode cell;
            decodeCell(std::string_view(m_spec.map[y]).substr(std::size_t{2} * x, 2), cell);
            return cell.kind == PieceKind::Wall || cell.kind == PieceKind::KillButton ||
                   cell.kind == PieceKind::PauseSwitch || cell.kind == PieceKind::DisablingSwitch ||
                   cell.kind == PieceKind::ControlButton;
        };
        const auto check = [&](int x, int y) {
            if (!wall(x, y)) add("map", "the border is open here; put a wall (We) all round", y, x);
        };
        for (int x = 0; x < m_width; ++x) {
            check(x, 0);
            check(x, m_height - 1);
        }
        for (int y = 1; y + 1 < m_height; ++y) {
            check(0, y);
            check(m_width - 1, y);
        }
    }

    void checkAgents() {
        const int n = static_cast<int>(m_agentColors.size());
        if (n == 0) add("map", "has no agent; write one as Ay (human) or Ae (robot)");
        if (n > kMaxGridAgents)
            add("map", "has " + std::to_string(n) + " agents; " + std::to_string(kMaxGridAgents) +
                           " is the most");
        if (m_spec.orientations.size() > 1 && static_cast<int>(m_spec.orientations.size()) != n)
            add("orientations", "has " + std::to_string(m_spec.orientations.size()) +
                                    " values for " + std::to_string(n) +
                                    " agents; give one for all or one each");
        for (std::size_t i = 0; i < m_spec.orientations.size(); ++i)
            if (m_spec.orientations[i] < 0 || m_spec.orientations[i] > 3)
                add("orientations", "must be 0 to 3 or e, s, w, n", static_cast<int>(i));
        const auto perAgent = [&](const char* field, std::size_t size) {
            if (static_cast<int>(size) > n)
                add(field,
                    "has " + std::to_string(size) + " values for " + std::to_string(n) + " agents");
        };
        perAgent("action_sets", m_spec.agentActionSets.size());
        perAgent("can_enter_magic_walls", m_spec.canEnterMagicWalls.size());
        const auto indices = [&](const char* field, const std::optional<std::vector<int>>& list) {
            if (!list) return;
            for (std::size_t k = 0; k < list->size(); ++k)
                if ((*list)[k] < 0 || (*list)[k] >= n)
                    add(field,
                        "names agent " + std::to_string((*list)[k]) + ", but there are " +
                            std::to_string(n) + " (from 0)",
                        static_cast<int>(k));
        };
        indices("human_agents", m_spec.humanAgents);
        indices("robot_agents", m_spec.robotAgents);
        if (m_spec.humanAgents && m_spec.robotAgents)
            for (const int human : *m_spec.humanAgents)
                for (const int robot : *m_spec.robotAgents)
                    if (human == robot)
                        add("robot_agents",
                            "agent " + std::to_string(human) + " is listed as human and as robot");
        if (n > 0 && m_problems.empty()) checkProfiles();
    }

    /// Such a world can be looked at.
    void checkProfiles() {
        const std::size_t agents = m_agentColors.size();
        double profiles = 1;
        for (std::size_t i = 0; i < agents; ++i) {
            ActionSet set =
                m_spec.actionSet.value_or(m_hasObjects ? ActionSet::Object : ActionSet::Small);
            if (i < m_spec.agentActionSets.size() && m_spec.agentActionSets[i])
                set = *m_spec.agentActionSets[i];
            profiles *= static_cast<double>(actionsOf(set).size());
        }
        if (agents > kMaxPlannedAgents || profiles > kMaxPlannedProfiles)
            add("map",
                "has " + std::to_string(agents) + " agents with " + formatDouble(profiles) +
                    " joint actions: too many for a solve, which takes " +
                    std::to_string(kMaxPlannedAgents) + " agents and " +
                    std::to_string(kMaxPlannedProfiles) + " joint actions at most",
                -1, -1, true);
    }

    void checkGoalList(const std::string& field, const std::vector<Goal>& goals,
                       const std::vector<double>& weights) {
        if (goals.size() > kMaxGridGoals) {
            add(field, "has " + std::to_string(goals.size()) + " goals; 64 a human is the most");
            return;
        }
        for (std::size_t g = 0; g < goals.size(); ++g) {
            const Goal& goal = goals[g];
            if (goal.x1 < 0 || goal.y1 < 0 || goal.x2 >= m_width || goal.y2 >= m_height ||
                goal.x1 > goal.x2 || goal.y1 > goal.y2)
                add(field,
                    "goal " + goalText(goal) + " lies outside the map of " +
                        std::to_string(m_width) + " x " + std::to_string(m_height) + " cells",
                    static_cast<int>(g));
        }
        if (!weights.empty() && weights.size() != goals.size())
            add("goal_weights", "has " + std::to_string(weights.size()) + " values for " +
                                    std::to_string(goals.size()) + " goals");
        double sum = 0;
        for (std::size_t g = 0; g < weights.size(); ++g) {
            sum += weights[g];
            if (!std::isfinite(weights[g]) || weights[g] <= 0)
                add("goal_weights", "must be above 0", static_cast<int>(g));
            else if (weights[g] < 1e-300 || weights[g] > 1e300)
                add("goal_weights", "must be from 1e-300 to 1e300", static_cast<int>(g));
        }
        if (!weights.empty() && std::abs(sum - 1.0) > 1e-9)
            add("goal_weights", "sum to " + std::to_string(sum) + ", not 1; they are used as given",
                -1, -1, true);
    }

    void checkGoals() {
        const int n = static_cast<int>(m_agentColors.size());
        checkGoalList("possible_goals", m_spec.possibleGoals, m_spec.goalWeights);
        std::vector<std::uint8_t> covered(static_cast<std::size_t>(m_width) * m_height, 0);
        bool anyList = !m_spec.possibleGoals.empty();
        const auto cover = [&](const std::vector<Goal>& goals) {
            if (goals.size() > kMaxGridGoals) return;  // refused, and far more would take long
            for (const Goal& goal : goals)
                for (int y = std::max(0, goal.y1); y <= std::min(m_height - 1, goal.y2); ++y)
                    for (int x = std::max(0, goal.x1); x <= std::min(m_width - 1, goal.x2); ++x)
                        covered[static_cast<std::size_t>(y) * m_width + x] = 1;
        };
        cover(m_spec.possibleGoals);
        for (const HumanGoals& own : m_spec.ownGoals) {
            if (own.agent < 0 || own.agent >= n)
                add("human_goals", "names agent " + std::to_string(own.agent) + ", but there are " +
                                       std::to_string(n) + " (from 0)");
            else if (!isHuman(own.agent))
                add("human_goals", "agent " + std::to_string(own.agent) + " is not a human");
            checkGoalList("human_goals", own.goals, own.weights);
            cover(own.goals);
            anyList = anyList || !own.goals.empty();
        }
        if (anyList) checkCoverage(covered);
    }

    bool isHuman(int agent) const {
        if (!m_spec.humanAgents) return m_agentColors[agent] == Color::Yellow;
        for (const int human : *m_spec.humanAgents)
            if (human == agent) return true;
        return false;
    }

    void checkCoverage(const std::vector<std::uint8_t>& covered) {
        int missing = 0;
        std::string first;
        for (int cell = 0; cell < m_width * m_height; ++cell) {
            CellCode code;
            decodeCell(std::string_view(m_spec.map[cell / m_width])
                           .substr(std::size_t{2} * (cell % m_width), 2),
                       code);
            switch (code.kind) {
                case PieceKind::Wall:
                case PieceKind::Lava:
                case PieceKind::MagicWall:
                case PieceKind::Bush:
                case PieceKind::KillButton:
                case PieceKind::PauseSwitch:
                case PieceKind::DisablingSwitch:
                case PieceKind::ControlButton:
                    continue;
                default:
                    break;
            }
            if (covered[cell]) continue;
            if (missing++ == 0)
                first = std::to_string(cell % m_width) + "," + std::to_string(cell / m_width);
        }
        if (missing > 0)
            add("possible_goals",
                "no goal covers " + std::to_string(missing) +
                    " of the cells that can be entered (" + first + " is the first)",
                -1, -1, true);
    }

    void checkNumbers() {
        const auto probability = [&](const char* field, double value) {
            if (!(value >= 0.0 && value <= 1.0)) add(field, "must be a probability from 0 to 1");
        };
        probability("stumble_probability", m_spec.stumbleProbability);
        probability("magic_entry_probability", m_spec.magicEntryProbability);
        probability("solidify_probability", m_spec.solidifyProbability);
        probability("enter_bush_success_prob", m_spec.enterBushSuccessProbability);
        if (m_spec.maxSteps < 0 || m_spec.maxSteps > 1'000'000)
            add("max_steps", "must be from 0 to 1000000");
        if (!(m_spec.durationPerNonzeroAction >= 0.0 && m_spec.durationPerNonzeroAction <= 1e6))
            add("duration_per_nonzero_action", "must be from 0 to 1000000");
        for (const char letter : m_spec.canPushRocks) {
            Color color = Color::Grey;
            if (!colorOfLetter(letter, color))
                add("can_push_rocks",
                    std::string("'") + letter + "' is not a colour letter; they are r g b p y e");
        }
    }

    const GridWorldSpec& m_spec;
    std::vector<SpecProblem> m_problems;
    int m_width = 0, m_height = 0;
    std::vector<Color> m_agentColors;
    bool m_hasObjects = false;  ///< things that need ObjectActions
};

}  // namespace

std::vector<SpecProblem> validateGrid(const GridWorldSpec& spec) {
    return GridCheck(spec).run();
}

}  // namespace orrery
