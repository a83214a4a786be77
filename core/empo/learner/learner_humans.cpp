#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/fault.h"
#include "core/empo/learner/human_learner.h"
#include "core/empo/learner/learner.h"
#include "core/empo/learner/learner_parts.h"
#include "core/nn/torch_errors.h"

namespace orrery {

namespace {

constexpr std::size_t kPolicyStates = 256;  ///< evaluated at once

}  // namespace

/// One step of phase 1, where it is learned; the robots' quantities stand still.
StepReport Learner::Parts::humanStep(ReplayBuffer& buffer) {
    StepReport report;
    if (!sample(buffer, {})) return report;
    requireRoomForBatch(
        buffer, std::int64_t{facts->numHumans} * (humans->isTable() ? facts->goals.maxGoals : 1));
    Rng rng = batchStream(true);
    const HumanBatch& batch = humans->flatten(buffer, batchSlots, rng);
    if (batch.questions.size() == 0) return report;
    const StateBatch& states =
        prepare(buffer, batch.states, batch.layouts, humans->nets(), humans->isTable());
    profile.enter(ProfileStage::kBackward);
    const double rate = spec.q_h.learningRate;
    const double norm =
        humans->differ(batch, states, stepsDone, rate, wantsNumbers ? &numbers.q_h : nullptr);
    profile.enter(ProfileStage::kOptimiser);
    report.hasTrained = std::isfinite(norm) && !faultNan("loss");
    report.wasSkipped = !report.hasTrained;
    if (report.hasTrained)
        humans->apply(rate);
    else
        report.trouble = notFiniteText("q_h");
    report.troubleStep = stepsDone + 1;
    return report;
}

/// After a step: target copies, and the policies as they stay.
void Learner::Parts::endHumanStep() {
    if (stepsDone % spec.q_h.targetCopySteps == 0) humans->copyTarget();
    freezeHumans();
}

void Learner::Parts::freezeHumans() {
    if (schedule.isOfHumans(stepsDone)) return;
    frozenHumans.store(humans->frozen());
}

std::shared_ptr<const HumanValues> Learner::humanPolicies() const {
    return m_parts->frozenHumans.load();
}

std::vector<float> Learner::evaluateHumans(int layout, std::span<const std::byte* const> states) {
    const std::size_t width = m_parts->facts->worlds.at(layout).priorNumbers();
    std::vector<float> all(states.size() * width);
    translatingTorchErrors([&] {
        const HumanValues values = m_parts->humans->live();
        StateBatcher batcher(m_parts->facts);
        for (std::size_t first = 0; first < states.size(); first += kPolicyStates) {
            const auto chunk =
                states.subspan(first, std::min(kPolicyStates, states.size() - first));
            fillHumanPolicies(values, batcher, layout, chunk,
                              std::span(all).subspan(first * width, chunk.size() * width));
        }
    });
    return all;
}

struct HumanReader::Parts {
    std::shared_ptr<const HumanValues> values;
    StateBatcher batcher;
};

HumanReader::HumanReader(std::shared_ptr<const HumanValues> values) {
    const auto facts = values->facts;
    m_parts = std::make_unique<Parts>(Parts{std::move(values), StateBatcher(facts)});
}
HumanReader::~HumanReader() = default;

void HumanReader::pi_h(std::span<const std::byte> state, int layout, std::span<float> out) {
    useOneThread();
    const std::byte* place = state.data();
    translatingTorchErrors([&] {
        fillHumanPolicies(*m_parts->values, m_parts->batcher, layout, {&place, 1}, out);
    });
}

}  // namespace orrery
