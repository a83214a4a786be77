#pragma once

#include <cstdint>
#include <span>

#include "core/env/environment.h"

namespace orrery {

/// An environment whose steps are asked for first and taken afterwards, so that those which go
/// together make them at once: all ask, then all send, then all take. For one alone there are
/// reset() and step(), as ever.
class DeferredEnvironment : public Environment {
public:
    virtual void askReset(std::uint64_t seed) = 0;
    /// @param taken  of what the last observation offered
    virtual void askStep(std::span<const ActionTaken> taken) = 0;
    /// Sends what it and those that it goes together with were asked for.
    virtual void send() = 0;
    /// What came of it. Those that go together may take at the same time.
    /// @throws Error (BadInput, Failed) naming environment, step and field
    virtual void takeReset(Observation& out) = 0;
    virtual void takeStep(StepResult& result, Observation& out) = 0;
    /// Whether the last setState() went on where state() was; else it began an episode.
    virtual bool hasGoneOn() const = 0;

    void reset(std::uint64_t seed, Observation& out) final {
        askReset(seed);
        send();
        takeReset(out);
    }
    void step(std::span<const ActionTaken> taken, StepResult& result, Observation& out) final {
        askStep(taken);
        send();
        takeStep(result, out);
    }
};

}  // namespace orrery
