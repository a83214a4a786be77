#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/env/environment.h"
#include "core/env/observation_text.h"

namespace orrery {

/// An episode that a person plays, one decision after the other: of each action, of each that
/// decides it. When all are made the environment takes a step. Each can be taken back, steps too.
/// One thread.
class HandPlay {
public:
    /// What is to be decided now.
    struct Decision {
        struct Option {
            std::int64_t value = 0;   ///< what choose() takes
            std::int64_t thing = -1;  ///< that is selected; -1: it is a named choice
            std::string name;         ///< "Up", or the thing's text
        };
        std::size_t action = 0;
        std::int64_t decider = 0;  ///< of the action
        std::int64_t actor = -1;   ///< the thing that acts; -1: the game does
        /// Those that are allowed, at least one: where nobody has anything to decide, to go on.
        std::vector<Option> options = {};
    };

    /// Begins an episode.
    /// @throws Error (BadInput) where actions are vectors of numbers, which nobody types
    HandPlay(std::unique_ptr<Environment> environment, std::uint64_t seed);
    /// Goes on from what Environment::state() gave. @throws Error also (Damaged)
    HandPlay(std::unique_ptr<Environment> environment, std::string_view state);

    const Environment& environment() const { return *m_environment; }
    const EnvironmentSpaces& spaces() const { return m_environment->spaces(); }
    const Observation& seen() const { return m_seen; }
    const std::vector<ObservedThing>& things() const { return m_things; }
    std::string thingText(std::int64_t thing) const {
        return textOf(spaces(), m_things[static_cast<std::size_t>(thing)]);
    }

    /// Null once the episode is over.
    const Decision* decision() const { return isOver() ? nullptr : &m_decision; }
    /// @param value  of one of the options
    void choose(std::int64_t value);
    /// What is not decided in this step yet, in the order in which it is asked for.
    struct Open {
        std::size_t action = 0;
        std::int64_t decider = 0;
        std::int64_t actor = -1;  ///< as Decision::actor
    };
    std::vector<Open> open() const;
    /// Asks for one of those next.
    void turnTo(const Open& open);
    /// What has been decided in this step so far, [actions]; kUndecided of a decider: not yet; -1:
    /// it has nothing to choose from.
    const std::vector<ActionTaken>& taken() const { return m_taken; }

    static constexpr std::int64_t kUndecided = -2;

    bool canGoBack() const { return !m_moments.empty() || !m_made.empty(); }
    /// Takes the last decision back; where none is made, the last step.
    void goBack();

    std::int64_t steps() const { return m_now.steps; }
    double reward() const { return m_now.reward; }  ///< of the last step
    double total() const { return m_now.total; }    ///< of the episode so far
    EpisodeEnd end() const { return m_now.end; }
    bool isOver() const { return m_now.end != EpisodeEnd::None; }

private:
    struct Moment {
        std::string state = {};
        std::int64_t steps = 0;
        double reward = 0, total = 0;
        EpisodeEnd end = EpisodeEnd::None;
    };

    void checkActions() const;
    void see();
    void findDecision();
    bool canDecide(std::size_t action, std::int64_t decider) const;
    Decision decisionAt(std::size_t action, std::int64_t decider) const;
    void step();

    std::unique_ptr<Environment> m_environment;
    Observation m_seen;
    std::vector<ObservedThing> m_things;
    std::vector<ActionTaken> m_taken;
    struct Made {
        std::size_t action = 0, decider = 0;
    };
    std::vector<Made> m_made;  // the decisions made in this step, in their order
    Decision m_decision;
    Moment m_now;
    std::vector<Moment> m_moments;  // before each step
};

}  // namespace orrery
