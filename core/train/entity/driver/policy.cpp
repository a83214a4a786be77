#include "core/train/entity/driver/policy.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <span>
#include <utility>

#include "core/base/thread_team.h"
#include "core/checkpoint/checkpoint_folder.h"
#include "core/train/entity/driver/actor_critic.h"
#include "core/train/entity/learned_spaces.h"

namespace orrery {

namespace {

class LearnedPolicy : public AdvisingPolicy {
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
        VecObs frames(m_layout);
        frames.shape(m_layout, std::span(&seen, 1));
        frames.copy(m_layout, std::span(&seen, 1), 0, 1);
        const std::vector<FrameShard> shards = m_nets.shardsOf(frames);
        const ActorCritic::Output output = m_nets.forward(shards.front());
        Advice advice{.probabilities = {}, .value = output.value.item<double>()};
        for (const ActionLogits& logits : output.actions)
            advice.probabilities.push_back(probabilitiesOf(logits));
        return advice;
    }

private:
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
