#pragma once

#include "core/replay/replay_buffer.h"
#include "tests/core/replay/made_transitions.h"

namespace orrery::test {

/// Episodes of `length` steps, one training step after each transition.
inline void fill(ReplayBuffer& buffer, int from, int to, int length = 7) {
    for (int i = from; i < to; ++i) buffer.add(madeTransition(i / length, i % length), i);
}

}  // namespace orrery::test
