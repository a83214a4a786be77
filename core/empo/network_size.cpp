#include "core/empo/network_size.h"

#include <algorithm>

#include "core/encode/planes.h"

namespace orrery {

namespace {

using Count = std::int64_t;

Count linear(Count inputs, Count outputs) {
    return (inputs + 1) * outputs;
}

Count convolution(Count inputs, Count outputs) {
    return (9 * inputs + 1) * outputs;
}

/// What an encoder has, and what it gives.
struct Encoder {
    Count parameters = 0, features = 0;
};

Count planesOf(const EmpoSpec& spec) {
    return numPlanes(spec.has39Planes ? PlaneLayout::Seed : PlaneLayout::Whole);
}

Encoder stateEncoder(const EmpoSpec& spec, const EncodingShape& shape) {
    const auto numbers = static_cast<Count>(shape.agentNumbers());
    const auto others = static_cast<Count>(shape.interactiveNumbers());
    const Count globals = EncodingShape::kGlobals;
    if (!spec.usesEncoders)
        return {.features = planesOf(spec) * static_cast<Count>(shape.cells()) + globals + numbers +
                            others};
    const Count f = spec.hiddenSize;
    const Count c = std::max<Count>(8, f / 4), g = std::max<Count>(16, f / 2);
    const Count m = std::max<Count>(8, f / 4), i = std::max<Count>(4, f / 8);
    const Count blocks = Count{shape.height / 2} * (shape.width / 2);
    return {.parameters = convolution(planesOf(spec), c) + convolution(c, c) +
                          linear(c * blocks + globals, g) + linear(numbers, 2 * m) +
                          linear(2 * m, m) + linear(others, i) + linear(g + m + i, f),
            .features = f};
}

Encoder goalEncoder(const EmpoSpec& spec) {
    constexpr Count kFeatures = 64;
    if (!spec.usesEncoders) return {.features = 4};
    return {.parameters = linear(4, kFeatures), .features = kFeatures};
}

Encoder agentEncoder(const EmpoSpec& spec, const EncodingShape& shape) {
    constexpr Count kLeastIndices = 10, kEmbedded = 16, kChannels = 8, kPosition = 32;
    constexpr Count kNumbers = 32;
    const Count indices = std::max<Count>(kLeastIndices, shape.numAgents);
    const auto cells = static_cast<Count>(shape.cells());
    if (!spec.usesEncoders) return {.features = indices + cells + EncodingShape::kAgentNumbers};
    return {.parameters = indices * kEmbedded + convolution(1, kChannels) +
                          convolution(kChannels, kChannels) + linear(kChannels * cells, kPosition) +
                          linear(EncodingShape::kAgentNumbers, kNumbers),
            .features = kEmbedded + kPosition + kNumbers};
}

Count head(const EmpoSpec& spec, Count inputs, Count outputs) {
    const Count f = spec.hiddenSize;
    return linear(inputs, f) + linear(f, f) + linear(f, outputs);
}

/// The shared encoders and the head of V_h^e, or of a learned human prior.
Count ofGoals(const EmpoSpec& spec, const EncodingShape& shape, Count outputs, bool hasHead) {
    const Encoder state = stateEncoder(spec, shape), goal = goalEncoder(spec);
    const Encoder agent = agentEncoder(spec, shape);
    const Count shared = state.parameters + goal.parameters + agent.parameters;
    return shared +
           (hasHead ? head(spec, state.features + goal.features + agent.features, outputs) : 0);
}

/// The head of another quantity, with encoders of its own if it has any.
Count ofStates(const EmpoSpec& spec, const EncodingShape& shape, bool readsHumans, Count outputs) {
    const Encoder state = stateEncoder(spec, shape);
    const Encoder agent = readsHumans ? agentEncoder(spec, shape) : Encoder();
    const bool hasOwn = spec.ownEncoders != OwnEncoders::None;
    const Count inputs = (state.features + agent.features) * (hasOwn ? 2 : 1);
    return head(spec, inputs, outputs) + (hasOwn ? state.parameters + agent.parameters : 0);
}

}  // namespace

std::int64_t numNetworkParameters(const EmpoSpec& spec, const EncodingShape& shape,
                                  int robotActions, int humanActions) {
    const auto isNetwork = [&](Quantity quantity) {
        return spec.of(quantity).kind == Approximator::Network;
    };
    Count count = 0;
    if (spec.hasNetworks()) count += ofGoals(spec, shape, 1, isNetwork(Quantity::V_h_e));
    for (const Quantity quantity : {Quantity::X_h, Quantity::U_r, Quantity::Q_r, Quantity::V_r})
        if (isNetwork(quantity))
            count += ofStates(spec, shape, quantity == Quantity::X_h,
                              quantity == Quantity::Q_r ? robotActions : 1);
    if (spec.hasHumanNetwork()) count += ofGoals(spec, shape, humanActions, true);
    return count;
}

}  // namespace orrery
