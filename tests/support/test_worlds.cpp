#include "tests/support/test_worlds.h"

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>

#include "core/base/sha256.h"
#include "core/base/text.h"

namespace orrery {

namespace {

void mergeRow(TableWorldSpec::Row& row) {
    std::map<int, double> bySuccessor;
    for (const auto& [probability, successor] : row) bySuccessor[successor] += probability;
    row.clear();
    for (const auto& [successor, probability] : bySuccessor)
        row.emplace_back(probability, successor);
    std::ranges::stable_sort(row, [](const auto& a, const auto& b) { return a.first > b.first; });
}

class TableExpander final : public Expander {
public:
    explicit TableExpander(const TableWorld& world) : m_world(world) {}

    bool expand(std::span<const std::uint64_t> configuration, int step, Expansion& out) override {
        const int number = m_world.numberOf(configuration);
        out.count.clear();
        out.probability.clear();
        out.key.clear();
        out.deterministic = true;
        for (ActionProfileIndex profile = 0; profile < m_world.numProfiles(); ++profile) {
            const TableWorldSpec::Row& row = m_world.row(number, step, profile);
            out.count.push_back(static_cast<std::uint16_t>(row.size()));
            for (const auto& [probability, successor] : row) {
                out.probability.push_back(probability);
                const Configuration key = m_world.keyOf(successor);
                out.key.insert(out.key.end(), key.begin(), key.end());
            }
            if (row.size() != 1 || row.front().first != 1.0) out.deterministic = false;
        }
        return true;
    }

private:
    const TableWorld& m_world;
};

}  // namespace

TableWorld::TableWorld(TableWorldSpec spec) : m_spec(std::move(spec)) {
    m_numberBits = std::max(1, static_cast<int>(std::bit_width(m_spec.cells.size() - 1)));
    m_keyBits = std::max(m_spec.keyBits, m_numberBits);
    for (auto& rows : m_spec.rows)
        for (auto& profiles : rows)
            for (auto& row : profiles) mergeRow(row);
    for (const AgentInfo& agent : m_spec.agents) {
        m_variables.push_back({agent.name + ".x", 0, m_spec.width - 1});
        m_variables.push_back({agent.name + ".y", 0, m_spec.height - 1});
    }
    m_variables.push_back({"config", 0, static_cast<int>(m_spec.cells.size()) - 1});
}

Configuration TableWorld::keyOf(int number) const {
    Configuration key(static_cast<std::size_t>(keyWords()), 0);
    for (int bit = 0; bit < m_numberBits; ++bit) {
        const int place = m_keyBits - m_numberBits + bit;
        const std::uint64_t value = static_cast<std::uint64_t>(number) >> bit & 1U;
        key[static_cast<std::size_t>(place / 64)] |= value << (place % 64);
    }
    return key;
}

int TableWorld::numberOf(std::span<const std::uint64_t> configuration) const {
    std::uint64_t number = 0;
    for (int bit = 0; bit < m_numberBits; ++bit) {
        const int place = m_keyBits - m_numberBits + bit;
        number |= (configuration[place / 64] >> (place % 64) & 1U) << bit;
    }
    return static_cast<int>(number);
}

const TableWorldSpec::Row& TableWorld::row(int number, int step, ActionProfileIndex profile) const {
    return m_spec.rows[dependsOnStep() ? step : 0][number][profile];
}

std::unique_ptr<Expander> TableWorld::makeExpander() const {
    return std::make_unique<TableExpander>(*this);
}

std::vector<Outcome> TableWorld::outcomes(std::span<const std::uint64_t> configuration, int step,
                                          ActionProfileIndex profile) const {
    if (step >= maxSteps() || profile >= numProfiles())
        throw std::out_of_range("TableWorld::outcomes");
    std::vector<Outcome> result;
    for (const auto& [probability, successor] : row(numberOf(configuration), step, profile))
        result.push_back({probability, keyOf(successor)});
    return result;
}

int TableWorld::cellOf(std::span<const std::uint64_t> configuration, int agent) const {
    return m_spec.cells[numberOf(configuration)][agent];
}

double TableWorld::duration(ActionProfileIndex profile) const {
    return m_spec.durations.empty() ? 1.0 : m_spec.durations[profile];
}

void TableWorld::valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const {
    const int number = numberOf(configuration);
    std::size_t i = 0;
    for (const int cell : m_spec.cells[number]) {
        out[i++] = cell % m_spec.width;
        out[i++] = cell / m_spec.width;
    }
    out[i] = number;
}

std::vector<Piece> TableWorld::sceneIn(std::span<const std::uint64_t> configuration,
                                       const CellArea& seen) const {
    std::vector<Piece> pieces;
    for (int agent = 0; agent < numAgents(); ++agent) {
        const int cell = cellOf(configuration, agent);
        if (!seen.contains(cell % width(), cell / width())) continue;
        Piece piece;
        piece.kind = PieceKind::Agent;
        piece.agent = agent;
        piece.x = cell % width();
        piece.y = cell / width();
        piece.direction = 4;
        pieces.push_back(piece);
    }
    return pieces;
}

std::string TableWorld::contentHash() const {
    Sha256 hash;
    const auto add = [&hash](double value) { hash.update(formatDouble(value) + " "); };
    for (const int number :
         {m_spec.width, m_spec.height, m_spec.maxSteps, m_spec.initial, m_keyBits})
        add(number);
    for (const AgentInfo& agent : m_spec.agents)
        hash.update(agent.name + " " + std::to_string(agent.actions.size()) + "\n");
    for (const auto& cells : m_spec.cells)
        for (const int cell : cells) add(cell);
    for (const auto& rows : m_spec.rows)
        for (const auto& profiles : rows)
            for (const auto& row : profiles) {
                hash.update("\n");
                for (const auto& [probability, successor] : row) {
                    add(probability);
                    add(successor);
                }
            }
    for (const HumanGoals& own : m_spec.goals)
        for (std::size_t g = 0; g < own.goals.size(); ++g) {
            hash.update(goalText(own.goals[g]) + ":");
            add(own.weights[g]);
        }
    for (const double duration : m_spec.durations) add(duration);
    return hash.finishHex();
}

AgentInfo tableAgent(AgentRole role, int number, int numActions) {
    AgentInfo agent;
    const char* stem = "agent";
    if (role == AgentRole::Human) stem = "human";
    if (role == AgentRole::Robot) stem = "robot";
    agent.name = stem + std::to_string(number);
    agent.role = role;
    agent.color = role == AgentRole::Human ? Color::Yellow : Color::Grey;
    for (int action = 0; action < numActions; ++action)
        agent.actions.push_back("a" + std::to_string(action));
    return agent;
}

namespace {

TableWorldSpec::Row randomRow(const RandomTableShape& shape, Rng& rng) {
    TableWorldSpec::Row row;
    const auto count =
        static_cast<int>(1 + rng.below(static_cast<std::uint64_t>(shape.maxOutcomes)));
    double sum = 0;
    for (int k = 0; k < count; ++k) {
        const double share = 0.05 + rng.uniform();
        row.emplace_back(share,
                         static_cast<int>(rng.below(static_cast<std::uint64_t>(shape.configs))));
        sum += share;
    }
    if (count == 1) return {{1.0, row.front().second}};
    if (shape.dyadic) {
        for (auto& outcome : row) outcome.first = 0;
        for (int k = 0; k < 8; ++k) row[rng.below(row.size())].first += 0.125;
        std::erase_if(row, [](const auto& outcome) { return outcome.first == 0; });
        return row;
    }
    for (auto& outcome : row) outcome.first /= sum;
    return row;
}

HumanGoals randomGoals(const TableWorldSpec& spec, int agent, int count, Rng& rng) {
    HumanGoals own{agent, {{0, 0, spec.width - 1, spec.height - 1, true}}, {}};
    const auto below = [&rng](int n) {
        return static_cast<int>(rng.below(static_cast<std::uint64_t>(n)));
    };
    while (std::ssize(own.goals) < count) {
        const int x = below(spec.width);
        const int y = below(spec.height);
        own.goals.push_back({x, y, x, y, false});
    }
    for (int g = 0; g < count; ++g) own.weights.push_back(0.1 + rng.uniform());
    return own;
}

}  // namespace

TableWorldSpec randomTableWorld(const RandomTableShape& shape, Rng& rng) {
    TableWorldSpec spec;
    spec.name = "random table";
    spec.width = 3;
    spec.height = 2;
    spec.maxSteps = shape.maxSteps;
    spec.keyBits = shape.keyBits;
    const std::pair<AgentRole, int> roles[] = {{AgentRole::Human, shape.humans},
                                               {AgentRole::Robot, shape.robots},
                                               {AgentRole::Other, shape.others}};
    std::size_t profiles = 1;
    for (const auto& [role, count] : roles)
        for (int i = 0; i < count; ++i) {
            spec.agents.push_back(tableAgent(role, i, shape.actions));
            profiles *= static_cast<std::size_t>(shape.actions);
        }
    // Roles come in any order of indices.
    for (std::size_t i = spec.agents.size(); i > 1; --i)
        std::swap(spec.agents[i - 1], spec.agents[rng.below(i)]);
    for (int c = 0; c < shape.configs; ++c) {
        auto& cells = spec.cells.emplace_back();
        for (std::size_t i = 0; i < spec.agents.size(); ++i)
            cells.push_back(static_cast<int>(rng.below(6)));
    }
    for (int step = 0; step < (shape.byStep ? shape.maxSteps : 1); ++step) {
        auto& rows = spec.rows.emplace_back();
        for (int c = 0; c < shape.configs; ++c) {
            auto& ofConfig = rows.emplace_back();
            for (std::size_t p = 0; p < profiles; ++p) ofConfig.push_back(randomRow(shape, rng));
        }
    }
    for (std::size_t p = 0; shape.durations && p < profiles; ++p)
        spec.durations.push_back(0.5 + 2 * rng.uniform());
    for (std::size_t i = 0; i < spec.agents.size(); ++i)
        if (spec.agents[i].role == AgentRole::Human)
            spec.goals.push_back(randomGoals(spec, static_cast<int>(i), shape.goals, rng));
    return spec;
}

}  // namespace orrery
