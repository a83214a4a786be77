#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/msgpack.h"

namespace orrery {

/// The name that NumPy gives a type of numbers: "<f4", "<i8", "|b1".
template <class T>
inline constexpr std::string_view kNumpyType = "";
template <>
inline constexpr std::string_view kNumpyType<float> = "<f4";
template <>
inline constexpr std::string_view kNumpyType<std::int64_t> = "<i8";
template <>
inline constexpr std::string_view kNumpyType<std::uint8_t> = "|b1";  ///< truth values

/// An array as msgpack-numpy packs it: row by row, little-endian.
struct NumpyArray {
    std::string_view type;
    std::vector<std::int64_t> shape;
    std::string_view data;  ///< as many bytes as type and shape say
};

/// @param where  what is read, for messages: "obs.reward"
/// @throws Error (BadInput) if it is none, or its bytes do not fit its shape; an array of objects
///         (kind O) is a pickle, whose reading would run code: it is refused
NumpyArray numpyArrayIn(const MsgpackValue& value, const std::string& where);

/// The numbers of an array. @throws Error (BadInput) of another type; truths that are not 0 or 1
template <class T>
std::vector<T> numbersOf(const NumpyArray& array, const std::string& where);

/// Bytes of a type's number; 0 of one that is not read here.
std::size_t numpyBytes(std::string_view type);

/// @param bytes  of all numbers
void packNumpy(MsgpackWriter& out, std::string_view type, std::span<const std::int64_t> shape,
               std::string_view bytes);

template <class T>
void packNumpy(MsgpackWriter& out, std::span<const T> numbers,
               std::span<const std::int64_t> shape) {
    packNumpy(out, kNumpyType<T>, shape,
              {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

}  // namespace orrery
