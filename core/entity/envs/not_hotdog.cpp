#include "core/entity/envs/not_hotdog.h"

#include <nlohmann/json.hpp>

namespace orrery {

NotHotdog::Rules NotHotdog::rulesOf(EnvOptions& options) {
    return {.original = options.truth("original", false, "the choices mean the contrary")};
}

NotHotdog::NotHotdog(const Rules& rules)
    : EntityGame("NotHotdog",
                 {.observations = {thingsOf("Player", {"step"}), thingsOf("Object", {"is_hotdog"}),
                                   thingsOf("Hotdog", {})},
                  .actions = {choiceOf("classify", {"hotdog", "not_hotdog"}),
                              choiceOf("unused_action", {"0", "1"})}}),
      m_rules(rules) {}

void NotHotdog::begin(Rng& rng) {
    const std::uint64_t bits = rng.below(4);
    m_isHotdog = (bits & 1) != 0;
    m_hasHotdogThing = m_isHotdog && (bits & 2) != 0;
    m_step = 0;
}

void NotHotdog::act(std::span<const ActionTaken> taken, Rng& /*rng*/, StepResult& result) {
    ++m_step;
    const bool saysHotdog = taken[0].indices[0] == 0;
    const bool isRight = m_rules.original ? saysHotdog != m_isHotdog : saysHotdog == m_isHotdog;
    end(result, isRight ? 1 : 0, isRight ? EpisodeEnd::Success : EpisodeEnd::Failure);
}

void NotHotdog::observe(FrameWriter& out) const {
    out.things(kPlayer, 1)[0] = static_cast<float>(m_step);
    if (m_hasHotdogThing)
        out.things(kHotdog, 1);
    else
        out.things(kObject, 1)[0] = m_isHotdog ? 1.F : 0.F;
    out.addActors(0, out.first(kPlayer), 1);
}

nlohmann::json NotHotdog::toJson() const {
    return {
        {"is_hotdog", m_isHotdog ? 1 : 0}, {"hotdog_object", m_hasHotdogThing}, {"step", m_step}};
}

void NotHotdog::fromJson(const nlohmann::json& state) {
    const bool isHotdog = state.at("is_hotdog").get<double>() != 0,
               hasThing = state.at("hotdog_object");
    const int step = state.at("step");
    m_isHotdog = isHotdog;
    m_hasHotdogThing = hasThing;
    m_step = step;
}

}  // namespace orrery
