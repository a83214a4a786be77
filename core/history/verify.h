#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace orrery {

/// One thing that is wrong in a workspace.
struct Finding {
    std::string where;  ///< "workspace.db", "run r00012", "runs/r00012/values.npz"
    std::string text;   ///< what is wrong and what to do
};

struct VerifyReport {
    std::vector<Finding> findings;  ///< empty: all is well
    int schemaVersion = 0;
    std::int64_t runs = 0;
    std::int64_t metricRows = 0;
    std::int64_t eventRows = 0;
    std::int64_t filesChecked = 0;  ///< artefacts and checkpoints whose size and hash were compared
};

/// Checks a workspace without changing it: the database's own integrity check, its kind and
/// version, references, every run's state and spec (each is finished or can be resumed), and size
/// and SHA-256 of every listed file, which must lie inside the workspace. Works beside a running
/// writer. Damage is a finding, never an exception.
/// @throws Error (Resource) if the folder does not exist or cannot be read
VerifyReport verifyWorkspace(const std::filesystem::path& folder);

}  // namespace orrery
