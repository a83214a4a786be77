#include "core/entity/envs/move_to_origin.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace orrery {

namespace {

constexpr std::array<double, 5> kThrust{0.01, 0.001, 0, -0.001, -0.01};
constexpr int kFlightSteps = 32;

}  // namespace

MoveToOrigin::MoveToOrigin()
    : EntityGame("MoveToOrigin",
                 {.observations = {thingsOf(
                      "Spaceship", {"x_pos", "y_pos", "x_velocity", "y_velocity", "step"})},
                  .actions = {choiceOf("horizontal_thruster", {"100% right", "10% right", "hold",
                                                               "10% left", "100% left"}),
                              choiceOf("vertical_thruster",
                                       {"100% up", "10% up", "hold", "10% down", "100% down"})}}) {}

void MoveToOrigin::begin(Rng& rng) {
    const double angle = 2 * std::numbers::pi * rng.uniform();
    m_x = std::cos(angle);
    m_y = std::sin(angle);
    m_speedX = m_speedY = 0;
    m_step = 0;
}

void MoveToOrigin::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    const double before = std::hypot(m_x, m_y);
    m_speedX += kThrust[static_cast<std::size_t>(taken[kHorizontal].indices[0])];
    m_speedY += kThrust[static_cast<std::size_t>(taken[kVertical].indices[0])];
    m_x += m_speedX;
    m_y += m_speedY;
    ++m_step;
    end(result, before - std::hypot(m_x, m_y),
        m_step >= kFlightSteps ? EpisodeEnd::Success : EpisodeEnd::None);
}

void MoveToOrigin::observe(FrameWriter& out) const {
    const std::span<float> ship = out.things(0, 1);
    ship[0] = static_cast<float>(m_x);
    ship[1] = static_cast<float>(m_y);
    ship[2] = static_cast<float>(m_speedX);
    ship[3] = static_cast<float>(m_speedY);
    ship[4] = static_cast<float>(m_step);
    out.addActors(kHorizontal, 0, 1);
    out.addActors(kVertical, 0, 1);
}

nlohmann::json MoveToOrigin::toJson() const {
    return {{"pos", {m_x, m_y}}, {"velocity", {m_speedX, m_speedY}}, {"step", m_step}};
}

void MoveToOrigin::fromJson(const nlohmann::json& state) {
    using Pair = std::array<double, 2>;
    const auto place = state.at("pos").get<Pair>(), speed = state.at("velocity").get<Pair>();
    m_step = state.at("step");
    m_x = place[0];
    m_y = place[1];
    m_speedX = speed[0];
    m_speedY = speed[1];
}

}  // namespace orrery
