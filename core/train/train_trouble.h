#pragma once

#include <cstdint>
#include <string>

namespace orrery {

/// A training step that was skipped because a number was not finite.
struct TrainTrouble {
    std::int64_t step = 0;       ///< counted from 1
    std::string what = {};       ///< "the gradient of v_h_e is not finite"
    std::string rateField = {};  ///< the learning rate of what was not finite; empty: it has none
    std::string batch = {};   ///< the file with what the step was trained on; empty: none is kept
    std::int64_t toldAt = 0;  ///< training steps done when it was found; a GPU tells late
    bool isLast = false;      ///< one of so many in a row that a training with nobody to ask ends
    bool asks = false;        ///< the training waits until somebody says what becomes of the step
    bool operator==(const TrainTrouble&) const = default;
};

/// "Training step 41 was skipped: the gradient of v_h_e is not finite; its batch is kept as ..."
std::string troubleText(const TrainTrouble& trouble);

}  // namespace orrery
