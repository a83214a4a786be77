#include "core/entity/envs/mine_sweeper.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace orrery {

MineSweeper::Rules MineSweeper::rulesOf(EnvOptions& options) {
    Rules rules;
    rules.width = options.whole("width", rules.width, 1, 1000, "cells");
    rules.height = options.whole("height", rules.height, 1, 1000, "cells");
    rules.nmines = options.whole("nmines", rules.nmines, 1, 10'000, "mines");
    rules.nrobots = options.whole("nrobots", rules.nrobots, 1, 1000, "robots");
    rules.orbitalCannon =
        options.truth("orbital_cannon", rules.orbitalCannon, "a cannon shoots at mines and robots");
    rules.cooldownPeriod = options.whole("cooldown_period", rules.cooldownPeriod, 0, 1000,
                                         "steps before the cannon can fire");
    rules.original = options.truth("original", rules.original, "the original's masks and cannon");
    return rules;
}

MineSweeper::MineSweeper(const Rules& rules)
    : EntityGame("MineSweeper",
                 {.observations = {thingsOf("Mine", {"x", "y"}), thingsOf("Robot", {"x", "y"}),
                                   thingsOf("Orbital Cannon", {"cooldown"})},
                  .actions = {choiceOf("Move", {"Up", "Down", "Left", "Right", "Defuse Mines"}),
                              selectionOf("Fire Orbital Cannon")}}),
      m_rules(rules) {
    if (rules.nmines + rules.nrobots > rules.width * rules.height)
        throw badInput("MineSweeper: nmines and nrobots need " +
                       std::to_string(rules.nmines + rules.nrobots) + " cells; the board has " +
                       std::to_string(rules.width * rules.height) + '.');
}

void MineSweeper::begin(Rng& rng) {
    const std::vector<Cell> cells =
        distinctCells(rng, m_rules.width, m_rules.height, m_rules.nmines + m_rules.nrobots);
    m_mines.assign(cells.begin(), cells.begin() + m_rules.nmines);
    m_robots.assign(cells.begin() + m_rules.nmines, cells.end());
    m_hasCannon = m_rules.orbitalCannon;
    m_cooldown = m_rules.cooldownPeriod;
}

void MineSweeper::move(Cell& robot, std::int64_t direction) {
    switch (direction) {
        case kUp:
            robot.y = std::min(robot.y + 1, m_rules.height - 1);
            break;
        case kDown:
            robot.y = std::max(robot.y - 1, 0);
            break;
        case kLeft:
            robot.x = std::max(robot.x - 1, 0);
            break;
        case kRight:
            robot.x = std::min(robot.x + 1, m_rules.width - 1);
            break;
        case kDefuse:
            std::erase_if(m_mines, [&](const Cell& mine) {
                return std::abs(mine.x - robot.x) + std::abs(mine.y - robot.y) <= 1;
            });
            break;
        default:
            break;
    }
}

void MineSweeper::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    std::ptrdiff_t shotRobot = -1;
    const bool fires = !taken[kFire].indices.empty() && taken[kFire].indices[0] >= 0;
    if (fires) {
        const std::ptrdiff_t target = taken[kFire].indices[0];
        if (target < std::ssize(m_mines))
            m_mines.erase(m_mines.begin() + target);
        else
            shotRobot = target - std::ssize(m_mines);
    }
    if (!m_rules.original)
        m_cooldown = fires ? m_rules.cooldownPeriod : std::max(0, m_cooldown - 1);
    for (std::size_t i = 0; i < m_robots.size(); ++i) move(m_robots[i], taken[kMove].indices[i]);
    if (shotRobot >= 0) m_robots.erase(m_robots.begin() + shotRobot);
    std::erase_if(m_robots, [&](const Cell& robot) {
        return std::ranges::find(m_mines, robot) != m_mines.end();
    });
    if (m_mines.empty())
        end(result, 1, EpisodeEnd::Success);
    else
        end(result, 0, m_robots.empty() ? EpisodeEnd::Failure : EpisodeEnd::None);
}

void MineSweeper::observe(FrameWriter& out) const {
    put(out.things(kMine, std::ssize(m_mines)), m_mines);
    put(out.things(kRobot, std::ssize(m_robots)), m_robots);
    if (m_hasCannon) out.things(kCannon, 1)[0] = static_cast<float>(m_cooldown);
    out.addActors(kMove, out.first(kRobot), std::ssize(m_robots));
    std::span<std::uint8_t> allowed = out.allowed(kMove);
    for (const Cell& robot : m_robots) {
        const std::uint8_t up = robot.y<m_rules.height - 1, down = robot.y> 0, left = robot.x > 0,
                           right = robot.x < m_rules.width - 1;
        if (m_rules.original) {
            allowed[kUp] = right;
            allowed[kDown] = left;
            allowed[kLeft] = up;
            allowed[kRight] = down;
        } else {
            allowed[kUp] = up;
            allowed[kDown] = down;
            allowed[kLeft] = left;
            allowed[kRight] = right;
        }
        allowed[kDefuse] = 1;
        allowed = allowed.subspan(kNumChoices);
    }
    if (!canFire()) return;
    out.addActors(kFire, out.first(kCannon), 1);
    out.addCandidates(kFire, 0, std::ssize(m_mines) + std::ssize(m_robots));
}

nlohmann::json MineSweeper::toJson() const {
    return {{"mines", jsonOf(m_mines)},
            {"robots", jsonOf(m_robots)},
            {"orbital_cannon", m_hasCannon},
            {"orbital_cannon_cooldown", m_cooldown}};
}

void MineSweeper::fromJson(const nlohmann::json& state) {
    const auto mines = cellsOf(state.at("mines")), robots = cellsOf(state.at("robots"));
    for (const std::vector<Cell>* cells : {&mines, &robots})
        for (const Cell& cell : *cells)
            if (cell.x < 0 || cell.x >= m_rules.width || cell.y < 0 || cell.y >= m_rules.height)
                throw badInput("(" + std::to_string(cell.x) + ", " + std::to_string(cell.y) +
                               ") is not on the board");
    const int cooldown = state.at("orbital_cannon_cooldown");
    m_hasCannon = state.at("orbital_cannon");
    m_mines = mines;
    m_robots = robots;
    m_cooldown = cooldown;
}

}  // namespace orrery
