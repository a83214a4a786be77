#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/encode/compact_state.h"
#include "core/replay/transition.h"

namespace orrery::test {

inline constexpr EncodingShape kMadeShape{.width = 2, .height = 2, .numAgents = 1};

/// An encoded state that says which number it has.
inline std::vector<std::byte> madeState(std::uint32_t number) {
    std::vector<std::byte> bytes(kMadeShape.bytes());
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>((number >> 8 * (i % 4) & 0xffU) ^ (i / 4));
    return bytes;
}

/// One human of two actions and one goal, two robot actions: from `number` each row leads to
/// number + 1, and the last one with a chance to number + 2 too.
inline std::shared_ptr<StepModel> madeModel(std::uint32_t number) {
    auto model = std::make_shared<StepModel>();
    model->state = madeState(number);
    model->successors = madeState(number + 1);
    const auto second = madeState(number + 2);
    model->successors.insert(model->successors.end(), second.begin(), second.end());
    model->rowBegin = {0, 1, 2, 3, 5};
    model->probability = {1, 1, 1, 0.25F, 0.75F};
    model->successor = {0, 0, 0, 0, 1};
    model->prior = {0.5F, 0.5F};
    return model;
}

/// Step `step` of an episode that begins at state 100 * episode.
inline Transition madeTransition(std::int64_t episode, int step, std::uint16_t collector = 0) {
    Transition transition;
    transition.model = madeModel(static_cast<std::uint32_t>(100 * episode + step));
    transition.collector = collector;
    transition.episode = episode;
    transition.step = step;
    transition.robotAction = step % 2;
    transition.humanActions[0] = 1;
    transition.goalWeights[0] = 1.5F;
    return transition;
}

}  // namespace orrery::test
