#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/empo/nets/cell_codes.h"
#include "core/encode/compact_state.h"

namespace orrery {

struct GridInput;

/// N encoded states as tensors on one device.
struct StateTensors {
    at::Tensor cells;        ///< int32 [N, H, W], see CellBits
    at::Tensor globals;      ///< float [N, 4]
    at::Tensor agents;       ///< float [N, 13 n]
    at::Tensor interactive;  ///< float [N, interactiveNumbers]
    /// The cells as encoders read them, if QuantityNets::prepare() made them.
    std::shared_ptr<const GridInput> grid;

    std::int64_t size() const { return cells.size(0); }
    StateTensors to(const at::Device& device) const;
    /// States first, first + 1, ..., as views.
    StateTensors narrow(std::int64_t first, std::int64_t count) const;
    /// @param rows  int64 [R] on the same device
    StateTensors select(const at::Tensor& rows) const;
};

/// Takes compact states apart into tensors that it keeps and fills again. One a thread.
class StateGatherer {
public:
    explicit StateGatherer(const EncodingShape& shape) : m_shape(shape) {}

    /// @param states  [N] of shape.bytes() each, aligned to 4
    /// @return views of the kept memory: their numbers stay until the next call, so what autograd
    ///         saved of them must have been used before
    /// O(N bytes); takes memory only when N grows beyond all before.
    StateTensors gather(std::span<const std::byte* const> states);

    const EncodingShape& shape() const { return m_shape; }

private:
    EncodingShape m_shape;
    StateTensors m_kept;
    std::int64_t m_capacity = 0;
};

/// Planes of compact cells, float [N, 40 or 39, H, W], on the cells' device: by the kernel of
/// liborrery_cuda.so on a GPU, where it is there, else by tensor operations.
/// Equal to decompress() of core/encode bit for bit.
/// @param cells  int32 [N, H, W]
at::Tensor decompressCells(const at::Tensor& cells, PlaneLayout layout);

/// The same on the CPU into memory that is kept: only numbers that differ from zero are touched, so
/// a batch costs about its occupied cells. One a thread.
class PlaneBuffer {
public:
    PlaneBuffer(const EncodingShape& shape, PlaneLayout layout);

    /// @param cells  int32 [N, H, W] on the CPU, contiguous
    /// @return [N, P, H, W], a view that stays until the next call
    at::Tensor fill(const at::Tensor& cells);

private:
    EncodingShape m_shape;
    PlaneLayout m_layout;
    CellCodes m_codes;
    at::Tensor m_planes;             ///< [capacity, P, H, W], zero but for m_set
    std::vector<std::size_t> m_set;  ///< [m_numSet] places that the last call filled
    std::size_t m_numSet = 0;
    std::int64_t m_capacity = 0;
};

}  // namespace orrery
