#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace orrery {

/// The eight words of a SHA-256 on its way.
using Sha256State = std::array<std::uint32_t, 8>;

inline constexpr std::size_t kSha256BlockBytes = 64;

/// Takes `count` blocks into a state.
using Sha256Blocks = void (*)(Sha256State& state, const std::byte* blocks, std::size_t count);

/// In plain C++, for any processor.
void sha256BlocksPlain(Sha256State& state, const std::byte* blocks, std::size_t count);

/// By the processor's own instructions for SHA; null where it has none.
Sha256Blocks sha256BlocksOfProcessor();

/// The fastest here, unless the environment variable ORRERY_CPU is "baseline". All give the same.
Sha256Blocks sha256Blocks();

}  // namespace orrery
