#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

/// Members of JSON that other programs may have written: what is not there, or of another type, is
/// none.
namespace orrery {

/// Null if the JSON is no object or has no such member.
const nlohmann::ordered_json* memberOf(const nlohmann::ordered_json& json, const char* key);

/// Empty if the member is no text.
std::string textMember(const nlohmann::ordered_json& json, const char* key);

/// Whether the member is true.
bool flagMember(const nlohmann::ordered_json& json, const char* key);

}  // namespace orrery
