#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/file_descriptor.h"

namespace orrery::test {

/// A whole file of a test's own.
inline std::string contentOf(const std::filesystem::path& file) {
    return readFile(file, std::uint64_t{1} << 30);
}

}  // namespace orrery::test
