#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/spec/field_value.h"

namespace orrery {

/// A value as it stands in a file: infinity, which JSON has not, as "inf".
nlohmann::ordered_json jsonOf(const FieldValue& value);

/// The same tree; whole numbers stay whole.
FieldValue treeOf(const nlohmann::ordered_json& json);

}  // namespace orrery
