#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/brute_force_solver.h"
#include "tests/support/reference_world.h"

namespace orrery::reference {

/// One oracle file of tests/data/empo (schema empo-oracle/1; the README there explains it).
struct EmpoOracle {
    std::string name;
    nlohmann::json json;
    std::vector<std::string> map;
    RefParameters parameters;

    RefWorld world() const { return parseWorld(map, parameters); }
    /// The parameters of one element of json["settings"]. `world` must outlive the result.
    RefProblem problem(const RefWorld& world, const nlohmann::json& setting) const;
};

/// The names of the twelve public worlds, without ".json".
const std::vector<std::string>& empoOracleNames();

/// @throws Error if the file is missing, or of another schema
EmpoOracle readEmpoOracle(const std::string& folder, const std::string& name);

}  // namespace orrery::reference
