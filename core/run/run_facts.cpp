#include "core/run/run_facts.h"

#include <algorithm>

namespace orrery {

const RunFact* RunFacts::find(std::string_view key) const {
    for (const auto* const list : {&parameters, &results})
        for (const RunFact& fact : *list)
            if (fact.key == key) return &fact;
    return nullptr;
}

std::optional<double> RunFacts::workSeconds() const {
    if (const RunFact* const trained = find("train_seconds")) return trained->number;
    const RunFact* const solved = find("seconds");
    if (solved == nullptr || !solved->number) return std::nullopt;
    const RunFact* const explored = find("explore_seconds");
    return *solved->number + (explored != nullptr ? explored->number.value_or(0) : 0);
}

}  // namespace orrery
