#include "core/entity/envs/minefield.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace orrery {

namespace {

constexpr double kReach = 5, kApart = 15, kStride = 3, kTurn = std::numbers::pi / 8;

}  // namespace

Minefield::Rules Minefield::rulesOf(EnvOptions& options) {
    Rules rules;
    rules.maxMines = options.whole("max_mines", rules.maxMines, 0, 10'000, "mines at most");
    rules.maxSteps = options.whole("max_steps", rules.maxSteps, 1, 1'000'000, "steps");
    rules.translate = options.truth("translate", rules.translate, "seen from the vehicle");
    rules.width = options.number("width", rules.width, 20, 1e6, "of the field");
    rules.original = options.truth("original", rules.original, "the original's first frames");
    return rules;
}

Minefield::Minefield(const Rules& rules)
    : EntityGame("Minefield",
                 {.observations = {thingsOf("Vehicle", {"x_pos", "y_pos", "direction", "step"}),
                                   thingsOf("Mine", {"x_pos", "y_pos"}),
                                   thingsOf("Target", {"x_pos", "y_pos"})},
                  .actions = {choiceOf("move", {"turn left", "move forward", "turn right"})}}),
      m_rules(rules) {}

bool Minefield::areWithin(const Point& a, const Point& b, double reach) {
    const double x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y < reach * reach;
}

void Minefield::begin(Rng& rng) {
    const auto place = [&] {
        const double x = m_rules.width * (rng.uniform() - 0.5);
        return Point{x, m_rules.width * (rng.uniform() - 0.5)};
    };
    m_vehicle = place();
    do m_target = place();
    while (!m_rules.original && areWithin(m_vehicle, m_target, kReach));
    m_direction = 2 * std::numbers::pi * rng.uniform();
    m_mines.clear();
    for (int i = 0; i < m_rules.maxMines; ++i) {
        const Point mine = place();
        const auto isNear = [&](const Point& other) { return areWithin(mine, other, kApart); };
        if (!isNear(m_vehicle) && !isNear(m_target) && std::ranges::none_of(m_mines, isNear))
            m_mines.push_back(mine);
    }
    if (!m_rules.original) m_step = 0;
}

void Minefield::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    constexpr double kWhole = 2 * std::numbers::pi;
    const std::int64_t choice = taken[0].indices[0];
    if (choice == kForward) {
        m_vehicle.x += kStride * std::cos(m_direction);
        m_vehicle.y += kStride * std::sin(m_direction);
    } else {
        // The rest of a division by a whole turn, which is a subtraction as a rule.
        const double turned = m_direction + (choice == kTurnLeft ? kWhole - kTurn : kTurn);
        m_direction = turned < kWhole       ? turned
                      : turned < 2 * kWhole ? turned - kWhole
                                            : std::fmod(turned, kWhole);
    }
    ++m_step;
    const auto isReached = [&](const Point& other) { return areWithin(m_vehicle, other, kReach); };
    if (isReached(m_target))
        end(result, 1, EpisodeEnd::Success);
    else if (std::ranges::any_of(m_mines, isReached))
        end(result, 0, EpisodeEnd::Failure);
    else
        end(result, 0, m_step >= m_rules.maxSteps ? EpisodeEnd::TimeOut : EpisodeEnd::None);
}

void Minefield::observe(FrameWriter& out) const {
    const std::span<float> vehicle = out.things(kVehicle, 1);
    vehicle[0] = static_cast<float>(m_vehicle.x);
    vehicle[1] = static_cast<float>(m_vehicle.y);
    vehicle[2] = static_cast<float>(m_direction);
    vehicle[3] = static_cast<float>(m_step);
    const Point origin = m_rules.translate ? m_vehicle : Point{};
    const auto put = [&](std::span<float> place, const Point& point) {
        place[0] = static_cast<float>(point.x - origin.x);
        place[1] = static_cast<float>(point.y - origin.y);
    };
    std::span<float> mines = out.things(kMine, std::ssize(m_mines));
    for (const Point& mine : m_mines) {
        put(mines, mine);
        mines = mines.subspan(2);
    }
    put(out.things(kTarget, 1), m_target);
    out.addActors(0, 0, 1);
}

nlohmann::json Minefield::toJson() const {
    nlohmann::json mines = nlohmann::json::array();
    for (const Point& mine : m_mines) mines.push_back({mine.x, mine.y});
    return {{"vehicle", {m_vehicle.x, m_vehicle.y, m_direction}},
            {"target", {m_target.x, m_target.y}},
            {"mines", std::move(mines)},
            {"step", m_step}};
}

void Minefield::fromJson(const nlohmann::json& state) {
    const auto vehicle = state.at("vehicle").get<std::array<double, 3>>();
    const auto target = state.at("target").get<std::array<double, 2>>();
    const auto places = state.at("mines").get<std::vector<std::array<double, 2>>>();
    m_step = state.at("step");
    m_vehicle = {vehicle[0], vehicle[1]};
    m_direction = vehicle[2];
    m_target = {target[0], target[1]};
    m_mines.clear();
    for (const auto& place : places) m_mines.push_back({place[0], place[1]});
}

}  // namespace orrery
