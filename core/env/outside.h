#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "core/env/environment.h"

namespace orrery {

/// How environments are kept that other programs serve.
struct OutsideRules {
    int processes = 1;          ///< that they share, at most
    std::stop_token stop = {};  ///< nobody waits for them any more
    bool recordsSteps = true;   ///< so that a state is what was decided, if there is no other
    /// Asked when one was lost: whether it may be started again. Empty: it may not.
    std::function<bool()> mayRestart = {};
    /// Told of each that was lost, a line; one call at a time.
    std::function<void(const std::string& line)> say = {};
    /// Told once when one may not be started again; whoever acts is to stop: nothing is served any
    /// more, and what was seen last stays. Empty: an Error is thrown.
    std::function<void(const std::string& line)> giveUp = {};
    std::chrono::milliseconds silence{60'000};  ///< that one may keep
};

/// Makes environments that go together; each call one more of the same spaces.
using TogetherMaker = std::function<std::unique_ptr<Environment>()>;

}  // namespace orrery
