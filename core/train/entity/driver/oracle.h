#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/train/entity/entity_training.h"

namespace orrery {

/// Tells numbers beside stored ones.
class OracleTeller {
public:
    using Tell = std::function<void(const OracleValue&)>;
    explicit OracleTeller(const Tell& tell) : m_tell(tell) {}

    /// @param tolerance  of numbers up to 1, and of larger ones relative
    void number(const std::string& where, const nlohmann::json& inFile, double computed,
                double tolerance) const;
    /// @param inFile  {shape, data}, or a list; of another size it is told as wrong
    void tensor(const std::string& where, const nlohmann::json& inFile, const at::Tensor& computed,
                double tolerance) const;

private:
    const Tell& m_tell;
};

/// 0.5, "inf", true.
double numberIn(const nlohmann::json& value);
/// Single precision. @param node  {shape, data}, or a list
at::Tensor tensorIn(const nlohmann::json& node);

// One entry each; a place in the file for messages.
void compareNet(const nlohmann::json& entry, const std::string& where, const OracleTeller& teller);
void compareInputNorm(const nlohmann::json& entry, const std::string& where,
                      const OracleTeller& teller);
void compareAdvantages(const nlohmann::json& entry, const std::string& where,
                       const OracleTeller& teller);
void compareLosses(const nlohmann::json& entry, const std::string& where,
                   const OracleTeller& teller);
void compareAdam(const nlohmann::json& entry, const std::string& where, const OracleTeller& teller);
void compareSchedule(const nlohmann::json& entry, const std::string& where,
                     const OracleTeller& teller);

/// As EntityLibrary::compare.
void compareWithOracle(std::string_view json, const std::function<void(const OracleValue&)>& tell,
                       std::stop_token stop);

}  // namespace orrery
