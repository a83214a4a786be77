#include <array>
#include <span>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/train/entity/driver/cloning_method.h"
#include "core/train/entity/learned_spaces.h"
#include "core/train/train_checkpoint.h"

// What a training by samples keeps in checkpoints.

namespace orrery {

namespace {

constexpr char kCloneState[] = "clone.safetensors";

}  // namespace

void CloningMethod::save(CheckpointWriter& writer, TensorMap& /*progress*/) {
    TensorMap model, optimiser, state;
    m_nets.save(model);
    putTensors(m_adam.state(), optimiser);
    requireFinite(model, m_stepsDone);
    requireFinite(optimiser, m_stepsDone);
    const std::vector<std::int64_t> counts{m_stepsDone,
                                           m_data.split().trainFrames,
                                           m_data.split().testFrames,
                                           static_cast<std::int64_t>(m_data.split().bytes),
                                           m_hasTakenIn ? 1 : 0,
                                           m_tested,
                                           m_nextEvaluation,
                                           m_skippedInARow};
    state.copyNumbers<std::int64_t>("counts", std::span(counts));
    const std::vector<double> numbers{m_loss, m_entropy, m_gradientNorm, m_testLoss, m_usedRate};
    state.copyNumbers<double>("numbers", std::span(numbers));
    writer.tensors("model.safetensors", model);
    writer.tensors("optim.safetensors", optimiser);
    writer.tensors(kCloneState, state);
    saveSpaces(writer, m_nets.learned(), m_place);
}

void CloningMethod::load(const Checkpoint& checkpoint) {
    const EntityLayout learned = learnedSpaces(checkpoint, m_place);
    if (!showSame(learned, m_nets.learned())) {
        m_nets.learnFrom(learned);
        m_adam = Adam(m_nets.parameters(),
                      {.weightDecay = m_spec.cloning->weightDecay, .isDecoupled = true});
    }
    m_nets.load(checkpoint.tensors("model.safetensors"));
    // One of another kind of learning gives its networks alone.
    if (!checkpoint.has(kCloneState)) return;
    const TensorMap state = checkpoint.tensors(kCloneState);
    const std::array<std::int64_t, 1> eight{8}, five{5};
    const auto counts = state.numbers<std::int64_t>("counts", eight);
    if (counts[1] != m_data.split().trainFrames || counts[2] != m_data.split().testFrames ||
        counts[3] != static_cast<std::int64_t>(m_data.split().bytes)) {
        if (checkpoint.folder().parent_path() == m_request.folder)
            throw badInput("'" + escaped(m_spec.cloning->file, 160) +
                           "' is not as it was when the run began to learn from it. Put the file "
                           "back, or fork the run.");
        return;  // a fork begins anew
    }
    takeTensors(checkpoint.tensors("optim.safetensors"), m_adam.state());
    m_stepsDone = counts[0];
    m_hasTakenIn = counts[4] != 0;
    m_tested = counts[5];
    m_nextEvaluation = counts[6];
    m_skippedInARow = counts[7];
    const auto numbers = state.numbers<double>("numbers", five);
    m_loss = numbers[0];
    m_entropy = numbers[1];
    m_gradientNorm = numbers[2];
    m_testLoss = numbers[3];
    m_usedRate = numbers[4];
}

}  // namespace orrery
