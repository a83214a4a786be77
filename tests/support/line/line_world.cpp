#include "tests/support/line/line_world.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/text.h"

namespace orrery::test {

namespace {

constexpr std::size_t kMostCells = 255;
constexpr std::size_t kMostAgents = 8;

class LineExpander final : public Expander {
public:
    explicit LineExpander(const LineWorld& world) : m_world(world) {}

    bool expand(std::span<const std::uint64_t> configuration, int step, Expansion& out) override {
        out.count.clear();
        out.probability.clear();
        out.key.clear();
        out.deterministic = true;
        for (ActionProfileIndex profile = 0; profile < m_world.numProfiles(); ++profile) {
            if (out.isEnough(profile)) return false;
            const std::vector<Outcome> outcomes = m_world.outcomes(configuration, step, profile);
            out.count.push_back(static_cast<std::uint16_t>(outcomes.size()));
            out.deterministic = out.deterministic && outcomes.size() == 1;
            for (const Outcome& outcome : outcomes) {
                out.probability.push_back(outcome.probability);
                out.key.insert(out.key.end(), outcome.successor.begin(), outcome.successor.end());
            }
        }
        return true;
    }

private:
    const LineWorld& m_world;
};

}  // namespace

std::vector<SpecProblem> validateLine(const LineSpec& spec) {
    std::vector<SpecProblem> problems;
    std::size_t agents = 0;
    for (std::size_t i = 0; i < spec.cells.size(); ++i) {
        const std::string& cell = spec.cells[i];
        agents += cell == "H" || cell == "R" ? 1 : 0;
        if (cell != "H" && cell != "R" && cell != ".")
            problems.push_back(
                {"map", "'" + cell + "' is none of H, R and .", 0, static_cast<int>(i)});
    }
    if (spec.cells.empty() || spec.cells.size() > kMostCells)
        problems.push_back({"map", "a line has 1 to 255 cells"});
    if (agents > kMostAgents) problems.push_back({"map", "a line has at most 8 agents"});
    if (!(spec.slip >= 0 && spec.slip < 1)) problems.push_back({"slip", "must be in [0, 1)"});
    if (spec.maxSteps < 0) problems.push_back({"max_steps", "must be at least 0"});
    return problems;
}

LineWorld::LineWorld(LineSpec spec) : m_spec(std::move(spec)) {
    for (const SpecProblem& problem : validateLine(m_spec))
        throw Error(problem.field + ": " + problem.text, Error::Kind::BadInput);
    int humans = 0, robots = 0;
    for (std::size_t i = 0; i < m_spec.cells.size(); ++i) {
        if (m_spec.cells[i] == ".") continue;
        const bool isHuman = m_spec.cells[i] == "H";
        const int agent = static_cast<int>(m_agents.size());
        m_agents.push_back({.name = isHuman ? "human" + std::to_string(humans++)
                                            : "robot" + std::to_string(robots++),
                            .role = isHuman ? AgentRole::Human : AgentRole::Robot,
                            .color = isHuman ? Color::Yellow : Color::Grey,
                            .actions = {"still", "left", "right"}});
        m_start.push_back(static_cast<int>(i));
        m_variables.push_back({.name = m_agents.back().name + ".x", .low = 0, .high = width() - 1});
        if (!isHuman) continue;
        const auto own = std::ranges::find(m_spec.ownGoals, agent, &HumanGoals::agent);
        HumanGoals goals{agent, m_spec.possibleGoals, m_spec.goalWeights};
        if (own != m_spec.ownGoals.end()) goals = *own;
        if (goals.weights.empty() && !goals.goals.empty())
            goals.weights.assign(goals.goals.size(), 1.0 / static_cast<double>(goals.goals.size()));
        m_goals.push_back(std::move(goals));
    }
}

std::vector<int> LineWorld::unpack(std::span<const std::uint64_t> configuration) const {
    std::vector<int> cells(m_agents.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = static_cast<int>(configuration[0] >> (8 * i) & 0xFF);
    return cells;
}

Configuration LineWorld::pack(const std::vector<int>& cells) const {
    Configuration key(1);
    for (std::size_t i = 0; i < cells.size(); ++i)
        key[0] |= static_cast<std::uint64_t>(cells[i]) << (8 * i);
    return key;
}

int LineWorld::cellOf(std::span<const std::uint64_t> configuration, int agent) const {
    return unpack(configuration)[static_cast<std::size_t>(agent)];
}

std::unique_ptr<Expander> LineWorld::makeExpander() const {
    return std::make_unique<LineExpander>(*this);
}

std::vector<Outcome> LineWorld::outcomes(std::span<const std::uint64_t> configuration, int step,
                                         ActionProfileIndex profile) const {
    if (step >= maxSteps()) throw Error("The state is terminal.", Error::Kind::BadInput);
    const std::vector<int> actions = profileActions(profile);
    std::map<std::vector<int>, double> reached{{unpack(configuration), 1.0}};
    for (std::size_t agent = 0; agent < actions.size(); ++agent) {
        if (actions[agent] == 0) continue;
        const double slip = m_agents[agent].role == AgentRole::Human ? m_spec.slip : 0.0;
        std::map<std::vector<int>, double> after;
        for (const auto& [cells, probability] : reached) {
            const int target = cells[agent] + (actions[agent] == 1 ? -1 : 1);
            const bool isFree =
                target >= 0 && target < width() && std::ranges::find(cells, target) == cells.end();
            if (!isFree || slip > 0) after[cells] += isFree ? probability * slip : probability;
            if (!isFree) continue;
            std::vector<int> moved = cells;
            moved[agent] = target;
            after[moved] += probability * (1 - slip);
        }
        reached = std::move(after);
    }
    std::vector<Outcome> outcomes;
    for (const auto& [cells, probability] : reached) outcomes.push_back({probability, pack(cells)});
    std::ranges::stable_sort(outcomes, std::greater<>(), &Outcome::probability);
    return outcomes;
}

void LineWorld::valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const {
    std::ranges::copy(unpack(configuration), out.begin());
}

std::vector<Piece> LineWorld::sceneIn(std::span<const std::uint64_t> configuration,
                                      const CellArea& seen) const {
    std::vector<Piece> pieces;
    for (int x = 0; x < width(); ++x)
        if (seen.contains(x, 0)) pieces.push_back({.kind = PieceKind::Floor, .x = x});
    for (int agent = 0; agent < numAgents(); ++agent) {
        const AgentInfo& info = m_agents[static_cast<std::size_t>(agent)];
        if (!seen.contains(cellOf(configuration, agent), 0)) continue;
        pieces.push_back({.kind = PieceKind::Agent,
                          .x = cellOf(configuration, agent),
                          .color = info.color,
                          .direction = 4,
                          .agent = agent,
                          .isHuman = info.role == AgentRole::Human,
                          .isRobot = info.role == AgentRole::Robot});
    }
    return pieces;
}

std::string LineWorld::contentHash() const {
    std::string text = "line 1\n" + std::to_string(maxSteps()) + " " + formatDouble(m_spec.slip);
    for (const std::string& cell : m_spec.cells) text += " " + cell;
    for (const HumanGoals& own : m_goals) {
        text += "\n" + std::to_string(own.agent);
        for (std::size_t g = 0; g < own.goals.size(); ++g)
            text += ";" + goalText(own.goals[g]) + " " + formatDouble(own.weights[g]);
    }
    return sha256Hex(text);
}

std::vector<AgentVariant> LineWorld::variants(std::span<const std::uint64_t> configuration,
                                              int agent, int cell) const {
    std::vector<int> cells = unpack(configuration);
    for (int other = 0; other < numAgents(); ++other)
        if (other != agent && cells[static_cast<std::size_t>(other)] == cell) return {};
    cells[static_cast<std::size_t>(agent)] = cell;
    return {{pack(cells), -1}};
}

}  // namespace orrery::test
