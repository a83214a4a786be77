#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"
#include "core/world/world.h"

namespace orrery {

/// A world written down as tables. Configurations are numbers from 0; agent i stands in
/// cells[config][i]. Its own variable is "config".
struct TableWorldSpec {
    /// Outcomes (probability, successor) of one profile, in any order.
    using Row = std::vector<std::pair<double, int>>;
    /// [config][profile]
    using Rows = std::vector<std::vector<Row>>;

    std::string name = "table";
    int width = 3, height = 1;
    int maxSteps = 2;
    std::vector<AgentInfo> agents;
    std::vector<std::vector<int>> cells;  ///< [config][agent]
    /// [1] for a world that does not depend on the step, else [maxSteps]
    std::vector<Rows> rows;
    int initial = 0;
    std::vector<HumanGoals> goals;
    std::vector<double> durations;  ///< [profile]; empty: 1
    /// Bits of a key; the number lies in the highest ones, so that 65 and more need two words.
    /// 0: the fewest.
    int keyBits = 0;
};

/// The world of a table. Immutable, as every World.
class TableWorld final : public World {
public:
    explicit TableWorld(TableWorldSpec spec);

    const TableWorldSpec& spec() const { return m_spec; }
    /// The key of configuration `number`, and back.
    Configuration keyOf(int number) const;
    int numberOf(std::span<const std::uint64_t> configuration) const;

    const std::string& name() const override { return m_spec.name; }
    int width() const override { return m_spec.width; }
    int height() const override { return m_spec.height; }
    int maxSteps() const override { return m_spec.maxSteps; }
    std::span<const AgentInfo> agents() const override { return m_spec.agents; }
    int keyBits() const override { return m_keyBits; }
    Configuration initialConfiguration() const override { return keyOf(m_spec.initial); }
    bool dependsOnStep() const override { return m_spec.rows.size() > 1; }
    std::unique_ptr<Expander> makeExpander() const override;
    std::vector<Outcome> outcomes(std::span<const std::uint64_t> configuration, int step,
                                  ActionProfileIndex profile) const override;
    std::span<const HumanGoals> goals() const override { return m_spec.goals; }
    int cellOf(std::span<const std::uint64_t> configuration, int agent) const override;
    double duration(ActionProfileIndex profile) const override;
    std::span<const Variable> variables() const override { return m_variables; }
    void valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const override;
    std::vector<Piece> sceneIn(std::span<const std::uint64_t> configuration,
                               const CellArea& seen) const override;
    std::string contentHash() const override;
    std::vector<std::string> warnings() const override { return {}; }

    /// Outcomes merged, by descending probability then successor.
    const TableWorldSpec::Row& row(int number, int step, ActionProfileIndex profile) const;

private:
    TableWorldSpec m_spec;
    int m_numberBits = 1;
    int m_keyBits = 1;
    std::vector<Variable> m_variables;
};

/// An agent "human0", "robot1", "agent2" with actions "a0", "a1", ...
AgentInfo tableAgent(AgentRole role, int number, int numActions);

/// What a random table world looks like.
struct RandomTableShape {
    int configs = 12;
    int humans = 1, robots = 1, others = 0;
    int actions = 2;
    int goals = 3;  ///< of each human
    int maxSteps = 3;
    int maxOutcomes = 3;     ///< of one profile
    bool byStep = false;     ///< transitions depend on the step
    bool dyadic = false;     ///< probabilities are multiples of 1/8, so that their sums are exact
    bool durations = false;  ///< profiles last 0.5 to 2.5
    int keyBits = 0;
};

/// A random world: every row has 1 to maxOutcomes random successors; agents stand anywhere on a
/// 3 x 2 field; each human has a goal that covers the whole field, so that X_h > 0, and random
/// ones.
TableWorldSpec randomTableWorld(const RandomTableShape& shape, Rng& rng);

}  // namespace orrery
