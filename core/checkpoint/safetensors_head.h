#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/tensor_map.h"

namespace orrery {

/// One tensor as the head of a safetensors file describes it.
struct SafetensorsPlace {
    std::string name;
    TensorType type = TensorType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;  ///< in the file's numbers
};

struct SafetensorsHead {
    std::vector<SafetensorsPlace> places;  ///< in the order of the file
    std::map<std::string, std::string, std::less<>> texts;
    std::optional<std::uint32_t> numbersCrc;  ///< CRC-32C of the numbers, in files that we wrote
};

inline constexpr int kSafetensorsFormat = 1;  ///< of the files that we write
inline constexpr std::string_view kSafetensorsFormatKey = "orrery_format";
/// The text with the checksums of a file that we wrote: 8 hexadecimal digits for the head (as it
/// is with 16 zeros in their place), 8 for the numbers.
inline constexpr std::string_view kSafetensorsCrcKey = "orrery_crc32c";
inline constexpr std::size_t kSafetensorsCrcDigits = 16;
inline constexpr std::size_t kMaxSafetensorsRank = 16;
inline constexpr std::size_t kMaxSafetensorsTexts = 1000;
inline constexpr std::size_t kMaxSafetensorsTextBytes = 65536;

/// The head with both checksums in their place.
/// @param head  with 16 zeros there
std::string withChecksums(std::string head, std::uint32_t numbersCrc);

/// Reads a head and checks everything that can be known without the numbers.
/// @param numberBytes  what the file has behind the head
/// @throws Error (Damaged)
SafetensorsHead parseSafetensorsHead(std::string_view head, std::uint64_t numberBytes,
                                     const std::filesystem::path& path);

/// "Tensor file 'path' is damaged: tensor 'name': why. ..."; without a name that part is left out.
[[noreturn]] void throwDamagedTensors(const std::filesystem::path& path, std::string_view name,
                                      const std::string& why);

}  // namespace orrery
