#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orrery {

/// An array of numbers with its shape, row-major.
template <typename T>
struct ShapedArray {
    std::vector<std::int64_t> shape = {};
    std::vector<T> values = {};  ///< the product of shape
    bool operator==(const ShapedArray&) const = default;
};

/// What a checkpoint keeps of a learner: arrays by name, "q_r.head.0.weight", "table.x_h.updates".
/// Names use letters, digits, '_', '.' and '/'.
struct NamedArrays {
    std::map<std::string, ShapedArray<float>> floats = {};
    std::map<std::string, ShapedArray<std::int64_t>> integers = {};
    std::map<std::string, std::vector<std::byte>> bytes = {};
    bool operator==(const NamedArrays&) const = default;
};

}  // namespace orrery
