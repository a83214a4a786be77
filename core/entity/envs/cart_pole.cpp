#include "core/entity/envs/cart_pole.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace orrery {

namespace {

constexpr double kGravity = 9.8, kPoleMass = 0.1, kMass = 1.1;  // kg; of cart and pole
constexpr double kHalfLength = 0.5, kForce = 10, kStepSeconds = 0.02;
constexpr double kFarthestCart = 2.4, kSteepest = 12 * std::numbers::pi / 180;
constexpr int kMostSteps = 500;
constexpr double kStart = 0.05;  // each number begins within it

}  // namespace

CartPole::CartPole()
    : EntityGame("CartPole",
                 {.observations = {thingsOf("Cart", {"x_pos", "velocity", "angle", "turning"})},
                  .actions = {choiceOf("push", {"left", "right"})}}) {}

void CartPole::begin(Rng& rng) {
    for (double* number : {&m_position, &m_speed, &m_angle, &m_turning})
        *number = kStart * (2 * rng.uniform() - 1);
    m_step = 0;
}

void CartPole::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    const double force = taken[0].indices[0] == 1 ? kForce : -kForce;
    const double cosine = std::cos(m_angle), sine = std::sin(m_angle);
    const double common = (force + kPoleMass * kHalfLength * m_turning * m_turning * sine) / kMass;
    const double turn = (kGravity * sine - cosine * common) /
                        (kHalfLength * (4.0 / 3.0 - kPoleMass * cosine * cosine / kMass));
    const double push = common - kPoleMass * kHalfLength * turn * cosine / kMass;
    m_position += kStepSeconds * m_speed;
    m_speed += kStepSeconds * push;
    m_angle += kStepSeconds * m_turning;
    m_turning += kStepSeconds * turn;
    ++m_step;
    const bool hasFallen = std::abs(m_position) > kFarthestCart || std::abs(m_angle) > kSteepest;
    end(result, 1,
        hasFallen              ? EpisodeEnd::Failure
        : m_step >= kMostSteps ? EpisodeEnd::TimeOut
                               : EpisodeEnd::None);
}

void CartPole::observe(FrameWriter& out) const {
    const std::span<float> cart = out.things(0, 1);
    cart[0] = static_cast<float>(m_position);
    cart[1] = static_cast<float>(m_speed);
    cart[2] = static_cast<float>(m_angle);
    cart[3] = static_cast<float>(m_turning);
    out.addActors(0, 0, 1);
}

nlohmann::json CartPole::toJson() const {
    return {{"cart", {m_position, m_speed, m_angle, m_turning}}, {"step", m_step}};
}

void CartPole::fromJson(const nlohmann::json& state) {
    const auto cart = state.at("cart").get<std::array<double, 4>>();
    m_step = state.at("step");
    m_position = cart[0];
    m_speed = cart[1];
    m_angle = cart[2];
    m_turning = cart[3];
}

}  // namespace orrery
