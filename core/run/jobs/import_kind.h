#pragma once

#include <string>

#include "core/run/run_kind.h"

namespace orrery {

/// Curves that another program wrote. Nothing was ever carried out, so nothing can be.
struct ImportJob {
    std::string source = {};  ///< the file or folder that they were read from
    bool operator==(const ImportJob&) const = default;
};

/// The entry of ImportJob in the list of kinds.
const RunKind& importKind();

}  // namespace orrery
