#pragma once

#include <exception>
#include <functional>

namespace orrery {

/// Runs work that uses tensors; what LibTorch throws leaves as an Error: its message without the
/// backtrace, of kind Resource if memory ran out (on the machine or a GPU). Errors of ours and
/// other exceptions pass unchanged. Any thread.
void translatingTorchErrors(const std::function<void()>& work);

/// The same for an exception already caught: rethrows it, translated.
[[noreturn]] void rethrowTranslated(const std::exception_ptr& caught);

}  // namespace orrery
