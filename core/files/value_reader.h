#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/files/diagnostic.h"
#include "core/files/yaml_tree.h"

namespace orrery {

/// Turns nodes of a YAML or JSON file into values and says what is wrong with those that are none.
/// `name` is what messages call the value; numbers are read the same way in every locale.
/// A function that returns nothing has added one error.
class ValueReader {
public:
    explicit ValueReader(Diagnostics& out) : m_out(out) {}

    Diagnostics& diagnostics() { return m_out; }

    /// A whole number in [low, high], without quotes.
    std::optional<std::int64_t> integer(const YamlNode& node, std::string_view name,
                                        std::int64_t low, std::int64_t high);
    /// A finite number in [low, high], without quotes.
    std::optional<double> number(const YamlNode& node, std::string_view name, double low,
                                 double high);
    /// true, false, yes, no, on or off, in small or capital letters, without quotes.
    std::optional<bool> truth(const YamlNode& node, std::string_view name);
    /// Any single value, as written.
    std::optional<std::string> text(const YamlNode& node, std::string_view name);
    /// One of the names; the index of it.
    std::optional<std::size_t> choice(const YamlNode& node, std::string_view name,
                                      std::span<const std::string> names);

    /// True if the node is of this kind.
    bool expect(const YamlNode& node, std::string_view name, YamlNode::Kind kind);
    /// Adds the error that `name` must be `wanted`.
    void wrong(const YamlNode& node, std::string_view name, const std::string& wanted,
               const char* code = "E114");

private:
    Diagnostics& m_out;
};

}  // namespace orrery
