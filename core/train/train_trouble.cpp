#include "core/train/train_trouble.h"

#include <string_view>

#include "core/empo/spec.h"

namespace orrery {

std::string troubleText(const TrainTrouble& trouble) {
    std::string text =
        "Training step " + std::to_string(trouble.step) + " was skipped: " + trouble.what;
    if (!trouble.batch.empty()) text += "; its batch is kept as " + trouble.batch;
    return text;
}

std::string rateFieldOf(const TrainTrouble& trouble) {
    const std::string text = " of ";
    const std::size_t at = trouble.what.find(text);
    if (at == std::string::npos) return {};
    const std::string rest = trouble.what.substr(at + text.size());
    const std::string name = rest.substr(0, rest.find(' '));
    if (name == "q_h") return "lr_q_h";
    for (const Quantity quantity : kQuantities)
        if (name == nameOf(quantity)) return "lr_" + name;
    return {};
}

}  // namespace orrery
