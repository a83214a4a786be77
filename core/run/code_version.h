#pragma once

namespace orrery {

/// The version that runs record: "0.1.0" or "0.1.0+a1b2c3d".
const char* codeVersion();

}  // namespace orrery
