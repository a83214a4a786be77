#pragma once

#include <cstdint>
#include <filesystem>
#include <set>

namespace orrery {

/// Which samples of a file are learned from, and which only measured by: no episode is in both.
struct SampleSplit {
    std::int64_t testSamples = 0;         ///< the first ones
    std::set<std::int64_t> testEpisodes;  ///< theirs; frames of them behind those are left out
    std::int64_t testFrames = 0, trainFrames = 0;
    std::uint64_t bytes = 0;  ///< of the file's whole samples

    bool isLearned(std::int64_t episode) const { return !testEpisodes.contains(episode); }
};

/// The first samples are for tests until they have this share of all frames. Reads the whole file.
/// @param testShare  [0, 1)
/// @throws Error as SampleReader
SampleSplit splitSamples(const std::filesystem::path& file, double testShare);

/// The frames that are learned from in an epoch of minibatches: those of whole minibatches, all if
/// there is not even one. What was counted once is known until the file changes. Any thread.
/// @return 0 if it cannot be read
std::int64_t framesOfEpoch(const std::filesystem::path& file, double testShare,
                           std::int64_t minibatch);
std::int64_t framesOfEpoch(std::int64_t trainFrames, std::int64_t minibatch);

}  // namespace orrery
