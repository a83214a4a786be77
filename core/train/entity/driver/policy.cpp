#include "core/train/entity/driver/policy.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/thread_team.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/env/frame_insight.h"
#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/learned_spaces.h"

namespace orrery {

namespace {

/// The numbers of a tensor of single precision.
std::vector<float> numbersOf(const at::Tensor& tensor) {
    const at::Tensor plain = tensor.to(at::kFloat).contiguous();
    const auto* const numbers = plain.const_data_ptr<float>();
    return {numbers, numbers + plain.numel()};
}

class LearnedPolicy : public ExplainingPolicy {
public:
    explicit LearnedPolicy(const EntityPolicyRequest& request)
        : LearnedPolicy(request, openCheckpoint(request.checkpoint)) {}

    const EnvironmentSpaces& spaces() const override { return m_spaces; }

    void actIn(const EnvironmentSpaces& spaces) override {
        EntityLayout layout = entityLayoutOf(spaces);
        m_nets.setObsFilter(layout);
        m_layout = std::move(layout);
        m_spaces = spaces;
    }

    Advice advise(const Observation& seen) override {
        const at::NoGradGuard off;
        return adviceOf(m_nets.forward(shardOf(seen)));
    }

    FrameInsight explain(const Observation& seen) override {
        const at::NoGradGuard off;
        FrameInsight insight;
        at::Tensor last;
        const NetProbe probe{.embedded = [&](const at::Tensor& x) { last = x; },
                             .passed =
                                 [&](std::int64_t, const char* part, const at::Tensor& x) {
                                     if (std::strcmp(part, "out") == 0) last = x;
                                 },
                             .attended =
                                 [&](std::int64_t, const at::Tensor& shares) {
                                     insight.attention.push_back(numbersOf(shares));
                                 }};
        const ActorCritic::Output output = m_nets.forward(shardOf(seen), nullptr, &probe);
        insight.advice = adviceOf(output);
        insight.rows = last.size(0);
        insight.width = last.size(1);
        insight.embeddings = numbersOf(last);
        if (!insight.attention.empty() && insight.rows > 0)
            insight.heads = std::ssize(insight.attention.front()) / (insight.rows * insight.rows);
        for (const ActionLogits& logits : output.actions)
            insight.logits.push_back(numbersOf(logits.logProbabilities));
        return insight;
    }

private:
    FrameShard shardOf(const Observation& seen) const {
        VecObs frames(m_layout);
        frames.take(m_layout, std::span(&seen, 1));
        return std::move(m_nets.shardsOf(frames).front());
    }

    static Advice adviceOf(const ActorCritic::Output& output) {
        Advice advice{.probabilities = {}, .value = output.value.item<double>()};
        for (const ActionLogits& logits : output.actions)
            advice.probabilities.push_back(probabilitiesOf(logits));
        return advice;
    }

    LearnedPolicy(const EntityPolicyRequest& request, const Checkpoint& checkpoint)
        : m_spaces(request.spaces),
          m_layout(entityLayoutOf(m_spaces)),
          m_team(1),
          m_nets(request.spec, learnedSpaces(checkpoint, m_layout), m_team) {
        m_nets.setObsFilter(m_layout);
        m_nets.load(checkpoint.tensors("model.safetensors"));
    }

    static std::vector<double> probabilitiesOf(const ActionLogits& logits) {
        at::Tensor shares = logits.logProbabilities.exp().to(at::kDouble);
        if (logits.isFree.defined()) shares = shares * logits.isFree.unsqueeze(1);
        shares = shares.contiguous();
        const auto* const numbers = shares.const_data_ptr<double>();
        return {numbers, numbers + shares.numel()};
    }

    EnvironmentSpaces m_spaces;
    EntityLayout m_layout;
    ThreadTeam m_team;
    ActorCritic m_nets;
};

}  // namespace

std::unique_ptr<AdvisingPolicy> policyOfCheckpoint(const EntityPolicyRequest& request) {
    return std::make_unique<LearnedPolicy>(request);
}

}  // namespace orrery
