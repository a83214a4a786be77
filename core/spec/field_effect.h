#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/spec/problem.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// The first need of a field that the values of others do not meet; null: the field has an effect.
/// @param valueOf  the value of a field that a need names
const FieldNeed* unmetNeed(const SpecField& field,
                           const std::function<FieldValue(std::string_view)>& valueOf);

/// The same among the fields of a table.
template <typename Spec>
const FieldNeed* unmetNeed(const SpecField& field, std::span<const SpecRow<Spec>> rows,
                           const Spec& spec) {
    return unmetNeed(field, [&](std::string_view name) {
        const auto row = std::ranges::find(rows, name, &SpecField::name);
        return row == rows.end() ? FieldValue() : row->get(spec);
    });
}

/// The fields whose values are not the usual ones though they do nothing: "has no effect: ...".
template <typename Spec>
std::vector<SpecProblem> inertFields(std::span<const SpecRow<Spec>> rows, const Spec& spec,
                                     const Spec& usual) {
    std::vector<SpecProblem> notes;
    for (const SpecRow<Spec>& row : rows) {
        if (row.needs.empty() || row.get(spec) == row.get(usual)) continue;
        if (const FieldNeed* unmet = unmetNeed(row, rows, spec))
            notes.push_back({row.name, "has no effect: " + unmet->reason});
    }
    return notes;
}

}  // namespace orrery
