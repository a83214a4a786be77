#pragma once

#include <memory>
#include <vector>

#include "core/world/grid_spec.h"
#include "core/world/grid_state.h"
#include "core/world/world.h"

namespace orrery {

struct GridLayout;

/// The multi-agent grid world of spec 1.1-1.5 behind the World interface.
/// Faithful to the original by default, oddities included; the spec's switches mend them.
class GridWorld final : public World {
public:
    /// @throws Error (BadInput) as makeWorld
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
    std::vector<Piece> scene(std::span<const std::uint64_t> configuration) const override;
    std::string contentHash() const override;
    std::vector<std::string> warnings() const override;

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
    std::unique_ptr<const GridLayout> m_layout;
    FixedCells m_fixed;
};

}  // namespace orrery
