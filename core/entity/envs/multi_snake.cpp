#include "core/entity/envs/multi_snake.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace orrery {

namespace {

/// One more part of a snake, or food.
void putNext(std::span<float>& out, const Cell& cell, int color) {
    put(out, cell);
    out[2] = static_cast<float>(color);
    out = out.subspan(3);
}

}  // namespace

MultiSnake::Rules MultiSnake::rulesOf(EnvOptions& options) {
    Rules rules;
    rules.boardSize = options.whole("board_size", rules.boardSize, 2, 1000, "cells a side");
    rules.numSnakes = options.whole("num_snakes", rules.numSnakes, 1, 100, "snakes");
    rules.numPlayers = options.whole("num_players", rules.numPlayers, 1, 1, "player");
    rules.maxSnakeLength =
        options.whole("max_snake_length", rules.maxSnakeLength, 2, 10'000, "cells of a snake");
    rules.maxSteps = options.whole("max_steps", rules.maxSteps, 1, 1'000'000, "steps");
    return rules;
}

MultiSnake::MultiSnake(const Rules& rules)
    : EntityGame("MultiSnake",
                 {.observations = {thingsOf("SnakeHead", {"x", "y", "color"}),
                                   thingsOf("SnakeBody", {"x", "y", "color"}),
                                   thingsOf("Food", {"x", "y", "color"}), globalsOf({"step"})},
                  .actions = {choiceOf("move", {"up", "down", "left", "right"})}}),
      m_rules(rules) {
    if (rules.numSnakes > rules.boardSize * rules.boardSize)
        throw badInput("MultiSnake: num_snakes is more than the board has cells.");
}

/// By a wall or a part of any snake.
bool MultiSnake::isBlocked(const Cell& cell) const {
    const int size = m_rules.boardSize;
    return cell.x < 0 || cell.x >= size || cell.y < 0 || cell.y >= size ||
           std::ranges::any_of(m_snakes, [&](const Snake& snake) {
               return std::ranges::find(snake.segments, cell) != snake.segments.end();
           });
}

std::optional<Cell> MultiSnake::freeCell(Rng& rng, bool isForFood) {
    constexpr std::uint64_t kOne = 1;
    const int size = m_rules.boardSize, cells = size * size;
    // A bit a cell, row by row; those behind the last cell are taken.
    m_taken.assign(static_cast<std::size_t>(cells + 63) / 64, 0);
    if (cells % 64 != 0) m_taken.back() = ~std::uint64_t{0} << (cells % 64);
    const auto take = [&](const Cell& cell) {
        if (cell.x < 0 || cell.x >= size || cell.y < 0 || cell.y >= size) return;
        const int index = cell.y * size + cell.x;
        m_taken[static_cast<std::size_t>(index / 64)] |= kOne << (index % 64);
    };
    for (const Snake& snake : m_snakes) std::ranges::for_each(snake.segments, take);
    if (isForFood)
        for (const Food& food : m_food) take(food.cell);
    std::uint64_t free = 0;
    for (const std::uint64_t word : m_taken)
        free += static_cast<std::uint64_t>(std::popcount(~word));
    if (free == 0) return {};
    std::uint64_t left = rng.below(free);
    for (std::size_t i = 0;; ++i) {
        std::uint64_t word = ~m_taken[i];
        const auto here = static_cast<std::uint64_t>(std::popcount(word));
        if (left >= here) {
            left -= here;
            continue;
        }
        for (; left > 0; --left) word &= word - 1;
        const int index = static_cast<int>(i) * 64 + std::countr_zero(word);
        return Cell{index % size, index / size};
    }
}

void MultiSnake::addFood(Rng& rng, int color) {
    if (const auto cell = freeCell(rng, true)) m_food.push_back({color, *cell});
}

void MultiSnake::begin(Rng& rng) {
    m_step = 0;
    m_food.clear();
    m_snakes.resize(static_cast<std::size_t>(m_rules.numSnakes));
    for (Snake& snake : m_snakes) snake.segments.clear();
    for (Snake& snake : m_snakes)
        if (const auto cell = freeCell(rng, false)) snake.segments.push_back(*cell);
    for (int i = 0; i < m_rules.numSnakes; ++i) addFood(rng, i);
}

void MultiSnake::act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) {
    constexpr Cell kMoves[] = {{0, 1}, {0, -1}, {-1, 0}, {1, 0}};
    ++m_step;
    double reward = 0;
    bool isLost = false;
    std::vector<int> eaters;
    for (std::size_t i = 0; i < m_snakes.size(); ++i) {
        std::vector<Cell>& segments = m_snakes[i].segments;
        const Cell by = kMoves[taken[0].indices[i]];
        const Cell head{segments.back().x + by.x, segments.back().y + by.y};
        isLost = isLost || isBlocked(head);
        segments.push_back(head);
        bool grows = false;
        const auto food = std::ranges::find(m_food, head, &Food::cell);
        if (food != m_food.end()) {
            // That of another is eaten as well, but ends the game.
            const auto color = static_cast<int>(i);
            isLost = isLost || food->color != color;
            grows = food->color == color && std::ssize(segments) <= m_rules.maxSnakeLength;
            eaters.push_back(color);
            m_food.erase(food);
        }
        if (grows)
            reward += 1.0 / (m_rules.maxSnakeLength - 1) / m_rules.numSnakes;
        else
            segments.erase(segments.begin());
    }
    for (const int color : eaters) addFood(rng, color);
    const bool areLong = std::ranges::all_of(m_snakes, [&](const Snake& snake) {
        return std::ssize(snake.segments) >= m_rules.maxSnakeLength;
    });
    end(result, reward,
        isLost                       ? EpisodeEnd::Failure
        : areLong                    ? EpisodeEnd::Success
        : m_step >= m_rules.maxSteps ? EpisodeEnd::TimeOut
                                     : EpisodeEnd::None);
}

