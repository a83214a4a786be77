#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/spec/field_value.h"
#include "core/spec/spec_table.h"

namespace orrery {

/// A named row of values of a table's fields; the fields that it does not name are as they are by
/// default.
struct SpecPreset {
    std::string name;
    std::string meaning;  ///< one sentence
    std::vector<std::pair<std::string, FieldValue>> values;
};

/// The preset that makes a fresh spec this one.
template <typename Spec>
SpecPreset presetFrom(std::string name, std::string meaning, const SpecTable<Spec>& table,
                      const Spec& spec) {
    SpecPreset preset{.name = std::move(name), .meaning = std::move(meaning), .values = {}};
    const Spec fresh;
    for (const SpecRow<Spec>& row : table.rows())
        if (FieldValue value = row.get(spec); value != row.get(fresh))
            preset.values.emplace_back(row.name, std::move(value));
    return preset;
}

}  // namespace orrery
