#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/diagnostic.h"
#include "core/files/source_text.h"

namespace orrery {

struct YamlMember;

/// A value of a YAML or JSON file with its place.
struct YamlNode {
    enum class Kind : std::uint8_t { Null, Scalar, Sequence, Map };

    Kind kind = Kind::Null;
    bool isQuoted = false;           ///< scalar in quotes or a block (| or >): text, never a number
    std::string text;                ///< scalar: its value
    std::size_t offset = 0;          ///< byte in the file where it begins (a quote or | included)
    int line = 1, column = 1;        ///< the same as people count
    std::vector<YamlNode> elements;  ///< sequence
    std::vector<YamlMember> members;  ///< map, in the file's order; names are unique

    const YamlMember* find(std::string_view name) const;
    Diagnostics::Place place() const { return {line, column}; }
};

struct YamlMember {
    std::string name;
    int line = 1, column = 1;  ///< of the name
    YamlNode value;

    Diagnostics::Place place() const { return {line, column}; }
};

/// What a reader says of a value's kind: "a list", "a map", "nothing" or "a single value".
const char* kindName(YamlNode::Kind kind);

/// Limits on what readYaml takes.
inline constexpr std::size_t kMaxYamlBytes = 16u << 20;
inline constexpr int kMaxYamlDepth = 64;
inline constexpr std::size_t kMaxYamlValues = 200'000;

/// Reads the one document of a YAML or JSON text.
///
/// Refused, with one error in `out`: more than 16 MiB, 200,000 values or a million lines; nesting
/// deeper than 64; anchors, aliases and tags; keys that are no plain texts or appear twice in a
/// map; a second document; bytes that are not UTF-8, control characters; whatever is no valid YAML.
///
/// @param lines     index of the file's whole text
/// @param leaveOut  bytes of it that the parser must not see; they do not count for the limits
/// @return the root, or nothing after an error
///
/// Time grows with the text's length; memory stays below 8 times the text plus 64 MiB.
/// May be called from any thread.
std::optional<YamlNode> readYaml(const LineIndex& lines, Diagnostics& out, ByteRange leaveOut = {});

}  // namespace orrery
