#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/world/world.h"
#include "core/world/world_family.h"

namespace orrery::test {

/// A world of the tests alone: one row of cells, in which agents walk. "H" is a human, "R" a robot,
/// "." a free cell. Indices go from left to right.
struct LineSpec : SharedSpec {
    std::vector<std::string> cells;
    double slip = 0;  ///< [0, 1) probability that a human's step fails
};

const WorldFamily& familyOf(const LineSpec*);
inline const WorldFamily& lineFamily() {
    return familyOf(static_cast<const LineSpec*>(nullptr));
}

/// How lines are edited.
const WorldEditing& lineEditing();

/// Everything wrong with a spec.
std::vector<SpecProblem> validateLine(const LineSpec& spec);

/// Actions: 0 still, 1 left, 2 right. Agents move one after the other by index; a step off the line
/// or into another agent does nothing. A configuration is the agents' cells, a byte each.
class LineWorld final : public World {
public:
    /// @throws Error (BadInput) with the first problem of validateLine()
    explicit LineWorld(LineSpec spec);

    const std::string& name() const override { return m_spec.metadata.name; }
    int width() const override { return static_cast<int>(m_spec.cells.size()); }
    int height() const override { return 1; }
    int maxSteps() const override { return m_spec.maxSteps; }
    std::span<const AgentInfo> agents() const override { return m_agents; }
    int keyBits() const override { return 8 * numAgents(); }
    Configuration initialConfiguration() const override { return pack(m_start); }
    std::unique_ptr<Expander> makeExpander() const override;
    std::vector<Outcome> outcomes(std::span<const std::uint64_t> configuration, int step,
                                  ActionProfileIndex profile) const override;
    std::span<const HumanGoals> goals() const override { return m_goals; }
    int cellOf(std::span<const std::uint64_t> configuration, int agent) const override;
    std::span<const Variable> variables() const override { return m_variables; }
    void valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const override;
    std::vector<Piece> sceneIn(std::span<const std::uint64_t> configuration,
                               const CellArea& seen) const override;
    std::string contentHash() const override;
    std::vector<std::string> warnings() const override { return {}; }
    WorldSpec fileSpec() const override { return m_spec; }
    std::vector<AgentVariant> variants(std::span<const std::uint64_t> configuration, int agent,
                                       int cell) const override;
    const WorldEncoding* encoding() const override;

private:
    std::vector<int> unpack(std::span<const std::uint64_t> configuration) const;
    Configuration pack(const std::vector<int>& cells) const;

    LineSpec m_spec;
    std::vector<AgentInfo> m_agents;
    std::vector<int> m_start;  ///< [agents] cells
    std::vector<HumanGoals> m_goals;
    std::vector<Variable> m_variables;
};

}  // namespace orrery::test
