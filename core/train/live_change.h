#pragma once

#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/spec/field.h"
#include "core/spec/problem.h"
#include "core/spec/spec_table.h"
#include "core/train/steering.h"

namespace orrery {

/// Applies a change of a live field to a spec.
/// @param problemsOf  all that is wrong with a spec
/// @return the old value as text and no problem; or a problem, the spec being unchanged
template <typename Spec>
AppliedChange applyLiveChange(const TrainChange& change, const SpecTable<Spec>& table,
                              std::vector<SpecProblem> (*problemsOf)(const Spec&), Spec& spec) {
    AppliedChange applied{.change = change};
    const SpecRow<Spec>* field = table.find(change.key);
    if (field == nullptr || !field->isLive) {
        applied.problem = change.key +
                          " cannot be changed while a run trains; fork the run with the change "
                          "instead (orrery fork RUN " +
                          change.key + "=" + change.value + ")";
        return applied;
    }
    Spec changed = spec;
    try {
        field->set(changed, fieldFromText(*field, change.value));
    } catch (const Error& e) {
        applied.problem = e.what();
        return applied;
    }
    for (const SpecProblem& problem : problemsOf(changed))
        if (problem.field == change.key) {
            applied.problem = problem.field + " " + problem.text;
            return applied;
        }
    applied.oldValue = fieldText(field->get(spec));
    spec = std::move(changed);
    return applied;
}

}  // namespace orrery
