#pragma once

#include <cstdint>

#include "core/encode/planes.h"

/// What one thread of a kernel does, compiled for the device by nvcc and for the host by everybody
/// else, so that tests can run it without a GPU.
#if defined(__CUDACC__)
#define ORRERY_BOTH __host__ __device__ inline
#else
#define ORRERY_BOTH inline
#endif

namespace orrery {

/// The planes that are not zero in one cell: at most six.
struct CellPlanes {
    static constexpr int kMost = 6;
    int plane[kMost];  ///< places in the layout
    float number[kMost];
    int count;
};

/// Adds a number; a plane that is there already gets the new one, one that the layout lacks none.
ORRERY_BOTH void putPlane(CellPlanes& cell, int plane, int number, bool isSeedLayout) {
    if (isSeedLayout && plane == kBushPlane) return;
    const int place = isSeedLayout && plane > kBushPlane ? plane - 1 : plane;
    for (int i = 0; i < cell.count; ++i)
        if (cell.plane[i] == place) {
            cell.number[i] = static_cast<float>(number);
            return;
        }
    cell.plane[cell.count] = place;
    cell.number[cell.count] = static_cast<float>(number);
    ++cell.count;
}

/// The bits of a compact cell (see CellBits) as planes.
ORRERY_BOTH CellPlanes planesOfCell(std::int32_t packed, bool isSeedLayout) {
    const auto bits = static_cast<std::uint32_t>(packed);
    const int type = static_cast<int>(bits & 31U), color = static_cast<int>(bits >> 5U & 7U);
    const int door = static_cast<int>(bits >> 8U & 3U), agent = static_cast<int>(bits >> 10U & 7U);
    const int magic = static_cast<int>(bits >> 13U & 7U),
              other = static_cast<int>(bits >> 16U & 3U);
    const int density = static_cast<int>(bits >> 18U & 255U);
    const int thing = static_cast<int>(bits >> 26U & 7U);
    const int thingColor = static_cast<int>(bits >> 29U & 7U);
    constexpr int kDoorType = 30, kKeyType = 31, kNoAgent = 7, kKeyThing = 7;

    CellPlanes cell{};
    if (type <= kBushPlane)
        putPlane(cell, type, type == kBushPlane ? density + 1 : 1, isSeedLayout);
    else if (type == kDoorType)
        putPlane(cell, kDoorPlane + color, door, isSeedLayout);
    else if (type == kKeyType)
        putPlane(cell, kKeyPlane + color, 1, isSeedLayout);
    if (magic != 0) putPlane(cell, kMagicWallPlane, magic, isSeedLayout);
    if (other != 0) putPlane(cell, kOtherOverlappablePlane + other - 1, 1, isSeedLayout);
    if (thing == kKeyThing)
        putPlane(cell, kKeyPlane + thingColor, 1, isSeedLayout);
    else if (thing != 0)
        putPlane(cell, thing, 1, isSeedLayout);
    if (agent != kNoAgent) {
        putPlane(cell, kAgentPlane + agent, 1, isSeedLayout);
        putPlane(cell, kOtherImmobilePlane, 1, isSeedLayout);
    }
    return cell;
}

/// Writes all planes of cell `index` = state * cellsPerState + cell into out [N x planes x cells].
ORRERY_BOTH void decompressCell(const std::int32_t* cells, std::int64_t cellsPerState,
                                bool isSeedLayout, std::int64_t index, float* out) {
    const CellPlanes cell = planesOfCell(cells[index], isSeedLayout);
    const int numPlanes = isSeedLayout ? kNumSeedPlanes : kNumPlanes;
    const std::int64_t state = index / cellsPerState, place = index % cellsPerState;
    float* const first = out + state * numPlanes * cellsPerState + place;
    for (int plane = 0; plane < numPlanes; ++plane) {
        float number = 0.0F;
        for (int i = 0; i < CellPlanes::kMost; ++i)
            if (i < cell.count && cell.plane[i] == plane) number = cell.number[i];
        first[plane * cellsPerState] = number;
    }
}

/// What kernels of segmented sums read. Sums are taken in double.
struct SegmentInput {
    const float* weight;               ///< [E]; null: 1
    const float* value;                ///< [E], or [V] where valueIndex is given
    const std::int64_t* valueIndex;    ///< [E] in [0, V); null: the entry's own number
    const std::int64_t* segmentBegin;  ///< [S+1] ascending, from 0 to E
};

/// The part of a segment's sum that lane `lane` of `numLanes` takes: each numLanes-th entry.
ORRERY_BOTH double laneSum(const SegmentInput& in, std::int64_t segment, int lane, int numLanes) {
    double sum = 0.0;
    for (std::int64_t e = in.segmentBegin[segment] + lane; e < in.segmentBegin[segment + 1];
         e += numLanes) {
        const std::int64_t at = in.valueIndex == nullptr ? e : in.valueIndex[e];
        const double weight = in.weight == nullptr ? 1.0 : static_cast<double>(in.weight[e]);
        sum += weight * static_cast<double>(in.value[at]);
    }
    return sum;
}

}  // namespace orrery
