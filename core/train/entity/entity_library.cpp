#include "core/train/entity/entity_training.h"
#include "core/train/learn_library.h"

namespace orrery {

const EntityLibrary& entityLibrary() {
    return *static_cast<const EntityLibrary*>(loadLearnMethod("entity"));
}

const std::vector<SpanWords>& entitySpans() {
    const auto own = [](EntityWork work, const char* name, const char* title, int color) {
        return SpanWords{ownSpan(static_cast<int>(work)), name, title, color};
    };
    static const std::vector<SpanWords> kSpans =
        withCommonSpans({own(EntityWork::Act, "act", "environments", 0),
                         own(EntityWork::Choose, "choose", "policy", 1),
                         own(EntityWork::Estimate, "estimate", "advantages", 2),
                         own(EntityWork::Gather, "gather", "minibatch", 3),
                         own(EntityWork::Learn, "learn", "forwards and backwards", 4),
                         own(EntityWork::Optimise, "optimise", "optimiser", 5),
                         own(EntityWork::Evaluate, "evaluate", "evaluation", 6)});
    return kSpans;
}

}  // namespace orrery
