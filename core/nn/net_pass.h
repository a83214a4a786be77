#pragma once

#include <ATen/core/Tensor.h>

#include <string>

#include "core/base/rng.h"

namespace orrery {

/// Is told what each layer gives, layer by layer as they are computed.
class LayerSink {
public:
    virtual ~LayerSink() = default;
    /// @param name    of the layer's parameters: "q_r.head.0"
    /// @param output  [rows, ...], to be read at once: its memory may be used again
    virtual void take(const std::string& name, const at::Tensor& output) = 0;
};

/// How a forward pass is meant. Training may drop hidden numbers at random and clamp softly;
/// evaluation drops nothing and clamps hard.
struct NetPass {
    /// Draws what is dropped; null: evaluation. The same stream gives the same numbers.
    Rng* training = nullptr;
    LayerSink* sink = nullptr;  ///< null: nobody listens
};

}  // namespace orrery
