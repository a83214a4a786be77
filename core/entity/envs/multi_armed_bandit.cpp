#include "core/entity/envs/multi_armed_bandit.h"

#include <nlohmann/json.hpp>

namespace orrery {

namespace {

constexpr int kPulls = 32;

}  // namespace

MultiArmedBandit::MultiArmedBandit()
    : EntityGame("MultiArmedBandit",
                 {.observations = {globalsOf({"step"})},
                  .actions = {globalChoiceOf("pull", {"A", "B", "C", "D", "E"})}}) {}

void MultiArmedBandit::begin(Rng& /*rng*/) {
    m_step = 0;
}

void MultiArmedBandit::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    ++m_step;
    end(result, taken[0].indices[0] == 0 ? 1.0 / kPulls : 0,
        m_step >= kPulls ? EpisodeEnd::Success : EpisodeEnd::None);
}

void MultiArmedBandit::observe(FrameWriter& out) const {
    out.array(0)[0] = static_cast<float>(m_step);
}

nlohmann::json MultiArmedBandit::toJson() const {
    return {{"step", m_step}};
}

void MultiArmedBandit::fromJson(const nlohmann::json& state) {
    m_step = state.at("step");
}

}  // namespace orrery
