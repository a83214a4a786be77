#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/env/frame_insight.h"
#include "core/env/hand_play.h"
#include "core/env/observation_text.h"

namespace orrery {

/// One frame of an episode: what is seen, what came of the step before, and what is done in it.
struct EntityFrame {
    std::int64_t id = 0;  ///< of all frames of a session
    Observation seen = {};
    std::vector<ObservedThing> things = {};
    Picture picture = {};
    double reward = 0;                                 ///< of the step that led here
    EpisodeEnd end = EpisodeEnd::None;                 ///< likewise
    std::vector<ActionTaken> taken = {};               ///< [actions]; empty: nothing was done yet
    std::optional<Advice> advice = {};                 ///< the agent's; nothing: not known yet
    std::shared_ptr<const FrameInsight> insight = {};  ///< if it was asked for
    bool isAsked = false, isInsideAsked = false;       ///< the agent is at it
    /// As a training had them, of frames that it gave; nothing of others.
    std::optional<double> value = {}, advantage = {};

    /// Nothing follows it, and nothing is worth anything.
    bool isFinal() const { return end == EpisodeEnd::Success || end == EpisodeEnd::Failure; }
};

/// The frames of one environment, and the play that goes on from the last of them; without one they
/// were given by a training.
struct EntityEpisode {
    QString name = {};  ///< "Seed 1"
    std::unique_ptr<HandPlay> play = {};
    std::vector<EntityFrame> frames = {};  ///< at least one
    std::size_t shown = 0;
    std::int64_t firstStep = 0;  ///< of the first frame: a training's may begin within an episode

    const EntityFrame& frame() const { return frames[shown]; }
    bool isAtEnd() const { return shown + 1 == frames.size(); }
};

/// "Robot 1": things of a type are counted from 0.
QString thingName(const EnvironmentSpaces& spaces, const std::vector<ObservedThing>& things,
                  std::size_t thing);
/// How many options a decider has in a frame, those that are not allowed too.
std::int64_t numOptions(const EnvironmentSpaces& spaces, const Observation& seen,
                        std::size_t action);
/// Who decides it in a frame.
std::int64_t numDeciders(const EnvironmentSpaces& spaces, const Observation& seen,
                         std::size_t action);
bool isAllowed(const EnvironmentSpaces& spaces, const Observation& seen, std::size_t action,
               std::int64_t decider, std::int64_t option);
/// The thing that acts; -1: the game does.
std::int64_t actorOf(const EnvironmentSpaces& spaces, const Observation& seen, std::size_t action,
                     std::int64_t decider);
/// "Up", or "Mine 2".
QString optionName(const EnvironmentSpaces& spaces, const EntityFrame& frame, std::size_t action,
                   std::int64_t option);
/// Of all that is decided in a frame, nats.
double entropyOf(const Advice& advice);

}  // namespace orrery
