#include <cstddef>

#include "core/entity/net/attention_kernel.h"

namespace orrery {

namespace {

#include "core/entity/net/attention_kernel.inl"

}  // namespace

AttentionKernel attentionAvx512() {
    return {forward, backward};
}

}  // namespace orrery
