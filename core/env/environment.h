#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/env/picture.h"
#include "core/env/spaces.h"

namespace orrery {

/// What is observed of one ObservedSpace. Reused from step to step, so that a warm one allocates
/// nothing.
struct ObservedPart {
    std::vector<float> values;  ///< [elements, shape of an element]
    /// [depth][n + 1] where rows begin, outermost first: the last one counts elements, each other
    /// the rows of the next. Entities: one, {0, number of them}. Arrays: none.
    std::vector<std::vector<std::int64_t>> begins;
    /// [elements] Entities: 1 where whoever acts may know of the thing, 0 where only its value
    /// does; empty: all are known.
    std::vector<std::uint8_t> visible = {};

    bool operator==(const ObservedPart&) const = default;
};

/// Who decides one ActionSpace, and among what.
struct ActionOffer {
    /// Things that act, as indices into all observed entities in the order of the spaces; of an
    /// action that is decided once a step, nothing.
    std::vector<std::int64_t> actors;
    /// Things that can be selected, likewise. Other actions: nothing.
    std::vector<std::int64_t> candidates;
    /// [deciders x choices or candidates] 1 where allowed; empty: all are. A decider has at least
    /// one that is. Numbers: nothing.
    std::vector<std::uint8_t> allowed;

    bool operator==(const ActionOffer&) const = default;
};

struct Observation {
    std::vector<ObservedPart> parts;  ///< in the order of the spaces
    std::vector<ActionOffer> offers;  ///< in the order of the spaces
    /// What the step tells beside its rewards, in the order of the spaces, NaN where it has nothing
    /// to tell; empty: nothing at all.
    std::vector<double> metrics = {};

    bool operator==(const Observation&) const = default;
};

/// What is decided of one ActionSpace.
struct ActionTaken {
    /// [deciders] Choice: of the choices; Select: of the candidates.
    std::vector<std::int64_t> indices;
    std::vector<float> numbers;  ///< [deciders x size] Numbers
};

/// Why an episode is over.
enum class EpisodeEnd : std::uint8_t {
    None,     ///< it goes on
    Success,  ///< what was to be done is done: nothing follows
    Failure,  ///< nothing follows, and it was not done
    TimeOut,  ///< it was cut off; what would have followed has a value of its own
};

struct StepResult {
    std::vector<double> rewards;  ///< in the order of the spaces
    EpisodeEnd end = EpisodeEnd::None;
};

/// What is acted in and only sampled: one game, one thread. An episode is a function of its seed
/// and of what was decided in it, on every machine.
///
/// Worlds with exact probabilities are a World (core/world); this is what learners need.
class Environment {
public:
    Environment() = default;
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    virtual ~Environment() = default;

    virtual const EnvironmentSpaces& spaces() const = 0;

    /// Begins an episode. @param out  is filled whole
    virtual void reset(std::uint64_t seed, Observation& out) = 0;
    /// One step, after reset() or setState(), while the episode is not over.
    /// @param taken  [actions] of what `out` of the last call offered
    /// @throws Error (BadInput) an action that was not offered
    virtual void step(std::span<const ActionTaken> taken, StepResult& result, Observation& out) = 0;

    /// All that decides how the episode goes on, generators included, as one line of JSON.
    virtual std::string state() const = 0;
    /// Goes on from what state() gave. @throws Error (Damaged) where it cannot have
    virtual void setState(std::string_view json, Observation& out) = 0;

    /// What is true but not observed. @param out  [facts of the spaces]
    virtual void facts(std::span<double> /*out*/) const {}
    /// What a person sees of it now. @param wish  what is asked for; more may be given
    virtual Picture picture(const PictureWish& wish) const = 0;
};

/// Where an observation does not fit its spaces, a line each: shapes, nesting, numbers that are not
/// finite or out of range, offers that nobody can follow. For environments that others write;
/// costs a pass over all numbers.
std::vector<std::string> problemsOf(const EnvironmentSpaces& spaces,
                                    const Observation& observation);

/// Why what was decided does not fit what was offered; empty: it does.
std::string problemOf(const EnvironmentSpaces& spaces, const Observation& offered,
                      std::span<const ActionTaken> taken);

}  // namespace orrery
