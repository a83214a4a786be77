#pragma once

#include <optional>
#include <string_view>

#include "core/filter/filter_fields.h"
#include "core/filter/filter_tree.h"

namespace orrery {

/// Reads a condition on states, runs, transitions, ...: the one language of all filters.
///
///     (step < 1.5k and not ends) or robot: forward
///
/// or (||), and (&&; may be left out), not (!), parentheses. Comparisons = == != < <= > >= (≠ ≤ ≥),
/// ~ for "contains" and : for "is" between a field and a value or another field; a truth alone;
/// true and false. Numbers may end in k, M or G. Values with blanks or signs stand in "..." or
/// '...'. Case is ignored. Time is linear in the text, but for an unknown name.
///
/// @return nothing if the text is blank
/// @throws FilterError at the first mistake
std::optional<FilterNode> readFilter(std::string_view text, const FilterFields& fields);

}  // namespace orrery
