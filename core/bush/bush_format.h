#pragma once

namespace orrery {

struct WorldFormat;

/// How files of bush worlds are read and written.
const WorldFormat& bushFormat();

}  // namespace orrery
