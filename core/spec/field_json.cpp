#include "core/spec/field_json.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace orrery {

using Json = nlohmann::ordered_json;

Json jsonOf(const FieldValue& value) {
    struct Writer {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(bool flag) const { return flag; }
        Json operator()(std::int64_t number) const { return number; }
        Json operator()(double number) const {
            return number > std::numeric_limits<double>::max() ? Json("inf") : Json(number);
        }
        Json operator()(const std::string& text) const { return text; }
        Json operator()(const FieldList& list) const {
            Json json = Json::array();
            for (const FieldValue& entry : list) json.push_back(jsonOf(entry));
            return json;
        }
        Json operator()(const FieldMap& map) const {
            Json json = Json::object();
            for (const auto& [name, entry] : map) json[name] = jsonOf(entry);
            return json;
        }
    };
    return std::visit(Writer{}, value.tree());
}

FieldValue treeOf(const Json& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (json.is_number()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    if (json.is_array()) {
        FieldList list;
        for (const Json& entry : json) list.push_back(treeOf(entry));
        return list;
    }
    if (!json.is_object()) return {};
    FieldMap map;
    for (const auto& [name, entry] : json.items()) map.emplace_back(name, treeOf(entry));
    return map;
}

}  // namespace orrery
