#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/crc32c.h"

namespace orrery {

inline constexpr std::string_view kTensorBoardVersion = "brain.Event:2";
inline constexpr std::string_view kTextPlugin = "text";

/// The checksum of a record: rotated and shifted, so that checksums of data that hold checksums
/// stay meaningful.
inline std::uint32_t maskedCrc32c(std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return (crc >> 15U | crc << 17U) + 0xa282ead8U;
}

/// Numbers of the fields in the protobuf messages; those not named here are skipped in reading.
namespace event_field {
inline constexpr std::uint32_t kWallTime = 1, kStep = 2, kVersion = 3, kSummary = 5, kSession = 7;
}
namespace session_field {
inline constexpr std::uint32_t kStatus = 1;
inline constexpr std::uint64_t kStart = 1;
}  // namespace session_field
namespace summary_field {
inline constexpr std::uint32_t kValue = 1;
}
namespace value_field {
inline constexpr std::uint32_t kTag = 1, kScalar = 2, kTensor = 8, kMetadata = 9;
}
namespace metadata_field {
inline constexpr std::uint32_t kPlugin = 1, kDataClass = 4;
inline constexpr std::uint64_t kTensorClass = 2;
}  // namespace metadata_field
namespace plugin_field {
inline constexpr std::uint32_t kName = 1;
}
namespace tensor_field {
inline constexpr std::uint32_t kType = 1, kShape = 2, kFloat = 5, kDouble = 6, kString = 8;
inline constexpr std::uint32_t kContent = 4;
inline constexpr std::uint64_t kFloatType = 1, kDoubleType = 2, kStringType = 7;
}  // namespace tensor_field
namespace shape_field {
inline constexpr std::uint32_t kDimension = 2, kSize = 1;
}

}  // namespace orrery
