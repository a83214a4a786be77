#pragma once

#include <optional>

#include "core/files/yaml_tree.h"

namespace orrery {

/// Reads a text of Rusty Object Notation into the same tree as readYaml: structs and maps are maps,
/// lists and tuples are sequences, Some(x) is x, None is nothing, () is an empty map, a bare name
/// is a scalar. The name of a struct is the text of its map; attributes (#![...]) are passed over.
///
/// Refused, with one error in `out`: more than 16 MiB or 200,000 values, nesting deeper than 64,
/// names twice in a struct or map, keys of a map that are neither texts, names nor numbers, bytes
/// that are no UTF-8 or control characters, whatever is no valid RON.
///
/// Time grows with the text's length. May be called from any thread.
/// Source: RON 0.8, grammar.
std::optional<YamlNode> readRon(const LineIndex& lines, Diagnostics& out);

}  // namespace orrery
