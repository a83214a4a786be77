#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/text.h"
#include "core/bush/bush_layout.h"
#include "core/bush/bush_world.h"

namespace orrery {

namespace {

constexpr int kMaxSide = 1000;
constexpr int kMaxBushAgents = 8;  // 5^8 joint actions
constexpr int kMaxSteps = 1'000'000;
constexpr int kMaxCapacity = 1'000'000;
constexpr int kMaxBushGoals = 64;

/// Collects the problems of one spec.
class BushChecker {
public:
    explicit BushChecker(const BushWorldSpec& spec) : m_spec(spec) {}

    std::vector<SpecProblem> check() {
        checkNumbers();
        if (checkShape()) {
            checkCells();
            checkAgents();
            checkGoalLists();
        }
        return std::move(m_problems);
    }

private:
    void add(std::string field, std::string text, int row = -1, int column = -1) {
        m_problems.push_back({std::move(field), std::move(text), row, column, false});
    }
    void warn(std::string field, std::string text) {
        m_problems.push_back({std::move(field), std::move(text), -1, -1, true});
    }

    void checkRange(const char* field, int value, int low, int high) {
        if (value < low || value > high)
            add(field, "must be in " + std::to_string(low) + " to " + std::to_string(high) +
                           ", got " + std::to_string(value));
    }

    void checkNumbers() {
        checkRange("B", m_spec.capacity, 1, kMaxCapacity);
        checkRange("max_steps", m_spec.maxSteps, 0, kMaxSteps);
        checkRange("fill_density", m_spec.fillDensity, 0, std::max(1, m_spec.capacity));
    }

    bool checkShape() {
        if (m_spec.map.empty() || m_spec.map.front().empty()) {
            add("map", "has no cells; give rows of Ro, Hu and densities");
            return false;
        }
        m_width = static_cast<int>(std::min<std::size_t>(m_spec.map.front().size(), kMaxSide + 1));
        m_height = static_cast<int>(std::min<std::size_t>(m_spec.map.size(), kMaxSide + 1));
        if (m_width > kMaxSide || m_height > kMaxSide) {
            add("map", "is larger than " + std::to_string(kMaxSide) + " cells a side");
            return false;
        }
        bool ok = true;
        for (int y = 0; y < m_height; ++y) {
            if (std::ssize(m_spec.map[y]) == m_width) continue;
            add("map",
                "this row has " + std::to_string(m_spec.map[y].size()) + " cells, the first has " +
                    std::to_string(m_width),
                y);
            ok = false;
        }
        return ok;
    }

    void checkCells() {
        for (int y = 0; y < m_height; ++y) {
            for (int x = 0; x < m_width; ++x) {
                const std::string& text = m_spec.map[y][x];
                if (text == "Ro" || text == "Hu") {
                    ++(text == "Hu" ? m_humans : m_robots);
                    continue;
                }
                const auto density = parseInt(text);
                if (!density)
                    add("map",
                        "unknown cell \"" + escaped(text, 20) + "\"; write Ro, Hu or a density", y,
                        x);
                else if (*density < 0 || *density > m_spec.capacity)
                    add("map",
                        "density " + std::to_string(*density) +
                            " is not in 0 to B = " + std::to_string(m_spec.capacity),
                        y, x);
            }
        }
    }

    void checkAgents() {
        const int agents = m_humans + m_robots;
        if (agents == 0)
            add("map", "has no agent; mark cells with Ro and Hu");
        else if (m_humans == 0)
            warn("map", "has no human (Hu), so there is nothing to plan for");
        else if (m_robots == 0)
            warn("map", "has no robot (Ro), so nobody can help");
        if (agents > kMaxBushAgents)
            add("map", "has " + std::to_string(agents) + " agents; at most " +
                           std::to_string(kMaxBushAgents) + " can be planned for exactly");
    }

