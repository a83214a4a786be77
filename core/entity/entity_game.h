#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "core/entity/frame_writer.h"
#include "core/entity/picture_of_things.h"
#include "core/env/environment.h"

namespace orrery {

/// What environments of things have in common: a generator of their own, what was offered, and
/// their state as JSON. A game says how it begins, what an action does, and what is seen of it.
class EntityGame : public Environment {
public:
    const EnvironmentSpaces& spaces() const final { return m_spaces; }
    void reset(std::uint64_t seed, Observation& out) final;
    void step(std::span<const ActionTaken> taken, StepResult& result, Observation& out) final;
    /// The game's own, and the generator under "rng".
    std::string state() const final;
    void setState(std::string_view json, Observation& out) final;
    /// By the features that are positions (picture_of_things.h).
    Picture picture(const PictureWish& wish) const override;

protected:
    EntityGame(std::string name, EnvironmentSpaces spaces);

    virtual void begin(Rng& rng) = 0;
    /// A step. @param taken  each choice in its range, -1 where nothing was allowed
    virtual void act(std::span<const ActionTaken> taken, Rng& rng, StepResult& result) = 0;
    virtual void observe(FrameWriter& out) const = 0;
    /// What a picture shows at least, such as a board; nothing: all things.
    virtual std::optional<PlaneArea> area() const { return {}; }
    virtual nlohmann::json toJson() const = 0;
    /// Takes what toJson() gave; throws anything of nlohmann::json or Error where it cannot.
    virtual void fromJson(const nlohmann::json& state) = 0;

    /// What a step comes to.
    static void end(StepResult& result, double reward, EpisodeEnd end) {
        result.rewards.assign(1, reward);
        result.end = end;
    }

private:
    void show(Observation& out);

    std::string m_name;  // in messages
    EnvironmentSpaces m_spaces;
    Rng m_rng{0};
    /// Of each action, what was offered: who decides, and among how many.
    struct Offered {
        std::int64_t deciders = 0, options = 0;
        bool isLimited = false;  // some of it is not allowed
    };
    std::vector<Offered> m_offered;
};

/// A type of things, as games write their spaces.
ObservedSpace thingsOf(std::string name, std::vector<std::string> features);
/// Global features: an array with the name that the entity stack gives it.
ObservedSpace globalsOf(std::vector<std::string> features);
/// Actions of things, of the whole game, and of things upon things.
ActionSpace choiceOf(std::string name, std::vector<std::string> choices);
ActionSpace globalChoiceOf(std::string name, std::vector<std::string> choices);
ActionSpace selectionOf(std::string name);

inline constexpr char kGlobals[] = "__global__";

}  // namespace orrery
