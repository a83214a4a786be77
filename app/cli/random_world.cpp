#include "app/cli/random_world.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace orrery {
namespace {

constexpr int kMaxCellGoals = 12;

// Walls and movable things are likelier than the rest.
constexpr std::array<const char*, 12> kObjects{"We", "We", "Bl", "Bl", "Ro", "Ro",
                                               "Un", "Bu", "La", "Cg", "Me", "Sw"};

void require(bool holds, const std::string& text) {
    if (!holds) throw Error(text, Error::Kind::BadInput);
}

void checkRequest(const RandomWorldRequest& request) {
    const auto between = [](int value, int low, int high) { return value >= low && value <= high; };
    require(between(request.width, 4, 40) && between(request.height, 4, 40),
            "Width and height of a random world must be in 4 to 40.");
    require(between(request.humans, 1, 4), "A random world has 1 to 4 humans.");
    require(between(request.robots, 0, 4), "A random world has 0 to 4 robots.");
    require(between(request.maxSteps, 0, 1000), "A random world has 0 to 1000 steps.");
    require(request.objects >= 0 && request.objects <= 0.8,
            "The share of cells with objects must be in 0 to 0.8.");
    require((request.width - 2) * (request.height - 2) > request.humans + request.robots,
            "The agents do not fit into so small a world.");
}

using Cells = std::vector<std::vector<std::string>>;  // [row][column]

struct Drawing {
    Cells cells;
    std::vector<std::pair<int, int>> open;  // (x, y) of cells that a goal may name
};

Drawing drawCells(const RandomWorldRequest& request, Rng& rng) {
    Drawing drawing;
    drawing.cells.assign(request.height, std::vector<std::string>(request.width, "We"));
    std::vector<std::pair<int, int>> inner;
    for (int y = 1; y + 1 < request.height; ++y)
        for (int x = 1; x + 1 < request.width; ++x) inner.emplace_back(x, y);
    for (std::size_t i = inner.size() - 1; i > 0; --i) std::swap(inner[i], inner[rng.below(i + 1)]);
    const int agents = request.humans + request.robots;
    for (int i = 0; i < static_cast<int>(inner.size()); ++i) {
        const auto [x, y] = inner[i];
        std::string& cell = drawing.cells[y][x];
        if (i < agents)
            cell = i < request.humans ? "Ay" : "Ae";
        else
            cell = rng.uniform() < request.objects ? kObjects[rng.below(kObjects.size())] : "..";
        if (cell != "We") drawing.open.emplace_back(x, y);
    }
    return drawing;
}

}  // namespace

std::string randomWorldYaml(const RandomWorldRequest& request) {
    checkRequest(request);
    Rng rng(request.seed, 0x77);
    const Drawing drawing = drawCells(request, rng);
    std::string text =
        "# made by: orrery world random --seed " + std::to_string(request.seed) + "\n";
    text += "metadata:\n  name: random " + std::to_string(request.seed) + "\n";
    text += "max_steps: " + std::to_string(request.maxSteps) + "\n";
    text += "map: |\n";
    for (const auto& row : drawing.cells) {
        text += " ";
        for (const std::string& cell : row) text += " " + cell;
        text += "\n";
    }
    text += "orientations: [";
    for (int i = 0; i < request.humans + request.robots; ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(rng.below(4));
    text += "]\npossible_goals:\n";
    const int cellGoals = std::min<int>(kMaxCellGoals, static_cast<int>(drawing.open.size()));
    for (int i = 0; i < cellGoals; ++i)
        text += "  - [" + std::to_string(drawing.open[i].first) + ", " +
                std::to_string(drawing.open[i].second) + "]\n";
    text += "  - [1, 1, " + std::to_string(request.width - 2) + ", " +
            std::to_string(request.height - 2) + "]\n";
    return text;
}

}  // namespace orrery
