#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/dag/big_array.h"
#include "core/dag/state_graph.h"

namespace orrery {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFF;

/// A hash of a key of some words; good in its low bits.
inline std::uint64_t hashKey(const std::uint64_t* key, int words) {
    std::uint64_t h = 0;
    for (int w = 0; w < words; ++w) {
        h = (h ^ key[w]) * 0x9E3779B97F4A7C15ULL;
        h ^= h >> 29;
    }
    h *= 0xBF58476D1CE4E5B9ULL;
    return h ^ (h >> 32);
}

/// StateGraph::contentHash of a world's graph.
std::string graphContentHash(const World& world, bool folded);

/// The arrays of a StateGraph: N configurations, R profiles, E outcomes; S of the configurations
/// have a row with more than one outcome and keep counts and probabilities.
struct StateGraph::Storage {
    std::shared_ptr<const World> world;
    bool folded = true;
    int words = 1;     ///< of a configuration
    int keyWords = 1;  ///< of a stored key: words, and one more with the step if unrolled
    ActionProfileIndex profiles = 0;

    BigArray<std::uint64_t> key;          ///< [N x keyWords]
    BigArray<std::uint64_t> rowBegin;     ///< [X+1] of the X expanded configurations, 0 .. X-1
    BigArray<std::uint32_t> stochastic;   ///< [X] index among the S, or kNoIndex
    BigArray<std::uint64_t> chanceBegin;  ///< [S+1] into probability
    BigArray<ConfigIndex> successor;      ///< [E]
    BigArray<std::uint16_t> count;        ///< [S x R]
    BigArray<std::uint32_t> probability;  ///< palette indices of the outcomes of the S
    std::vector<double> palette;
    std::vector<ConfigIndex> layerEnd;  ///< [T+1] configurations discovered up to each step
    std::vector<std::uint8_t> isRange;  ///< [T+1] the level is its whole range
    /// [T+1] for levels that are no range: bit c - levelBegin; empty otherwise.
    std::vector<std::vector<std::uint64_t>> member;
    BigArray<std::uint32_t> slot;         ///< open-addressing table of indices, power of two
    std::shared_ptr<const void> mapping;  ///< keeps a mapped file alive

    int numLevels() const { return static_cast<int>(layerEnd.size()); }
    ConfigIndex numConfigs() const {
        return static_cast<ConfigIndex>(key.size() / static_cast<std::size_t>(keyWords));
    }
    ConfigIndex numExpanded() const { return static_cast<ConfigIndex>(stochastic.size()); }
    std::int64_t bytes() const;
    bool buildSlots(const std::stop_token& stop);  ///< false if stopped
};

}  // namespace orrery
