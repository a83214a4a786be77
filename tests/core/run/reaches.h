#pragma once

#include <chrono>
#include <functional>

#include "core/run/run.h"
#include "tests/support/wait_until.h"

namespace orrery::test {

/// True once the run's snapshot fulfils the condition; false if it ends before.
inline bool reaches(Run& run, const std::function<bool(const RunSnapshot&)>& condition) {
    bool isFulfilled = false;
    waitUntil([&] {
        const bool ended = run.waitFor(std::chrono::milliseconds(0));
        const auto snapshot = run.snapshot();
        isFulfilled = snapshot && condition(*snapshot);
        return isFulfilled || ended;
    });
    return isFulfilled;
}

}  // namespace orrery::test
