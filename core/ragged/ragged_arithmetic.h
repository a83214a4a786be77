#pragma once

#include "core/ragged/ragged_buffer.h"

namespace orrery {

/// Item by item; T is float or std::int64_t, which wraps. Two buffers fit if they have the same
/// sequences and features, or if they have as many sequences and features and all sequences of one
/// of them have a single item, which then stands for each item of the other's sequence.
/// @throws Error (BadInput) naming the sizes that do not fit
template <class T>
RaggedBuffer<T> operator+(const RaggedBuffer<T>& a, const RaggedBuffer<T>& b);
template <class T>
RaggedBuffer<T> operator*(const RaggedBuffer<T>& a, const RaggedBuffer<T>& b);

/// Each number.
template <class T>
RaggedBuffer<T> operator+(const RaggedBuffer<T>& a, std::type_identity_t<T> b);
template <class T>
RaggedBuffer<T> operator*(const RaggedBuffer<T>& a, std::type_identity_t<T> b);

}  // namespace orrery
