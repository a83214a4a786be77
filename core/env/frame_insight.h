#pragma once

#include <cstdint>
#include <vector>

#include "core/env/advice.h"

namespace orrery {

/// What goes on in a policy while it looks at one frame. Rows are its things in the order of the
/// spaces; one more at the end stands for the game where that acts itself.
struct FrameInsight {
    Advice advice = {};
    std::int64_t rows = 0, heads = 0;
    /// [layers][heads x rows x rows] how much a row looks at each, sums to 1 over the last; empty:
    /// the layers do not attend.
    std::vector<std::vector<float>> attention = {};
    /// [actions][deciders x choices or candidates] natural logarithms of the probabilities; minus
    /// infinity where nothing is allowed.
    std::vector<std::vector<float>> logits = {};
    std::int64_t width = 0;              ///< numbers of an embedding
    std::vector<float> embeddings = {};  ///< [rows x width] behind the last layer
};

/// A policy that can be looked into. What is not asked for costs nothing.
class ExplainingPolicy : public AdvisingPolicy {
public:
    /// @param seen  fits the spaces
    virtual FrameInsight explain(const Observation& seen) = 0;
};

}  // namespace orrery
