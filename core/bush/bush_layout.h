#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/bush/bush_spec.h"
#include "core/world/world.h"

namespace orrery {

/// A run of bits in a packed configuration; it may cross into the next word.
struct BushField {
    std::int32_t offset = 0;
    std::int32_t bits = 0;  ///< 0 to 32; a field of 0 bits always holds 0

    std::uint32_t get(std::span<const std::uint64_t> key) const {
        if (bits == 0) return 0;
        const auto word = static_cast<std::size_t>(offset >> 6);
        const int shift = offset & 63;
        std::uint64_t value = key[word] >> shift;
        if (shift + bits > 64) value |= key[word + 1] << (64 - shift);
        return static_cast<std::uint32_t>(value & mask());
    }
    void set(std::span<std::uint64_t> key, std::uint32_t value) const {
        if (bits == 0) return;
        const auto word = static_cast<std::size_t>(offset >> 6);
        const int shift = offset & 63;
        key[word] = (key[word] & ~(mask() << shift)) | (std::uint64_t{value} << shift);
        if (shift + bits > 64) {
            const int rest = 64 - shift;
            key[word + 1] = (key[word + 1] & ~(mask() >> rest)) | (std::uint64_t{value} >> rest);
        }
    }

private:
    std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};

/// What is fixed about a bush world. Constant after construction.
struct BushLayout {
    BushWorldSpec spec;
    int width = 0, height = 0;
    std::vector<AgentInfo> agents;  ///< robots first
    int numRobots = 0;
    std::vector<int> initialCells;      ///< [agent]
    std::vector<int> initialDensities;  ///< [cell]
    std::vector<BushField> cellField;   ///< [agent]
    std::vector<BushField>
        densityField;  ///< [cell]; densities never rise, so the initial one bounds it
    int keyBits = 0;
    std::vector<int> neighbour;  ///< [cell x 4] in action order; -1 off the field
    std::vector<HumanGoals> goals;
    std::vector<Variable> variables;
    std::vector<int> denseCells;  ///< cells of the density variables, in their order
    ActionProfileIndex numProfiles = 1;

    explicit BushLayout(const BushWorldSpec& spec);
    int keyWords() const { return keyBits > 64 ? (keyBits + 63) / 64 : 1; }
};

/// Actions in index order; every agent has them all.
inline constexpr int kBushActions = 5;
inline constexpr int kBushPass = 4;

}  // namespace orrery
