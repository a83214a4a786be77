#pragma once

#include <memory>
#include <vector>

#include "core/bush/bush_spec.h"
#include "core/world/world.h"

namespace orrery {

struct BushLayout;

/// Everything wrong with a spec, all at once; fields are the keys of the file format: "map", "B",
/// "max_steps", "fill_density", "possible_goals", "goal_weights", "human_goals".
std::vector<SpecProblem> validateBush(const BushWorldSpec& spec);

/// The bush world of spec 1.7: an open field whose cells carry bushes of some density. Robots clear
/// a cell a little each time they enter it or stay in it; humans enter a cell of density d with
/// probability 1 - d/B. Robots are the agents with the lowest indices, then the humans, each in the
/// row-major order of the map.
///
/// Actions of every agent: 0 north, 1 west, 2 south, 3 east, 4 pass. All agents move at once. A
/// move needs a cell of the field in which nobody stood before the step; of several agents that
/// want one cell only the one with the lowest index tries. A robot's move always succeeds and takes
/// 1 from the density of the entered cell; its pass takes 1 from its own cell; densities stay >= 0.
/// A move off the field, into a taken cell or behind a lower index does nothing at all.
class BushWorld final : public World {
public:
    /// @throws Error (BadInput) with the first problem of validateBush() that is not a warning
    explicit BushWorld(const BushWorldSpec& spec);
    ~BushWorld() override;

    const BushWorldSpec& spec() const;

    const std::string& name() const override;
    int width() const override;
    int height() const override;
    int maxSteps() const override;
    std::span<const AgentInfo> agents() const override;
    int keyBits() const override;
    Configuration initialConfiguration() const override;
    std::unique_ptr<Expander> makeExpander() const override;
    std::vector<Outcome> outcomes(std::span<const std::uint64_t> configuration, int step,
                                  ActionProfileIndex profile) const override;
    std::span<const HumanGoals> goals() const override;
    int cellOf(std::span<const std::uint64_t> configuration, int agent) const override;
    /// "robot0.x", "robot0.y", ... and "density_X_Y" for each cell that starts with bushes.
    std::span<const Variable> variables() const override;
    void valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const override;
    std::vector<Piece> sceneIn(std::span<const std::uint64_t> configuration,
                               const CellArea& seen) const override;
    SceneChange change(std::span<const std::uint64_t> before,
                       std::span<const std::uint64_t> after) const override;
    std::string contentHash() const override;
    std::vector<std::string> warnings() const override;
    WorldSpec fileSpec() const override { return spec(); }
    std::vector<AgentVariant> variants(std::span<const std::uint64_t> configuration, int agent,
                                       int cell) const override;
    const WorldEncoding* encoding() const override;

    /// Density of a cell (y * width + x), in [0, B].
    int densityOf(std::span<const std::uint64_t> configuration, int cell) const;

    /// A configuration taken apart.
    struct Parts {
        std::vector<int> cells;      ///< [agent] cell of each agent
        std::vector<int> densities;  ///< [cell]
        bool operator==(const Parts&) const = default;
    };
    Parts unpack(std::span<const std::uint64_t> configuration) const;
    /// @throws Error (BadInput) if a cell is off the field, taken twice, or a density is not in
    ///         [0, its initial value]
    Configuration pack(const Parts& parts) const;

private:
    /// What lies and stands in these cells, ascending.
    std::vector<Piece> piecesIn(std::span<const std::uint64_t> configuration,
                                std::span<const int> cells) const;

    std::unique_ptr<const BushLayout> m_layout;
};

}  // namespace orrery
