#pragma once

#include <vector>

#include "core/env/environment.h"

namespace orrery {

/// What a policy says of a frame.
struct Advice {
    /// [actions][deciders x choices or candidates], as the frame offers them; 0 where nothing is
    /// allowed. Actions that are vectors of numbers: empty.
    std::vector<std::vector<double>> probabilities = {};
    double value = 0;  ///< of what is still to come

    /// The likeliest of a decider's options, the first of equals; -1 where none is possible.
    std::int64_t likeliest(std::size_t action, std::int64_t decider, std::int64_t options) const;
};

/// A policy that was learned, as it stands in a checkpoint. One thread.
class AdvisingPolicy {
public:
    AdvisingPolicy() = default;
    AdvisingPolicy(const AdvisingPolicy&) = delete;
    AdvisingPolicy& operator=(const AdvisingPolicy&) = delete;
    virtual ~AdvisingPolicy() = default;

    /// Of the environment that it acts in.
    virtual const EnvironmentSpaces& spaces() const = 0;
    /// Acts in another one from now on, which may show more features, or in another order.
    /// @throws Error (BadInput) naming what it cannot do without, or does not know
    virtual void actIn(const EnvironmentSpaces& spaces) = 0;
    /// @param seen  fits the spaces
    virtual Advice advise(const Observation& seen) = 0;
};

}  // namespace orrery
