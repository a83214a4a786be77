#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/base/thread_team.h"
#include "core/entity/frame_sizes.h"
#include "core/entity/vec_obs.h"
#include "core/env/deferred.h"

namespace orrery {

/// Many environments of the same spaces, acted in together. Where an episode ends the next one
/// begins at once: the frame is its first one, reward and end are those of the step before.
///
/// Environment i draws its seeds from Rng(seed, i), on over its episodes; frames do not depend on
/// the team's size.
/// Source: seed 004, "VecEnv / VecObs" and "Actions".
class VecEnv {
public:
    struct Rules {
        std::int64_t count = 1;
        std::uint64_t seed = 1;
        std::int64_t maxEpisodeSteps = 0;  ///< an episode is cut off after so many; 0: never
        bool validates = true;             ///< each frame is held against the spaces
    };

    /// @param make  each call gives one of the same spaces
    /// @param team  lives as long
    /// @throws Error (BadInput) of `make`, and for spaces that entityLayoutOf refuses
    VecEnv(const std::function<std::unique_ptr<Environment>()>& make, const Rules& rules,
           ThreadTeam& team);

    const EntityLayout& layout() const { return m_layout; }
    std::int64_t count() const { return std::ssize(m_places); }
    const Environment& environment(std::int64_t index) const {
        return *m_places[static_cast<std::size_t>(index)].environment;
    }

    /// Begins an episode everywhere.
    const VecObs& reset();
    /// A step everywhere. @param actions  -1 where a decider had nothing to choose from
    /// @throws Error (BadInput) naming environment and step
    const VecObs& act(const VecActions& actions);
    const VecObs& frames() const { return m_frames; }  ///< of the last call

    /// What was seen last of an episode that was cut off in the last step; null if it was not.
    const Observation* lastOf(std::int64_t environment) const;
    /// Steps of the episode, that of an ended one where the last step ended it.
    std::int64_t episodeSteps(std::int64_t environment) const {
        return m_places[static_cast<std::size_t>(environment)].steps;
    }
    /// What the environment told of the last step, or of the reset.
    const std::vector<double>& metrics(std::int64_t environment) const {
        return m_places[static_cast<std::size_t>(environment)].metrics;
    }

    /// All that decides how it goes on, an entry an environment: its state, generator and steps.
    std::vector<std::string> states() const;
    /// Goes on from what states() gave. @throws Error (Damaged)
    void setStates(const std::vector<std::string>& states);
    /// Whether an environment began an episode in setStates(), as it cannot go on from a state.
    bool hasBegunAnew(std::int64_t environment) const {
        const Place& place = m_places[static_cast<std::size_t>(environment)];
        return place.deferred != nullptr && !place.deferred->hasGoneOn();
    }

private:
    struct Place {
        std::unique_ptr<Environment> environment;
        Rng seeds;
        DeferredEnvironment* deferred = nullptr;  // the environment, where it is one
        std::int64_t steps = 0;
        bool isOver = false;  // by the last step
        StepResult result = {};
        std::vector<double> metrics = {};
        Observation last = {};  // of an episode that was cut off
        bool hasLast = false;
        std::vector<ActionTaken> taken = {};
    };
    static std::vector<Place> placesOf(const std::function<std::unique_ptr<Environment>()>& make,
                                       const Rules& rules);
    void choose(std::int64_t index, const VecActions& actions);
    void step(std::int64_t index, const VecActions& actions);
    void stepTogether(const VecActions& actions);
    void resetTogether(const std::function<bool(const Place&)>& isBegun);
    void endStep(std::int64_t index);
    void begin(std::int64_t index);
    /// What is seen now stands: its sizes, and whether it fits the spaces.
    void take(std::int64_t index);
    void assemble();
    void each(const std::function<void(std::int64_t index)>& body);

    Rules m_rules;
    ThreadTeam& m_team;
    std::vector<Place> m_places;
    bool m_isTogether = false;  // all are deferred
    EntityLayout m_layout;
    std::vector<Observation> m_seen;  // [environments]
    FrameSizes m_sizes;               // of them
    VecObs m_frames;
};

}  // namespace orrery
