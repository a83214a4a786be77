#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace orrery {

/// A range as Python has it: what is left out is the beginning, the end, and 1. Negative ends count
/// from the end of what is sliced.
struct RaggedSlice {
    std::optional<std::int64_t> start = {};
    std::optional<std::int64_t> stop = {};
    std::optional<std::int64_t> step = {};  ///< at least 1
};

/// All of a dimension.
struct RaggedAll {};

/// What a view takes of one dimension: all, one, a range, or a list.
using RaggedIndex = std::variant<RaggedAll, std::int64_t, RaggedSlice, std::vector<std::int64_t>>;

}  // namespace orrery
