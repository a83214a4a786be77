#include "core/run/json_members.h"

#include <nlohmann/json.hpp>

namespace orrery {

using Json = nlohmann::ordered_json;

const Json* memberOf(const Json& json, const char* key) {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
}

std::string textMember(const Json& json, const char* key) {
    const Json* member = memberOf(json, key);
    return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

bool flagMember(const Json& json, const char* key) {
    const Json* member = memberOf(json, key);
    return member != nullptr && member->is_boolean() && member->get<bool>();
}

}  // namespace orrery
