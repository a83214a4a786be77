#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/selfcheck/tally.h"

namespace orrery {

/// A value of an oracle file together with the path that leads to it ("settings[0].phase1[3].V").
/// Every access that finds another type throws Error (BadInput) naming path and what was found.
/// Keeps the document alive.
class OracleNode {
public:
    OracleNode(std::shared_ptr<const nlohmann::json> value, std::string path)
        : m_value(std::move(value)), m_path(std::move(path)) {}

    const std::string& path() const { return m_path; }
    bool isNull() const;
    /// null, "", [] or {}
    bool isEmpty() const;

    // Objects
    std::vector<std::string> keys() const;
    bool has(const std::string& key) const;  ///< false for a missing key
    OracleNode at(const std::string& key) const;

    // Arrays
    std::size_t size() const;
    OracleNode at(std::size_t index) const;

    double number() const;  ///< finite, or infinite where the file says "inf" or "-inf"
    int integer() const;    ///< within int
    bool truth() const;
    std::string text() const;
    std::vector<double> numbers() const;
    std::vector<int> integers() const;
    std::vector<std::string> texts() const;

    /// The value as compact JSON.
    std::string compact() const;

private:
    [[noreturn]] void wrongType(const char* expected) const;
    /// A value inside this one.
    OracleNode part(const nlohmann::json& value, std::string path) const;

    std::shared_ptr<const nlohmann::json> m_value;
    std::string m_path;
};

/// The keys that an object must have.
struct OracleKeys {
    std::vector<std::string> required;  ///< present and not empty
    std::vector<std::string> nullable;  ///< present, may be empty
    std::vector<std::string> optional;  ///< may be absent; if there, not empty
};

/// Counts a failure for each key that is missing, empty or unknown.
/// @return true if every required and nullable key can be read
bool checkKeys(const OracleNode& object, const OracleKeys& keys, Tally& tally);

/// Numbers as OracleNode::compact writes them: "[0,2]".
std::string compactText(const std::vector<int>& numbers);

/// Reads a JSON document of at most 256 MiB, at most 64 levels deep, without duplicate keys.
/// @throws Error (BadInput): "line:column: what"
OracleNode readOracleDocument(const std::filesystem::path& file);

}  // namespace orrery