void MultiSnake::observe(FrameWriter& out) const {
    std::int64_t bodies = 0;
    for (const Snake& snake : m_snakes) bodies += std::ssize(snake.segments) - 1;
    std::span<float> head = out.things(kHead, std::ssize(m_snakes)),
                     body = out.things(kBody, bodies),
                     food = out.things(kFoodType, std::ssize(m_food));
    for (std::size_t i = 0; i < m_snakes.size(); ++i) {
        const std::vector<Cell>& segments = m_snakes[i].segments;
        const auto color = static_cast<int>(i);
        putNext(head, segments.back(), color);
        for (std::size_t k = 0; k + 1 < segments.size(); ++k) putNext(body, segments[k], color);
    }
    for (const Food& one : m_food) putNext(food, one.cell, one.color);
    out.array(kGlobal)[0] = static_cast<float>(m_step);
    out.addActors(0, out.first(kHead), std::ssize(m_snakes));
}

nlohmann::json MultiSnake::toJson() const {
    nlohmann::json snakes = nlohmann::json::array(), food = nlohmann::json::array();
    for (std::size_t i = 0; i < m_snakes.size(); ++i)
        snakes.push_back({{"color", i}, {"segments_tail_to_head", jsonOf(m_snakes[i].segments)}});
    for (const Food& one : m_food)
        food.push_back({{"color", one.color}, {"position", jsonOf(one.cell)}});
    return {{"snakes", std::move(snakes)}, {"food", std::move(food)}, {"step", m_step}};
}

void MultiSnake::fromJson(const nlohmann::json& state) {
    std::vector<Snake> snakes;
    for (const nlohmann::json& one : state.at("snakes")) {
        snakes.push_back({cellsOf(one.at("segments_tail_to_head"))});
        if (snakes.back().segments.empty()) throw badInput("a snake has a head");
    }
    std::vector<Food> food;
    for (const nlohmann::json& one : state.at("food"))
        food.push_back({one.at("color").get<int>(), cellOf(one.at("position"))});
    m_step = state.at("step");
    m_snakes = std::move(snakes);
    m_food = std::move(food);
}

}  // namespace orrery
