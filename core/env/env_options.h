#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// Reads the options of an environment out of a JSON object, each with its default and range, and
/// knows them afterwards: the same calls tell what can be set.
class EnvOptions {
public:
    /// @param what  in messages: "MineSweeper"
    EnvOptions(std::string_view json, std::string what);
    ~EnvOptions();
    EnvOptions(const EnvOptions&) = delete;
    EnvOptions& operator=(const EnvOptions&) = delete;

    /// What a name is set to, else `usual`. Ends included. @param meaning  "cells", "steps; 0:
    /// none"
    int whole(const char* name, int usual, int least, int most, const char* meaning);
    double number(const char* name, double usual, double least, double most, const char* meaning);
    bool truth(const char* name, bool usual, const char* meaning);

    /// Whether it was asked for.
    bool knows(std::string_view name) const;

    /// After all names were asked for.
    /// @throws Error (BadInput) with all that is wrong: unknown names with the nearest, wrong
    /// types,
    ///         numbers out of range
    void check() const;
    /// "width: [1, 100] cells, 6", a line each in the order in which they were asked for.
    const std::vector<std::string>& lines() const { return m_lines; }

private:
    const nlohmann::json* find(const char* name);
    void addLine(const char* name, const std::string& range, const char* meaning,
                 const std::string& usual);
    void addProblem(const char* name, const std::string& due);

    std::string m_what;
    std::unique_ptr<nlohmann::json> m_values;
    std::vector<std::string> m_names, m_lines, m_problems;
};

}  // namespace orrery
