#include "core/train/entity/driver/oracle.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"

namespace orrery {

using nlohmann::json;

double numberIn(const json& value) {
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (!value.is_string()) return value.get<double>();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return value == "-inf"  ? -kInfinity
           : value == "inf" ? kInfinity
                            : std::numeric_limits<double>::quiet_NaN();
}

namespace {

const json& dataOf(const json& node) {
    return node.is_object() ? node.at("data") : node;
}

}  // namespace

at::Tensor tensorIn(const json& node) {
    std::vector<float> numbers;
    for (const json& value : dataOf(node)) numbers.push_back(static_cast<float>(numberIn(value)));
    const at::Tensor flat = at::tensor(numbers, at::kFloat);
    return node.is_object() ? flat.reshape(node.at("shape").get<std::vector<std::int64_t>>())
                            : flat;
}

void OracleTeller::number(const std::string& where, const json& inFile, double computed,
                          double tolerance) const {
    const double due = numberIn(inFile);
    const bool isLarge = std::abs(due) > 1;
    m_tell({.where = where,
            .inFile = due,
            .computed = computed,
            .relative = isLarge ? tolerance : 0,
            .absolute = isLarge ? 0 : tolerance});
}

void OracleTeller::tensor(const std::string& where, const json& inFile, const at::Tensor& computed,
                          double tolerance) const {
    const json& data = dataOf(inFile);
    const at::Tensor flat = computed.detach().reshape({-1}).to(at::kDouble).contiguous();
    if (flat.numel() != std::ssize(data))
        return m_tell({.where = where + ": numbers",
                       .inFile = static_cast<double>(data.size()),
                       .computed = static_cast<double>(flat.numel())});
    const auto* const numbers = flat.const_data_ptr<double>();
    for (std::size_t i = 0; i < data.size(); ++i)
        number(where + '[' + std::to_string(i) + ']', data[i], numbers[i], tolerance);
}

void compareWithOracle(std::string_view text, const std::function<void(const OracleValue&)>& tell,
                       std::stop_token stop) {
    struct Part {
        const char* name;
        void (*compare)(const json&, const std::string&, const OracleTeller&);
    };
    constexpr std::array<Part, 6> kParts{{{"cases", compareNet},
                                          {"input_norm", compareInputNorm},
                                          {"gae", compareAdvantages},
                                          {"losses", compareLosses},
                                          {"adamw", compareAdam},
                                          {"schedules", compareSchedule}}};
    const OracleTeller teller(tell);
    bool hasAny = false;
    try {
        const json document = json::parse(text);
        for (const Part& part : kParts) {
            if (!document.contains(part.name)) continue;
            hasAny = true;
            const json& list = document.at(part.name);
            for (std::size_t i = 0; i < list.size() && !stop.stop_requested(); ++i)
                part.compare(list[i], part.name + ('[' + std::to_string(i) + ']'), teller);
        }
    } catch (const json::exception& error) {
        throw badInput(std::string("this is no oracle file of networks or losses: ") +
                       error.what());
    }
    if (!hasAny) throw badInput("this is no oracle file of networks or losses");
}

}  // namespace orrery
