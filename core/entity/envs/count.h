#pragma once

#include "core/entity/entity_game.h"
#include "core/env/env_options.h"

namespace orrery {

/// How many beans there are: one choice, some of the wrong ones being ruled out.
/// Source: entity-gym's Count.
class Count : public EntityGame {
public:
    struct Rules {
        int maskedChoices = 10;
    };
    static Rules rulesOf(EnvOptions& options);
    explicit Count(const Rules& rules);

private:
    enum Type : std::size_t { kPlayer, kBean };

    void begin(Rng& rng) override;
    void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) override;
    void observe(FrameWriter& out) const override;
    nlohmann::json toJson() const override;
    void fromJson(const nlohmann::json& state) override;

    Rules m_rules;
    int m_count = 0;
    std::vector<std::uint8_t> m_allowed;  // [choices]; empty: all, once it is over
};

}  // namespace orrery
