#pragma once

#include <chrono>
#include <condition_variable>
#include <stop_token>

#include "core/base/mutex.h"

namespace orrery {

/// Waits for `duration`, or until a stop is requested.
inline void sleepUnlessStopped(std::chrono::nanoseconds duration, const std::stop_token& stop) {
    Mutex mutex;
    std::condition_variable_any stopped;
    MutexLock lock(mutex);
    stopped.wait_for(lock, stop, duration, [] { return false; });
}

}  // namespace orrery
