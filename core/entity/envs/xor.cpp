#include "core/entity/envs/xor.h"

#include <nlohmann/json.hpp>

namespace orrery {

namespace {

float numberOf(bool bit) {
    return bit ? 1.F : 0.F;
}

}  // namespace

Xor::Xor()
    : EntityGame("Xor", {.observations = {thingsOf("Input", {"is_set"}), globalsOf({"negate"})},
                         .actions = {globalChoiceOf("output", {"0", "1"})}}) {}

void Xor::begin(Rng& rng) {
    const std::uint64_t bits = rng.below(8);
    m_first = (bits & 1) != 0;
    m_second = (bits & 2) != 0;
    m_isNegated = (bits & 4) != 0;
}

void Xor::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    const bool isRight = (taken[0].indices[0] == 1) == ((m_first != m_second) != m_isNegated);
    end(result, isRight ? 1 : 0, isRight ? EpisodeEnd::Success : EpisodeEnd::Failure);
}

void Xor::observe(FrameWriter& out) const {
    const std::span<float> inputs = out.things(kInput, 2);
    inputs[0] = numberOf(m_first);
    inputs[1] = numberOf(m_second);
    out.array(kGlobal)[0] = numberOf(m_isNegated);
}

nlohmann::json Xor::toJson() const {
    return {{"bit1", numberOf(m_first)},
            {"bit2", numberOf(m_second)},
            {"negate", numberOf(m_isNegated)}};
}

void Xor::fromJson(const nlohmann::json& state) {
    const bool first = state.at("bit1").get<double>() != 0,
               second = state.at("bit2").get<double>() != 0,
               isNegated = state.at("negate").get<double>() != 0;
    m_first = first;
    m_second = second;
    m_isNegated = isNegated;
}

}  // namespace orrery
