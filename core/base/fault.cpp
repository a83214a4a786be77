#include "core/base/fault.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/mutex.h"
#include "core/base/text.h"

namespace orrery {

namespace {

enum class Action { Kill, Throw, Nan, Delay, Short, Errno };

struct Plan {
    std::string name;  // without the final '*'
    bool prefix = false;
    Action action = Action::Kill;
    int number = 0;  // the errno value, or milliseconds
    std::int64_t from = 1;
    bool forEver = false;
    std::int64_t hits = 0;
};

constexpr std::array<std::pair<std::string_view, int>, 13> kErrnoNames{{{"enospc", ENOSPC},
                                                                        {"eio", EIO},
                                                                        {"eintr", EINTR},
                                                                        {"emfile", EMFILE},
                                                                        {"enfile", ENFILE},
                                                                        {"erofs", EROFS},
                                                                        {"eacces", EACCES},
                                                                        {"edquot", EDQUOT},
                                                                        {"enoent", ENOENT},
                                                                        {"enomem", ENOMEM},
                                                                        {"ebadf", EBADF},
                                                                        {"efbig", EFBIG},
                                                                        {"eperm", EPERM}}};

struct Plans {
    Mutex mutex;
    std::vector<Plan> list ORRERY_GUARDED_BY(mutex);
    std::uint64_t hits ORRERY_GUARDED_BY(mutex) = 0;
};

Plans& plans() {
    static Plans all;
    return all;
}

[[noreturn]] void reject(std::string_view plan, std::string_view why) {
    throw Error("Fault plan '" + escaped(plan) + "': " + std::string(why) +
                    ". Write name:action@n with an action of kill, throw, nan, delay=MS, short or "
                    "an errno name such as enospc.",
                Error::Kind::BadInput);
}

void setAction(Plan& plan, std::string_view action, std::string_view whole) {
    if (action == "kill") {
        plan.action = Action::Kill;
    } else if (action == "throw") {
        plan.action = Action::Throw;
    } else if (action == "nan") {
        plan.action = Action::Nan;
    } else if (action == "short") {
        plan.action = Action::Short;
    } else if (action.starts_with("delay=")) {
        const auto milliseconds = parseInt(action.substr(6));
        if (!milliseconds || *milliseconds < 0 || *milliseconds > 3'600'000)
            reject(whole, "the delay is no number of milliseconds");
        plan.action = Action::Delay;
        plan.number = static_cast<int>(*milliseconds);
    } else {
        for (const auto& [name, value] : kErrnoNames)
            if (action == name) plan.number = value;
        if (plan.number == 0) reject(whole, "the action is unknown");
        plan.action = Action::Errno;
    }
}

Plan parsePlan(std::string_view text) {
    Plan plan;
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) reject(text, "there is no name or action");
    std::string_view name = text.substr(0, colon);
    std::string_view action = text.substr(colon + 1);
    plan.prefix = name.ends_with('*');
    if (plan.prefix) name.remove_suffix(1);
    plan.name = name;
    if (const std::size_t at = action.find('@'); at != std::string_view::npos) {
        std::string_view count = action.substr(at + 1);
        plan.forEver = count.ends_with('+');
        if (plan.forEver) count.remove_suffix(1);
        const auto from = parseInt(count);
        if (!from || *from < 1) reject(text, "the number after @ is not 1 or more");
        plan.from = *from;
        action = action.substr(0, at);
    }
    setAction(plan, action, text);
    return plan;
}

void replacePlans(std::string_view text) {
    std::vector<Plan> list;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        if (!part.empty()) list.push_back(parsePlan(part));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    const MutexLock lock(plans().mutex);
    plans().hits = 0;
    plans().list = std::move(list);
    detail::faultMode.store(plans().list.empty() ? 0 : 1);
}

/// A broken ORRERY_FAULT ends the program: a test that injects nothing must not pass.
void readEnvironment() noexcept {
    static std::once_flag once;
    std::call_once(once, [] {
        if (detail::faultMode.load() != 2) return;
        const char* const text = std::getenv("ORRERY_FAULT");  // NOLINT(concurrency-mt-unsafe)
        replacePlans(text != nullptr ? text : "");
    });
}

/// The plan that this pass of `name` triggers, if any.
std::optional<Plan> pass(std::string_view name) {
    if (detail::faultMode.load() == 2) readEnvironment();
    const MutexLock lock(plans().mutex);
    std::optional<Plan> triggered;
    for (Plan& plan : plans().list) {
        if (plan.prefix ? !name.starts_with(plan.name) : name != plan.name) continue;
        ++plans().hits;
        ++plan.hits;
        if (!triggered && (plan.forEver ? plan.hits >= plan.from : plan.hits == plan.from))
            triggered = plan;
    }
    return triggered;
}

/// Acts on all but Nan, Short and Errno.
void act(const Plan& plan, std::string_view name) {
    if (plan.action == Action::Kill) ::kill(::getpid(), SIGKILL);
    if (plan.action == Action::Delay)
        std::this_thread::sleep_for(std::chrono::milliseconds(plan.number));
    if (plan.action == Action::Throw)
        throw Error("A fault was asked for at '" + std::string(name) +
                    "'. Unset ORRERY_FAULT to run without.");
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): the one switch of all faults
std::atomic<int> detail::faultMode{2};

void setFaults(std::string_view text) {
    replacePlans(text);
}

std::uint64_t faultHits() {
    const MutexLock lock(plans().mutex);
    return plans().hits;
}

int detail::hitFault(std::string_view name) {
    const auto plan = pass(name);
    if (!plan) return 0;
    act(*plan, name);
    if (plan->action == Action::Short) return kFaultShort;
    return plan->action == Action::Errno ? plan->number : 0;
}

bool detail::hitNan(std::string_view name) {
    const auto plan = pass(name);
    if (!plan) return false;
    act(*plan, name);
    return plan->action == Action::Nan;
}

void detail::hitPoint(std::string_view name) {
    const auto plan = pass(name);
    if (!plan) return;
    act(*plan, name);
    if (plan->action == Action::Errno)
        throw Error("A fault was asked for at '" + std::string(name) + "': " +
                        strerrorname_np(plan->number) + ". Unset ORRERY_FAULT to run without.",
                    Error::Kind::Resource);
}

}  // namespace orrery
