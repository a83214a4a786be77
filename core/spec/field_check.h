#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/problem.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// What is wrong with a value for a field: "must be >= 0 or inf, got '-1'"; nothing if it is right.
/// @param got  how it was written; empty: as fieldText writes it, lists by that word alone
std::optional<std::string> checkField(const SpecField& field, const FieldValue& value,
                                      std::string_view got = {});

/// Adds those of fields that have no problem yet: one line a field is enough.
void addProblems(std::vector<SpecProblem>& problems, std::vector<SpecProblem> more);

/// The fields whose values are out of their range.
template <typename Spec>
std::vector<SpecProblem> rangeProblems(std::span<const SpecRow<Spec>> rows, const Spec& spec) {
    std::vector<SpecProblem> problems;
    for (const SpecRow<Spec>& row : rows)
        if (auto problem = checkField(row, row.get(spec)))
            problems.push_back({row.name, std::move(*problem)});
    return problems;
}

}  // namespace orrery
