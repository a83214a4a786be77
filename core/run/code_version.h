#pragma once

namespace orrery {

/// The version that runs record: "0.1.0", or "0.1.0+a1b2c3d-dirty" with the commit that was checked
/// out when the program was built and a word if tracked files differed from it.
const char* codeVersion();

}  // namespace orrery
