#include "core/bush/bush_world.h"

#include <algorithm>
#include <cassert>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/bush/bush_layout.h"

namespace orrery {

namespace {

/// Computes rows of one configuration; keeps the scratch memory.
class BushExpander final : public Expander {
public:
    explicit BushExpander(const BushLayout& layout)
        : m_layout(layout),
          m_cell(layout.agents.size()),
          m_target(layout.agents.size() * kBushActions),
          m_action(layout.agents.size()) {}

    bool expand(std::span<const std::uint64_t> configuration, [[maybe_unused]] int step,
                Expansion& out) override {
        assert(step < m_layout.spec.maxSteps);
        load(configuration);
        clear(out);
        std::ranges::fill(m_action, 0);
        for (ActionProfileIndex profile = 0; profile < m_layout.numProfiles; ++profile) {
            if (out.isEnough(profile)) return false;
            appendRow(out);
            for (int& action : m_action) {
                if (++action < kBushActions) break;
                action = 0;
            }
        }
        return true;
    }

    /// The row of one profile alone.
    void expandProfile(std::span<const std::uint64_t> configuration, ActionProfileIndex profile,
                       Expansion& out) {
        load(configuration);
        clear(out);
        for (int& action : m_action) {
            action = static_cast<int>(profile % kBushActions);
            profile /= kBushActions;
        }
        appendRow(out);
    }

private:
    struct Trial {
        int agent, cell;
        double success;
    };
    struct Case {
        double probability;
        unsigned successes;  ///< bit k: trial k succeeds
    };

    static void clear(Expansion& out) {
        out.count.clear();
        out.probability.clear();
        out.key.clear();
        out.deterministic = true;
    }

    /// Finds for each agent and move the cell that it may try to enter.
    void load(std::span<const std::uint64_t> configuration) {
        m_base.assign(configuration.begin(), configuration.end());
        for (std::size_t i = 0; i < m_cell.size(); ++i)
            m_cell[i] = static_cast<int>(m_layout.cellField[i].get(configuration));
        for (std::size_t i = 0; i < m_cell.size(); ++i) {
            for (int action = 0; action < kBushPass; ++action) {
                int cell = m_layout.neighbour[m_cell[i] * 4 + action];
                if (std::ranges::find(m_cell, cell) != m_cell.end()) cell = -1;
                m_target[i * kBushActions + action] = cell;
            }
            m_target[i * kBushActions + kBushPass] = -1;
        }
    }

    int targetOf(std::size_t agent) const {
        return m_target[agent * kBushActions + m_action[agent]];
    }

    /// True if an agent of lower index wants the same cell.
    bool isOutranked(std::size_t agent, int cell) const {
        for (std::size_t lower = 0; lower < agent; ++lower)
            if (targetOf(lower) == cell) return true;
        return false;
    }

    void thinOut(int cell) {
        const BushField& field = m_layout.densityField[cell];
        const std::uint32_t density = field.get(m_base);
        if (density > 0) field.set(m_key, density - 1);
    }

    void appendRow(Expansion& out) {
        m_key = m_base;
        m_trials.clear();
        for (std::size_t i = 0; i < m_action.size(); ++i) {
            const bool isRobot = static_cast<int>(i) < m_layout.numRobots;
            if (m_action[i] == kBushPass) {
                if (isRobot) thinOut(m_cell[i]);
                continue;
            }
            const int cell = targetOf(i);
            if (cell < 0 || isOutranked(i, cell)) continue;
            if (isRobot)
                thinOut(cell);
            else if (const double success = chance(cell); success < 1.0) {
                if (success > 0.0) m_trials.push_back({static_cast<int>(i), cell, success});
                continue;
            }
            m_layout.cellField[i].set(m_key, static_cast<std::uint32_t>(cell));
        }
        appendCases(out);
    }

    double chance(int cell) const {
        const auto density = static_cast<double>(m_layout.densityField[cell].get(m_base));
        return 1.0 - density / static_cast<double>(m_layout.spec.capacity);
    }

    void appendCases(Expansion& out) {
        const unsigned count = 1U << m_trials.size();
        m_cases.clear();
        for (unsigned successes = 0; successes < count; ++successes) {
            double probability = 1.0;
            for (std::size_t k = 0; k < m_trials.size(); ++k) {
                const double success = m_trials[k].success;
                probability *= (successes >> k & 1U) != 0 ? success : 1.0 - success;
            }
            m_cases.push_back({probability, successes});
        }
        if (count > 1) {
            out.deterministic = false;
            std::ranges::sort(m_cases, [](const Case& a, const Case& b) {
                if (a.probability != b.probability) return a.probability > b.probability;
                return a.successes < b.successes;
            });
        }
        for (const Case& outcome : m_cases) {
            const std::size_t begin = out.key.size();
            out.key.insert(out.key.end(), m_key.begin(), m_key.end());
            const std::span<std::uint64_t> key = std::span(out.key).subspan(begin);
            for (std::size_t k = 0; k < m_trials.size(); ++k)
                if ((outcome.successes >> k & 1U) != 0)
                    m_layout.cellField[m_trials[k].agent].set(
                        key, static_cast<std::uint32_t>(m_trials[k].cell));
            out.probability.push_back(outcome.probability);
        }
        out.count.push_back(static_cast<std::uint16_t>(count));
    }

