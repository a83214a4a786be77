#include "core/entity/envs/cell.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace orrery {

nlohmann::json jsonOf(const Cell& cell) {
    return nlohmann::json::array({cell.x, cell.y});
}

nlohmann::json jsonOf(std::span<const Cell> cells) {
    nlohmann::json list = nlohmann::json::array();
    for (const Cell& cell : cells) list.push_back(jsonOf(cell));
    return list;
}

Cell cellOf(const nlohmann::json& json) {
    return {json.at(0).get<int>(), json.at(1).get<int>()};
}

std::vector<Cell> cellsOf(const nlohmann::json& json) {
    std::vector<Cell> cells;
    for (const nlohmann::json& one : json) cells.push_back(cellOf(one));
    return cells;
}

void put(std::span<float> out, const Cell& cell) {
    out[0] = static_cast<float>(cell.x);
    out[1] = static_cast<float>(cell.y);
}

void put(std::span<float> out, std::span<const Cell> cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) put(out.subspan(2 * i), cells[i]);
}

std::vector<Cell> distinctCells(Rng& rng, int width, int height, int count) {
    std::vector<Cell> cells;
    cells.reserve(static_cast<std::size_t>(count));
    // The i-th of those that are left, found by going past those that are taken before it.
    std::vector<int> taken;  // ascending
    taken.reserve(cells.capacity());
    for (int k = 0; k < count; ++k) {
        auto number = static_cast<int>(
            rng.below(static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) -
                      static_cast<std::uint64_t>(k)));
        auto before = taken.begin();
        for (; before != taken.end() && *before <= number; ++before) ++number;
        taken.insert(before, number);
        cells.push_back({number % width, number / width});
    }
    return cells;
}

}  // namespace orrery
