#pragma once

#include <span>

#include "core/ragged/ragged_buffer.h"

namespace orrery {

/// Buffers one after another: their sequences (0), the items of each sequence (1), or the features
/// of each item (2). In dimension 2 a buffer that has one item in a sequence gives it to all items
/// of the others there; where one has none, the result has none.
/// @throws Error (BadInput) naming the first buffer that does not fit
template <class T>
RaggedBuffer<T> cat(std::span<const RaggedBuffer<T>* const> buffers, int dimension);

}  // namespace orrery
