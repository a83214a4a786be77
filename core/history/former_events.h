#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// What an event of a file before version 3 says, which has no columns for it.
struct FormerEvent {
    std::optional<std::int64_t> step = {};
    std::string data = {};  ///< JSON as an event of today has it; empty: none
    /// The code is one whose events have data, but the text is none that was ever written.
    bool isUnread = false;
};

/// Reads the texts of changes ("steer" and its like), skipped steps, checkpoints, resumes and
/// intervals of checkpoints. Nothing for all others.
FormerEvent formerEvent(std::string_view code, std::string_view text);

}  // namespace orrery
