#include "core/nn/torch_errors.h"

#include <ATen/ATen.h>

#include <new>
#include <string>

#include "core/base/error.h"

namespace orrery {

namespace {

/// The last is all that oneDNN says of it.
bool saysMemoryRanOut(const std::string& text) {
    for (const char* sign :
         {"out of memory", "can't allocate memory", "not enough memory", "could not create a"})
        if (text.find(sign) != std::string::npos) return true;
    return false;
}

Error::Kind kindOf(const std::string& text) {
    return saysMemoryRanOut(text) ? Error::Kind::Resource : Error::Kind::Failed;
}

std::string described(const std::string& text) {
    if (saysMemoryRanOut(text))
        return "The memory for tensors ran out (" + text +
               "). Take a smaller batch, smaller networks or another device.";
    return "A computation with tensors failed: " + text;
}

}  // namespace

void rethrowTranslated(const std::exception_ptr& caught) {
    try {
        std::rethrow_exception(caught);
    } catch (const c10::Error& e) {
        const std::string text = e.what_without_backtrace();
        throw Error(described(text), kindOf(text));
    } catch (const std::bad_alloc&) {
        throw Error(described("out of memory"), Error::Kind::Resource);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        // Of the libraries below LibTorch, which have families of their own.
        if (!saysMemoryRanOut(e.what())) throw;
        throw Error(described(e.what()), Error::Kind::Resource);
    }
}

void translatingTorchErrors(const std::function<void()>& work) {
    try {
        work();
    } catch (...) {
        rethrowTranslated(std::current_exception());
    }
}

}  // namespace orrery
