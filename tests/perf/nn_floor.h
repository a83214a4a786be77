#pragma once

#include <cstdint>

#include "core/empo/nets/net_spec.h"

namespace orrery::perf {

/// What one training step of V_h^e, X_h and Q_r computes with.
struct FloorShape {
    NetSpec spec;
    std::int64_t states = 0;   ///< unique states that the target networks read
    std::int64_t current = 0;  ///< those that the trained networks read
    std::int64_t humans = 1;
    std::int64_t goals = 1;         ///< of all humans
    std::int64_t targetPairs = 0;   ///< (state, goal) of V_h^e's target network
    std::int64_t trainedPairs = 0;  ///< (state, goal) of V_h^e
};

struct FloorSpeed {
    double stepsPerSecond = 0;   ///< of CPU time, one thread
    double gigaflopPerStep = 0;  ///< as the dense layers have them, backward passes as two forward
    double gigaflops() const { return gigaflopPerStep * stepsPerSecond; }
};

/// The least that a training step costs: forward, backward and Adam on tensors that are ready.
/// Random states; no targets are computed and nothing is sampled.
/// @param seconds  at least so long, after some steps to warm up
FloorSpeed measureFloor(const FloorShape& shape, double seconds);

}  // namespace orrery::perf
