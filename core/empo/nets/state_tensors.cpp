#include "core/empo/nets/state_tensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "core/empo/nets/gpu_kernels.h"

namespace orrery {

StateTensors StateTensors::to(const at::Device& device) const {
    // Nobody waits for the device: memory that is not pinned is copied away before the return.
    const at::TensorOptions there(device);
    return {cells.to(there, true), globals.to(there, true), agents.to(there, true),
            interactive.to(there, true), nullptr};
}

StateTensors StateTensors::narrow(std::int64_t first, std::int64_t count) const {
    return {cells.narrow(0, first, count), globals.narrow(0, first, count),
            agents.narrow(0, first, count), interactive.narrow(0, first, count), nullptr};
}

StateTensors StateTensors::select(const at::Tensor& rows) const {
    return {cells.index_select(0, rows), globals.index_select(0, rows),
            agents.index_select(0, rows), interactive.index_select(0, rows), nullptr};
}

StateTensors StateGatherer::gather(std::span<const std::byte* const> states) {
    const auto count = static_cast<std::int64_t>(states.size());
    if (count > m_capacity || !m_kept.cells.defined()) {
        m_capacity = std::max(count, m_capacity + m_capacity / 2);
        const auto agentNumbers = static_cast<std::int64_t>(m_shape.agentNumbers());
        const auto others = static_cast<std::int64_t>(m_shape.interactiveNumbers());
        m_kept = {at::empty({m_capacity, m_shape.height, m_shape.width}, at::kInt),
                  at::empty({m_capacity, EncodingShape::kGlobals}, at::kFloat),
                  at::empty({m_capacity, agentNumbers}, at::kFloat),
                  at::empty({m_capacity, others}, at::kFloat), nullptr};
    }
    auto* cells = m_kept.cells.mutable_data_ptr<std::int32_t>();
    auto* globals = m_kept.globals.mutable_data_ptr<float>();
    auto* agents = m_kept.agents.mutable_data_ptr<float>();
    auto* interactive = m_kept.interactive.mutable_data_ptr<float>();
    const auto widen = [](std::span<const std::int16_t> numbers, float* out) {
        for (const std::int16_t number : numbers) *out++ = static_cast<float>(number);
        return out;
    };
    for (const std::byte* state : states) {
        const auto parts = partsOf(m_shape, std::span(state, m_shape.bytes()));
        cells = std::ranges::copy(parts.cells, cells).out;
        globals = std::ranges::copy(parts.globals, globals).out;
        agents = widen(parts.agents, agents);
        interactive = widen(parts.interactive, interactive);
    }
    return m_kept.narrow(0, count);
}

namespace {

/// Bits `shift` to `shift + width - 1` of packed cells.
at::Tensor bitsOf(const at::Tensor& cells, int shift, int width) {
    return cells.bitwise_right_shift(shift).bitwise_and_((1 << width) - 1);
}

}  // namespace

at::Tensor decompressCells(const at::Tensor& cells, PlaneLayout layout) {
    if (cells.is_cuda())
        if (const CudaLibrary* const kernels = gpuKernels())
            return decompressByKernel(*kernels, cells, layout);
    const std::int64_t numStates = cells.size(0);
    const std::int64_t height = cells.size(1);
    const std::int64_t width = cells.size(2);
    const std::int64_t numPlanes = orrery::numPlanes(layout);
    const at::Tensor packed = cells.reshape({numStates, 1, height * width});
    // One plane more takes what belongs nowhere.
    at::Tensor planes = at::zeros({numStates, numPlanes + 1, height * width},
                                  at::dtype(at::kFloat).device(cells.device()));
    const auto index = [&](int plane) {
        const int place = placeOf(plane, layout);
        return place < 0 ? numPlanes : place;
    };
    const auto put = [&](const at::Tensor& isThere, const at::Tensor& place,
                         const at::Tensor& value) {
        planes.scatter_(1, place.to(at::kLong).masked_fill_(isThere.logical_not(), numPlanes),
                        value.to(at::kFloat));
    };
    const at::Tensor one = at::ones_like(packed);

    const at::Tensor type = bitsOf(packed, 0, 5);
    const at::Tensor color = bitsOf(packed, 5, 3);
    const at::Tensor isBush = type.eq(kBushPlane);
    put(type.lt(kBushPlane), type, one);
    put(isBush, at::full_like(packed, index(kBushPlane)), bitsOf(packed, 18, 8) + 1);
    put(type.eq(CellBits::kDoor), color + index(kDoorPlane), bitsOf(packed, 8, 2));
    put(type.eq(CellBits::kKey), color + index(kKeyPlane), one);

    const at::Tensor magic = bitsOf(packed, 13, 3);
    put(magic.ne(0), at::full_like(packed, index(kMagicWallPlane)), magic);
    const at::Tensor other = bitsOf(packed, 16, 2);
    put(other.ne(0), other + (index(kOtherOverlappablePlane) - 1), one);
    const at::Tensor thing = bitsOf(packed, 26, 3);
    const at::Tensor isKey = thing.eq(CellBits::kKeyThing);
    put(isKey, bitsOf(packed, 29, 3) + index(kKeyPlane), one);
    put(thing.ne(0).logical_and_(isKey.logical_not()), thing, one);
    const at::Tensor agent = bitsOf(packed, 10, 3);
    const at::Tensor hasAgent = agent.ne(CellBits::kNoAgent);
    put(hasAgent, agent + index(kAgentPlane), one);
    put(hasAgent, at::full_like(packed, index(kOtherImmobilePlane)), one);

    return planes.narrow(1, 0, numPlanes).reshape({numStates, numPlanes, height, width});
}

PlaneBuffer::PlaneBuffer(const EncodingShape& shape, PlaneLayout layout)
    : m_shape(shape), m_layout(layout), m_codes(layout) {}

at::Tensor PlaneBuffer::fill(const at::Tensor& cells) {
    assert(cells.is_contiguous() && cells.device().is_cpu());
    const std::int64_t count = cells.size(0);
    const std::size_t numCells = m_shape.cells();
    const std::size_t stateNumbers = numCells * static_cast<std::size_t>(numPlanes(m_layout));
    if (count > m_capacity || !m_planes.defined()) {
        m_capacity = std::max(count, m_capacity + m_capacity / 2);
        m_planes =
            at::zeros({m_capacity, numPlanes(m_layout), m_shape.height, m_shape.width}, at::kFloat);
        m_set.resize(static_cast<std::size_t>(m_capacity) * numCells * CellCodes::kMaxMarks);
        m_numSet = 0;
    }
    auto* const planes = m_planes.mutable_data_ptr<float>();
    std::size_t* set = m_set.data();
    for (std::size_t k = 0; k < m_numSet; ++k) planes[set[k]] = 0;

    const auto* packed = cells.const_data_ptr<std::int32_t>();
    for (std::size_t state = 0; state < static_cast<std::size_t>(count); ++state) {
        for (std::size_t i = 0; i < numCells; ++i) {
            for (const CellCodes::Mark mark : m_codes.marks(m_codes.indexOf(*packed++))) {
                *set = state * stateNumbers + static_cast<std::size_t>(mark.plane) * numCells + i;
                planes[*set++] = mark.value;
            }
        }
    }
    m_numSet = static_cast<std::size_t>(set - m_set.data());
    return m_planes.narrow(0, 0, count);
}

}  // namespace orrery
