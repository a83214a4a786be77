#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/cpu.h"
#include "core/entity/net/attention_kernel.h"
#include "core/entity/net/relative_pairs.h"

namespace orrery {

AttentionKernel attentionKernel(CpuLevel level);

/// Which rows attend to each other: those of a frame. Shared by all layers of a pass.
struct AttentionRows {
    std::vector<std::int64_t> rowBegin;          ///< [frames + 1]
    std::vector<std::uint8_t> visible;           ///< [rows]; empty: all are seen
    std::vector<std::int64_t> pairBegin;         ///< [frames + 1]; pair i * items + j of a frame
    std::shared_ptr<const RelativePairs> pairs;  ///< null: positions do not matter
    int rowsEach = 0;                            ///< of a pair
    std::vector<std::int32_t> valueShift;        ///< [rows]; empty: values have no types
    std::vector<std::int32_t> kind;              ///< [rows] of projections; empty: one for all

    std::int64_t rows() const { return rowBegin.back(); }
    std::int64_t numPairs() const { return pairBegin.back(); }
};

/// What relative positions add to keys and values; what is undefined adds nothing.
struct RelativeTensors {
    at::Tensor keys, values;            ///< [places, headSize]
    at::Tensor keyWeight, keyBias;      ///< [kinds, headSize, 3], [kinds, headSize]
    at::Tensor valueWeight, valueBias;  ///< likewise
    at::Tensor features;                ///< [pairs, 3] without gradient
    at::Tensor gate;                    ///< [rows, headSize]
};

/// Attention within frames, with gradients for q, k, v and the relative tensors.
/// @param q,k,v  float [rows, heads * headSize]
/// @param keep   float [heads, pairs] what dropping leaves; undefined: all
/// @param probabilities  gets [heads, pairs], frame by frame within a head; null: nobody asks
/// @return [rows, heads * headSize]
at::Tensor frameAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, int heads,
                          const std::shared_ptr<const AttentionRows>& rows,
                          const RelativeTensors& relative = {}, const at::Tensor& keep = {},
                          at::Tensor* probabilities = nullptr);

}  // namespace orrery
