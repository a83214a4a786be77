#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace orrery {

/// Planes of an encoded state: one number a cell each. Kinds with colours or agents have one plane
/// a colour, seven in the order of Color. Seed 000 and its present upstream (spec 7).
enum Plane : std::uint8_t {
    kWallPlane = 0,
    kBallPlane,
    kBoxPlane,
    kGoalPlane,
    kLavaPlane,
    kBlockPlane,
    kRockPlane,
    kUnsteadyPlane,
    kSwitchPlane,
    kFloorPlane,
    kKillButtonPlane,
    kPauseSwitchPlane,
    kDisablingSwitchPlane,
    kControlButtonPlane,
    kBushPlane,       ///< 1, or the density of a bush world's cell
    kDoorPlane = 15,  ///< 1 open, 2 closed, 3 locked
    kKeyPlane = 22,
    kMagicWallPlane = 29,  ///< 1 + side (0 E, 1 S, 2 W, 3 N, 4 all) if active, 6 if solid
    kOtherOverlappablePlane = 30,
    kOtherImmobilePlane = 31,  ///< agents
    kOtherMobilePlane = 32,
    kAgentPlane = 33,
};
inline constexpr int kNumPlanes = 40;
/// The seed's layout: the same without the plane of bushes, those behind it one further up front.
inline constexpr int kNumSeedPlanes = 39;
inline constexpr int kNumPlaneColors = 7;

enum class PlaneLayout : std::uint8_t { Whole, Seed };

inline constexpr int numPlanes(PlaneLayout layout) {
    return layout == PlaneLayout::Whole ? kNumPlanes : kNumSeedPlanes;
}

/// Where a plane stands in a layout; -1 if it is not in it.
inline constexpr int placeOf(int plane, PlaneLayout layout) {
    if (layout == PlaneLayout::Whole || plane < kBushPlane) return plane;
    return plane == kBushPlane ? -1 : plane - 1;
}

/// "wall", "red door", "yellow agent", ...
std::string planeName(int plane);

}  // namespace orrery
