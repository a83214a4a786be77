#include "core/env/advice.h"

namespace orrery {

std::int64_t Advice::likeliest(std::size_t action, std::int64_t decider,
                               std::int64_t options) const {
    std::int64_t best = -1;
    double most = 0;
    for (std::int64_t i = 0; i < options; ++i) {
        const double own = probabilities[action][static_cast<std::size_t>(decider * options + i)];
        if (own <= most) continue;
        most = own;
        best = i;
    }
    return best;
}

}  // namespace orrery
