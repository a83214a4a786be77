#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace orrery {

/// Named places where tests let things go wrong. They are compiled in always and cost one relaxed
/// load when off. Plans come from setFaults or, once, from the environment variable ORRERY_FAULT:
///
///     ckpt.after_rename:kill@3,actor.step:throw@100,db.commit:enospc@2,file.*:eio@7+
///
/// A plan is `name:action`, with `@n` (the n-th hit only, default 1) or `@n+` (from the n-th on).
/// A name that ends in `*` matches every name with this beginning, in one common count.
/// Actions: kill (SIGKILL), throw (Error), nan, delay=MS, short (half of an I/O call), or an errno
/// name such as enospc, eio, eintr, emfile, erofs, eacces, edquot.
/// All functions may be called from any thread.

/// Replaces all plans and sets all counts to zero; an empty text turns faults off.
/// @throws Error (BadInput) naming the part that is wrong
void setFaults(std::string_view plans);

/// How often the plans' names were passed since setFaults.
std::uint64_t faultHits();

namespace detail {
/// 0: off or read from the environment and empty; 1: plans exist; 2: environment not read yet.
extern std::atomic<int> faultMode;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
int hitFault(std::string_view name);
bool hitNan(std::string_view name);
void hitPoint(std::string_view name);
}  // namespace detail

/// Returned by faultErrno for the action `short`.
inline constexpr int kFaultShort = -1;

/// A place with no result of its own. Errno actions throw an Error that names the place.
inline void faultPoint(std::string_view name) {
    if (detail::faultMode.load(std::memory_order_relaxed) != 0) detail::hitPoint(name);
}

/// A place before a system call: 0 to go on, an errno value to fail with, or kFaultShort.
[[nodiscard]] inline int faultErrno(std::string_view name) {
    return detail::faultMode.load(std::memory_order_relaxed) != 0 ? detail::hitFault(name) : 0;
}

/// True if the value computed at this place shall be NaN.
[[nodiscard]] inline bool faultNan(std::string_view name) {
    return detail::faultMode.load(std::memory_order_relaxed) != 0 && detail::hitNan(name);
}

}  // namespace orrery
