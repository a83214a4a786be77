#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "core/base/atomic_write.h"
#include "core/checkpoint/tensor_map.h"

namespace orrery {

/// Files of tensors in the public format safetensors: eight bytes with the length of a JSON head,
/// the head (type, shape and place of each tensor, texts under "__metadata__"), the numbers.
///
/// The reader trusts nothing: the head is at most 100 MB, no name comes twice, types are those of
/// TensorType, names those that TensorMap takes, and the tensors fill the file without a gap or an
/// overlap; files of ours carry checksums of head and numbers, so no bit of them changes unnoticed.
/// Memory for the numbers is taken after all this is known to hold; reading takes less
/// than twice the file's size and 4 MiB. A file is read through one descriptor that never follows a
/// symbolic link, and must be a regular file.

struct SafetensorsOptions {
    bool allowNonFinite = false;  ///< else a NaN or an infinity among the numbers is damage
};

inline constexpr std::uint64_t kMaxSafetensorsHead = 100'000'000;
inline constexpr std::size_t kMaxSafetensors = 10'000;  ///< tensors in one file

/// Reads `relative` below `folder`; no component of it may be a link.
/// @throws Error (Damaged) naming the file, the tensor and what is wrong;
///         (Resource) if the system refuses to open or read it
TensorMap readSafetensors(const std::filesystem::path& folder,
                          const std::filesystem::path& relative,
                          const SafetensorsOptions& options = {});
/// The same for an open file, from its beginning; `path` is for the message.
TensorMap readSafetensors(int fd, const std::filesystem::path& path,
                          const SafetensorsOptions& options = {});
/// The same for a file's content.
TensorMap readSafetensors(std::span<const std::byte> content, const std::filesystem::path& path,
                          const SafetensorsOptions& options = {});

/// Writes a file: the same map gives the same bytes. Tensors come by the size of their numbers,
/// largest first, then by name; the numbers begin at a multiple of 8.
/// @throws Error of `file`; (BadInput) if the map has more than kMaxSafetensors tensors
void writeSafetensors(FileWriter& file, const TensorMap& tensors);
/// The same by atomicWrite.
void writeSafetensors(const std::filesystem::path& path, const TensorMap& tensors);

}  // namespace orrery
