#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/run/json_members.h"
#include "core/run/run_facts.h"

/// Reading a run's result.json.
namespace orrery {

using ResultJson = nlohmann::ordered_json;

/// A value as a fact, as the spec's files write it.
RunFact factOf(const std::string& key, const ResultJson& value);

/// Adds a result that is there: not null, and no JSON null either.
void addResult(RunFacts& facts, const std::string& key, const ResultJson* value);

}  // namespace orrery
