#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orrery {

/// Sequences of many lengths side by side in rows of one width, as padded tensors want them.
struct PackedRows {
    std::int64_t rows = 0;
    std::int64_t width = 0;             ///< the longest sequence
    std::vector<std::int64_t> index;    ///< [rows * width] which item lies there; 0: none
    std::vector<float> batch;           ///< [rows * width] its sequence; NaN: none
    std::vector<std::int64_t> inverse;  ///< [items] where an item lies
};

/// Each sequence goes into the row with most free slots (the first of equals), or into a new one if
/// it does not fit there. O(items + sequences log rows).
///
/// @param rowBegin  [sequences + 1] where sequences begin, from 0, ascending
/// @return nothing if all sequences are equally long or there is none: then no padding is needed
/// Source: seed 004, "Attention".
std::optional<PackedRows> packRows(std::span<const std::int64_t> rowBegin);

}  // namespace orrery