    void checkGoalLists() {
        const std::size_t common = m_spec.possibleGoals.empty()
                                       ? std::size_t(m_width) * std::size_t(m_height)
                                       : m_spec.possibleGoals.size();
        std::set<int> own;
        for (int i = 0; i < static_cast<int>(m_spec.ownGoals.size()); ++i) {
            const HumanGoals& goals = m_spec.ownGoals[i];
            const bool isHuman = goals.agent >= m_robots && goals.agent < m_robots + m_humans;
            if (!isHuman)
                add("human_goals", "agent " + std::to_string(goals.agent) + " is not a human", i);
            else if (!own.insert(goals.agent).second)
                add("human_goals", "agent " + std::to_string(goals.agent) + " has two lists", i);
            if (goals.goals.empty()) add("human_goals", "the list is empty", i);
            checkGoals("human_goals", goals.goals, i);
            checkWeights("human_goals", goals.weights, goals.goals.size(), i);
        }
        const bool usesCommon = std::ssize(own) < m_humans;
        if (m_spec.possibleGoals.empty() && usesCommon && common > kMaxBushGoals)
            add("possible_goals", "every single cell would be " + std::to_string(common) +
                                      " goals, and a human can have " +
                                      std::to_string(kMaxBushGoals) + "; list the goals you mean");
        checkGoals("possible_goals", m_spec.possibleGoals, -1);
        checkWeights("goal_weights", m_spec.goalWeights, common, -1);
        if (!m_spec.possibleGoals.empty() && usesCommon) checkCover();
    }

    void checkGoals(const char* field, const std::vector<Goal>& goals, int element) {
        if (goals.size() > kMaxBushGoals)
            add(field,
                "has " + std::to_string(goals.size()) + " goals; a human can have " +
                    std::to_string(kMaxBushGoals),
                element);
        for (int g = 0; g < static_cast<int>(goals.size()); ++g) {
            const Goal& goal = goals[g];
            const int row = element < 0 ? g : element;
            if (goal.x1 > goal.x2 || goal.y1 > goal.y2)
                add(field, "goal " + goalText(goal) + " has its corners in the wrong order", row);
            else if (goal.x1 < 0 || goal.y1 < 0 || goal.x2 >= m_width || goal.y2 >= m_height)
                add(field,
                    "goal " + goalText(goal) + " is not inside the field of " +
                        std::to_string(m_width) + " x " + std::to_string(m_height),
                    row);
        }
    }

    void checkWeights(const char* field, const std::vector<double>& weights, std::size_t goals,
                      int element) {
        if (weights.empty()) return;
        if (weights.size() != goals)
            add(field,
                "has " + std::to_string(weights.size()) + " weights for " + std::to_string(goals) +
                    " goals",
                element);
        double sum = 0;
        bool valid = true;
        for (int g = 0; g < static_cast<int>(weights.size()); ++g) {
            sum += weights[g];
            if (std::isfinite(weights[g]) && weights[g] > 0) continue;
            valid = false;
            add(field, "weight " + formatDouble(weights[g]) + " must be positive and finite",
                element < 0 ? g : element);
        }
        if (valid && std::abs(sum - 1) > 1e-9)
            warn(field,
                 "the weights sum to " + formatDouble(sum) + ", not 1; they are used as given");
    }

    void checkCover() {
        int missing = 0;
        std::string first;
        for (int y = 0; y < m_height; ++y)
            for (int x = 0; x < m_width; ++x)
                if (std::ranges::none_of(m_spec.possibleGoals,
                                         [x, y](const Goal& g) { return g.contains(x, y); }) &&
                    missing++ == 0)
                    first = std::to_string(x) + "," + std::to_string(y);
        if (missing > 0)
            warn("possible_goals",
                 "the goals do not cover " + first +
                     (missing > 1 ? " and " + std::to_string(missing - 1) + " other cells"
                                  : std::string()));
    }

    const BushWorldSpec& m_spec;
    int m_width = 0, m_height = 0;
    int m_robots = 0, m_humans = 0;  ///< robots have the lowest indices
    std::vector<SpecProblem> m_problems;
};

}  // namespace

std::vector<SpecProblem> validateBush(const BushWorldSpec& spec) {
    return BushChecker(spec).check();
}

}  // namespace orrery
