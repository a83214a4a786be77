#include "core/train/train_trouble.h"

namespace orrery {

std::string troubleText(const TrainTrouble& trouble) {
    std::string text =
        "Training step " + std::to_string(trouble.step) + " was skipped: " + trouble.what;
    if (!trouble.batch.empty()) text += "; its batch is kept as " + trouble.batch;
    return text;
}

}  // namespace orrery
