#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "core/base/rng.h"

namespace orrery {

/// A place on a board of whole cells; y grows upwards.
struct Cell {
    int x = 0, y = 0;
    bool operator==(const Cell&) const = default;
};

/// [x, y], and a list of them.
nlohmann::json jsonOf(const Cell& cell);
nlohmann::json jsonOf(std::span<const Cell> cells);
Cell cellOf(const nlohmann::json& json);
std::vector<Cell> cellsOf(const nlohmann::json& json);

/// Its x and y as features.
void put(std::span<float> out, const Cell& cell);
/// [cells x 2]
void put(std::span<float> out, std::span<const Cell> cells);

/// Distinct cells of a board with corner (0, 0), each as likely as any other.
/// @param count  at most width * height
std::vector<Cell> distinctCells(Rng& rng, int width, int height, int count);

}  // namespace orrery
