#include "core/empo/learner/human_values.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/empo/learner/gathered_sums.h"

namespace orrery {

namespace {

constexpr double kTie = 1e-5;  ///< actions so close to the best are as good

/// 1 for every action of the human of each pair, 0 beyond: [n x A].
std::vector<float> actionsOf(const HumanValues& values, const FlatBatch::Pairs& pairs, int layout) {
    const auto& humans = values.facts->worlds[static_cast<std::size_t>(layout)].humans;
    std::vector<float> hasAction;
    hasAction.reserve(pairs.size() * static_cast<std::size_t>(values.numActions));
    for (const std::int64_t human : pairs.human)
        for (int a = 0; a < values.numActions; ++a)
            hasAction.push_back(a < humans[static_cast<std::size_t>(human)].numActions ? 1.0F
                                                                                       : 0.0F);
    return hasAction;
}

}  // namespace

at::Tensor q_hOf(const HumanValues& values, const StateBatch& states, const FlatBatch::Pairs& pairs,
                 NetPass pass) {
    const at::Device device = values.facts->rectangles.device();
    const std::int64_t count = std::ssize(pairs.state);
    const std::int64_t numActions = values.numActions;
    if (values.table) {
        at::Tensor numbers = at::empty({count, numActions}, at::kFloat);
        auto* out = numbers.data_ptr<float>();
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const StateRows::Row row = states.rows[static_cast<std::size_t>(pairs.state[i])];
            const float* from = values.table->row(row) + pairs.column[i] * numActions;
            out = std::transform(from, from + numActions, out,
                                 [](float q) { return std::clamp(q, 0.0F, 1.0F); });
        }
        return numbers.to(device);
    }
    if (count == 0) return at::empty({0, numActions}, at::TensorOptions(at::kFloat).device(device));
    const QuantityNets& nets = *values.nets;
    const StateFeatures shared = nets.encodeShared(states.tensors, &states.places);
    return nets
        .v_h_e(shared, nets.encodeGoals(values.facts->rectangles), asTensor(pairs.state, device),
               asTensor(pairs.human, device), asTensor(pairs.goal, device), pass)
        .view({count, numActions});
}

at::Tensor humanPolicy(const at::Tensor& q_h, const at::Tensor& hasAction, double beta_h) {
    if (beta_h == 0) return hasAction / hasAction.sum(1, true);
    const at::Tensor known =
        q_h.masked_fill(hasAction.eq(0), -std::numeric_limits<double>::infinity());
    // Actions are few: softmax by columns, which LibTorch does for many states at once.
    if (!std::isinf(beta_h)) return at::softmax((known * beta_h).t(), 0).t();
    const at::Tensor best = known.ge(known.amax(1, true) - kTie).to(at::kFloat);
    return best / best.sum(1, true);
}

at::Tensor humanTargets(const HumanBatch& batch, const StateBatch& states,
                        const HumanValues& target) {
    const at::NoGradGuard withoutGradients;
    // Nothing records gradients where there is a table: operations cost less then.
    std::optional<c10::InferenceMode> inference;
    if (target.table) inference.emplace();
    const EmpoSpec& spec = target.facts->spec;
    const at::Device device = target.facts->rectangles.device();
    const std::int64_t questions = std::ssize(batch.questions.state);
    const at::Tensor q_h = q_hOf(target, states, batch.successors);  // [S, A]
    const at::Tensor hasAction =
        asTensor(batch.successorHasAction, device).view({-1, batch.numActions});
    const at::Tensor v_h = (humanPolicy(q_h, hasAction, spec.beta_h) * q_h).sum(1);  // [S]
    const std::int64_t groups = std::ssize(batch.attained);
    const at::Tensor followed =
        gatheredSums(v_h, {batch.pair, batch.weight, batch.group}, groups)
            .add_(asTensor(batch.attained, device))
            .view({questions, batch.numActions, batch.numProfiles, batch.numRobotActions});
    const at::Tensor chosen = spec.optimistic ? followed.amax(3) : followed.amin(3);  // [Q, A, P]
    const at::Tensor belief =
        asTensor(batch.belief, device).view({questions, 1, batch.numProfiles});
    return (chosen * belief).sum(2);
}

void fillHumanPolicies(const HumanValues& values, StateBatcher& batcher, int layout,
                       std::span<const std::byte* const> states, std::span<float> out) {
    const at::NoGradGuard withoutGradients;
    const ValueFacts& facts = *values.facts;
    const WorldFacts& world = facts.worlds[static_cast<std::size_t>(layout)];
    const at::Device device = facts.rectangles.device();
    const auto& goals = facts.goals.humans[static_cast<std::size_t>(layout)];
    FlatBatch::Pairs pairs;
    for (std::int64_t s = 0; s < std::ssize(states); ++s)
        for (std::size_t h = 0; h < world.humans.size(); ++h)
            for (int g = 0; g < goals[h].count; ++g)
                pairs.add(s, static_cast<std::int64_t>(h), goals[h].first + g,
                          static_cast<std::int64_t>(h) * facts.goals.maxGoals + g);
    std::vector<StateRows::Row> rows;
    if (values.table)
        for (const std::byte* state : states)
            rows.push_back(values.rows->find(
                fingerprintOf({state, world.shape.bytes()}, static_cast<std::uint64_t>(layout))));
    const std::vector<std::uint16_t> layouts(states.size(), static_cast<std::uint16_t>(layout));
    const StateBatch& batch = batcher.make(states, layouts, rows, values.nets.get());
    const std::vector<float> hasAction = actionsOf(values, pairs, layout);
    const at::Tensor policies =
        humanPolicy(q_hOf(values, batch, pairs),
                    asTensor(hasAction, device).view({-1, values.numActions}), facts.spec.beta_h)
            .cpu()
            .contiguous();
    const float* from = policies.const_data_ptr<float>();
    auto to = out.begin();
    for (const std::byte* state : states)
        for (const WorldFacts::Human& human : world.humans)
            for (const GoalRectangle& goal : human.goals) {
                const auto end = to + human.numActions;
                if (isAttained(world, {state, world.shape.bytes()}, human, goal)) {
                    std::fill(to, end, 0.0F);
                    *to = 1.0F;
                } else {
                    std::copy_n(from, human.numActions, to);
                }
                to = end;
                from += values.numActions;
            }
}

}  // namespace orrery