    const BushLayout& m_layout;
    std::vector<std::uint64_t> m_base;  ///< the configuration expanded
    std::vector<std::uint64_t> m_key;   ///< with all certain changes of one profile
    std::vector<int> m_cell;            ///< [agent]
    std::vector<int> m_target;          ///< [agent x action] cell to enter; -1 none
    std::vector<int> m_action;          ///< [agent]
    std::vector<Trial> m_trials;
    std::vector<Case> m_cases;
};

const BushWorldSpec& accepted(const BushWorldSpec& spec) {
    for (const SpecProblem& problem : validateBush(spec)) {
        if (problem.isWarning) continue;
        std::string where = problem.field;
        if (problem.row >= 0) where += ", row " + std::to_string(problem.row + 1);
        if (problem.column >= 0) where += ", cell " + std::to_string(problem.column + 1);
        throw Error(where + ": " + problem.text + ".", Error::Kind::BadInput);
    }
    return spec;
}

}  // namespace

BushWorld::BushWorld(const BushWorldSpec& spec)
    : m_layout(std::make_unique<const BushLayout>(accepted(spec))) {}

BushWorld::~BushWorld() = default;

const BushWorldSpec& BushWorld::spec() const {
    return m_layout->spec;
}
const std::string& BushWorld::name() const {
    return m_layout->spec.metadata.name;
}
int BushWorld::width() const {
    return m_layout->width;
}
int BushWorld::height() const {
    return m_layout->height;
}
int BushWorld::maxSteps() const {
    return m_layout->spec.maxSteps;
}
std::span<const AgentInfo> BushWorld::agents() const {
    return m_layout->agents;
}
int BushWorld::keyBits() const {
    return m_layout->keyBits;
}
std::span<const HumanGoals> BushWorld::goals() const {
    return m_layout->goals;
}
std::span<const Variable> BushWorld::variables() const {
    return m_layout->variables;
}

Configuration BushWorld::initialConfiguration() const {
    return pack({m_layout->initialCells, m_layout->initialDensities});
}

std::unique_ptr<Expander> BushWorld::makeExpander() const {
    return std::make_unique<BushExpander>(*m_layout);
}

std::vector<Outcome> BushWorld::outcomes(std::span<const std::uint64_t> configuration, int step,
                                         ActionProfileIndex profile) const {
    if (step >= maxSteps())
        throw Error("Step " + std::to_string(step) + " is terminal: the world ends after " +
                        std::to_string(maxSteps()) + " steps. Ask for an earlier step.",
                    Error::Kind::BadInput);
    if (profile >= m_layout->numProfiles)
        throw Error("Joint action " + std::to_string(profile) + " is not in 0 to " +
                        std::to_string(m_layout->numProfiles - 1) + ".",
                    Error::Kind::BadInput);
    Expansion row;
    BushExpander(*m_layout).expandProfile(configuration, profile, row);
    std::vector<Outcome> result;
    const auto words = static_cast<std::size_t>(m_layout->keyWords());
    for (std::size_t e = 0; e < row.probability.size(); ++e) {
        const auto key = std::span<const std::uint64_t>(row.key).subspan(e * words, words);
        result.push_back({row.probability[e], Configuration(key.begin(), key.end())});
    }
    return result;
}

int BushWorld::cellOf(std::span<const std::uint64_t> configuration, int agent) const {
    return static_cast<int>(m_layout->cellField[agent].get(configuration));
}

int BushWorld::densityOf(std::span<const std::uint64_t> configuration, int cell) const {
    return static_cast<int>(m_layout->densityField[cell].get(configuration));
}

void BushWorld::valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const {
    std::size_t i = 0;
    for (int agent = 0; agent < numAgents(); ++agent) {
        const int cell = cellOf(configuration, agent);
        out[i++] = cell % width();
        out[i++] = cell / width();
    }
    for (const int cell : m_layout->denseCells) out[i++] = densityOf(configuration, cell);
}

std::vector<Piece> BushWorld::piecesIn(std::span<const std::uint64_t> configuration,
                                       std::span<const int> cells) const {
    std::vector<Piece> pieces;
    const auto add = [&](PieceKind kind, int cell) -> Piece& {
        Piece& piece = pieces.emplace_back();
        piece.kind = kind;
        piece.x = cell % width();
        piece.y = cell / width();
        return piece;
    };
    for (const int cell : cells) {
        add(PieceKind::Floor, cell);
        if (const int density = densityOf(configuration, cell); density > 0)
            add(PieceKind::Number, cell).number = density;
    }
    for (int agent = 0; agent < numAgents(); ++agent) {
        const int cell = cellOf(configuration, agent);
        if (!std::ranges::binary_search(cells, cell)) continue;
        Piece& piece = add(PieceKind::Agent, cell);
        piece.agent = agent;
        piece.direction = 4;
        piece.color = agents()[agent].color;
        piece.isRobot = agent < m_layout->numRobots;
        piece.isHuman = !piece.isRobot;
    }
    return pieces;
}

std::vector<Piece> BushWorld::sceneIn(std::span<const std::uint64_t> configuration,
                                      const CellArea& seen) const {
    std::vector<int> cells;
    for (int y = std::max(0, seen.y); y < std::min(height(), seen.y + seen.height); ++y)
        for (int x = std::max(0, seen.x); x < std::min(width(), seen.x + seen.width); ++x)
            cells.push_back(y * width() + x);
    return piecesIn(configuration, cells);
}

SceneChange BushWorld::change(std::span<const std::uint64_t> before,
                              std::span<const std::uint64_t> after) const {
    std::vector<int> cells;
    for (const int cell : m_layout->denseCells)
        if (densityOf(before, cell) != densityOf(after, cell)) cells.push_back(cell);
    for (int agent = 0; agent < numAgents(); ++agent) {
        const int from = cellOf(before, agent), to = cellOf(after, agent);
        if (from != to) cells.insert(cells.end(), {from, to});
    }
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return changeBetween(piecesIn(before, cells), piecesIn(after, cells));
}

std::string BushWorld::contentHash() const {
    std::string text = "orrery bush world 1\n" + std::to_string(width()) + " " +
                       std::to_string(height()) + " " + std::to_string(maxSteps()) + " " +
                       std::to_string(spec().capacity) + " " + std::to_string(m_layout->numRobots) +
                       "\n";
    for (const int cell : m_layout->initialCells) text += std::to_string(cell) + " ";
    text += "\n";
    for (const int density : m_layout->initialDensities) text += std::to_string(density) + " ";
    for (const HumanGoals& own : goals()) {
        text += "\n" + std::to_string(own.agent);
        for (std::size_t g = 0; g < own.goals.size(); ++g)
            text += ";" + goalText(own.goals[g]) + " " + formatDouble(own.weights[g]);
    }
    return sha256Hex(text);
}

std::vector<std::string> BushWorld::warnings() const {
    std::vector<std::string> lines;
    for (const SpecProblem& problem : validateBush(spec()))
        if (problem.isWarning) lines.push_back(problem.field + ": " + problem.text);
    return lines;
}

BushWorld::Parts BushWorld::unpack(std::span<const std::uint64_t> configuration) const {
    Parts parts;
    for (int agent = 0; agent < numAgents(); ++agent)
        parts.cells.push_back(cellOf(configuration, agent));
    for (int cell = 0; cell < width() * height(); ++cell)
        parts.densities.push_back(densityOf(configuration, cell));
    return parts;
}

Configuration BushWorld::pack(const Parts& parts) const {
    const int cells = width() * height();
    if (std::ssize(parts.cells) != numAgents() || std::ssize(parts.densities) != cells)
        throw Error("A state of this world has " + std::to_string(numAgents()) + " agents and " +
                        std::to_string(cells) + " densities.",
                    Error::Kind::BadInput);
    Configuration key(static_cast<std::size_t>(keyWords()), 0);
    for (int agent = 0; agent < numAgents(); ++agent) {
        const int cell = parts.cells[agent];
        if (cell < 0 || cell >= cells || std::ranges::count(parts.cells, cell) > 1)
            throw Error("Cell " + std::to_string(cell) + " of " + agents()[agent].name +
                            " is off the field or taken by another agent.",
                        Error::Kind::BadInput);
        m_layout->cellField[agent].set(key, static_cast<std::uint32_t>(cell));
    }
    for (int cell = 0; cell < cells; ++cell) {
        const int density = parts.densities[cell];
        if (density < 0 || density > m_layout->initialDensities[cell])
            throw Error("Density " + std::to_string(density) + " of cell " + std::to_string(cell) +
                            " is not in 0 to " + std::to_string(m_layout->initialDensities[cell]) +
                            ", its value at the start.",
                        Error::Kind::BadInput);
        m_layout->densityField[cell].set(key, static_cast<std::uint32_t>(density));
    }
    return key;
}

std::vector<AgentVariant> BushWorld::variants(std::span<const std::uint64_t> configuration,
                                              int agent, int cell) const {
    Parts parts = unpack(configuration);
    parts.cells[static_cast<std::size_t>(agent)] = cell;
    try {
        return {{pack(parts), -1}};
    } catch (const Error&) {
        return {};
    }
}

}  // namespace orrery
