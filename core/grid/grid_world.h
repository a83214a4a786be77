#pragma once

#include <memory>
#include <vector>

#include "core/grid/grid_spec.h"
#include "core/grid/grid_state.h"
#include "core/world/world.h"

namespace orrery {

struct GridLayout;

/// Everything wrong with a spec, all at once; fields are the keys of the file format.
std::vector<SpecProblem> validateGrid(const GridWorldSpec& spec);

/// The multi-agent grid world of spec 1.1-1.5 behind the World interface.
/// Faithful to the original by default, oddities included; the spec's switches mend them.
class GridWorld final : public World {
public:
    /// @throws Error (BadInput) with the first problem of validateGrid() that is not a warning
    explicit GridWorld(const GridWorldSpec& spec);
    ~GridWorld() override;

    const GridWorldSpec& spec() const;

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
    double duration(ActionProfileIndex profile) const override;
    std::span<const Variable> variables() const override;
    void valuate(std::span<const std::uint64_t> configuration, std::span<int> out) const override;
    std::vector<Piece> sceneIn(std::span<const std::uint64_t> configuration,
                               const CellArea& seen) const override;
    SceneChange change(std::span<const std::uint64_t> before,
                       std::span<const std::uint64_t> after) const override;
    std::string contentHash() const override;
    std::vector<std::string> warnings() const override;
    WorldSpec fileSpec() const override { return spec(); }
    Situation situationOf(std::span<const std::uint64_t> configuration, int agent) const override;
    std::size_t mostObstacles(int agent) const override;
    std::vector<AgentVariant> variants(std::span<const std::uint64_t> configuration, int agent,
                                       int cell) const override;
    std::uint64_t episodeSeed() const override;
    const WorldEncoding* encoding() const override;

    GridState unpack(std::span<const std::uint64_t> configuration) const;
    /// @throws Error (BadInput) if the state is not one of this world (wrong counts, a wall cell)
    Configuration pack(const GridState& state) const;

    /// Cells of the things that never move, by kind, in row-major order of the initial map.
    struct FixedCells {
        std::vector<int> doors, boxes, magicWalls, bushes, killButtons, pauseSwitches,
            controlButtons;
        std::vector<Color> doorColors;
    };
    const FixedCells& fixedCells() const;

private:
    bool pushesRocks(int agent) const;

    std::unique_ptr<const GridLayout> m_layout;
    FixedCells m_fixed;
};

}  // namespace orrery
