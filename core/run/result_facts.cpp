#include "core/run/result_facts.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace orrery {

RunFact factOf(const std::string& key, const ResultJson& value) {
    RunFact fact{.key = key, .text = {}, .number = {}};
    if (value.is_null()) {
        fact.text = "none";
    } else if (value.is_boolean()) {
        fact.text = value.get<bool>() ? "true" : "false";
        fact.number = value.get<bool>() ? 1 : 0;
    } else if (value.is_number()) {
        fact.number = value.get<double>();
        fact.text = value.is_number_integer() ? value.dump() : formatDouble(*fact.number);
    } else if (value.is_string()) {
        fact.text = value.get<std::string>();
        if (fact.text == "inf") fact.number = std::numeric_limits<double>::infinity();
    } else {
        fact.text = value.dump(-1, ' ', false, ResultJson::error_handler_t::replace);
    }
    return fact;
}

void addResult(RunFacts& facts, const std::string& key, const ResultJson* value) {
    if (value != nullptr && !value->is_null()) facts.results.push_back(factOf(key, *value));
}

}  // namespace orrery
