#pragma once

namespace orrery {

struct WorldFormat;

/// How files of grid worlds are read and written.
const WorldFormat& gridFormat();

}  // namespace orrery
