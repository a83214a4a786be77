#pragma once

#include "core/entity/entity_game.h"
#include "core/env/env_options.h"

namespace orrery {

/// Whether a thing is a hot dog; sometimes it is a Hotdog by type. One step. `original`: the
/// choices mean the contrary. Source: entity-gym's NotHotdog.
class NotHotdog : public EntityGame {
public:
    struct Rules {
        bool original = false;
    };
    static Rules rulesOf(EnvOptions& options);
    explicit NotHotdog(const Rules& rules);

private:
    enum Type : std::size_t { kPlayer, kObject, kHotdog };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Rules m_rules;
    bool m_isHotdog = false;
    bool m_hasHotdogThing = false;  // it is shown as a thing of that type
    int m_step = 0;
};

}  // namespace orrery
