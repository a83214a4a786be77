#include "core/entity/files/sample_split.h"

#include <map>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "core/base/error.h"
#include "core/base/mutex.h"
#include "core/entity/files/sample_file.h"

namespace orrery {

SampleSplit splitSamples(const std::filesystem::path& file, double testShare) {
    SampleReader reader(file);
    std::vector<std::vector<std::int64_t>> episodes;
    std::int64_t all = 0;
    while (auto next = reader.nextEpisodes()) {
        all += std::ssize(*next);
        episodes.push_back(std::move(*next));
    }
    SampleSplit split{.testEpisodes = {}, .bytes = reader.bytes()};
    const double wanted = testShare * static_cast<double>(all);
    std::size_t i = 0;
    for (; i < episodes.size() && static_cast<double>(split.testFrames) < wanted; ++i) {
        split.testEpisodes.insert(episodes[i].begin(), episodes[i].end());
        split.testFrames += std::ssize(episodes[i]);
    }
    split.testSamples = static_cast<std::int64_t>(i);
    for (; i < episodes.size(); ++i)
        for (const std::int64_t episode : episodes[i])
            split.trainFrames += split.isLearned(episode) ? 1 : 0;
    return split;
}

std::int64_t framesOfEpoch(std::int64_t trainFrames, std::int64_t minibatch) {
    return trainFrames < minibatch ? trainFrames : trainFrames / minibatch * minibatch;
}

namespace {

/// A file as it was when it was counted, and the share.
using Counted = std::tuple<std::string, std::uintmax_t, std::int64_t, double>;

struct KnownCounts {
    Mutex mutex;
    std::map<Counted, std::int64_t> trainFrames ORRERY_GUARDED_BY(mutex);
};

KnownCounts& knownCounts() {
    static KnownCounts known;
    return known;
}

}  // namespace

std::int64_t framesOfEpoch(const std::filesystem::path& file, double testShare,
                           std::int64_t minibatch) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) return 0;
    const auto time = std::filesystem::last_write_time(file, error).time_since_epoch().count();
    const Counted key{file.string(), size, static_cast<std::int64_t>(time), testShare};
    KnownCounts& known = knownCounts();
    const MutexLock lock(known.mutex);
    const auto found = known.trainFrames.find(key);
    if (found != known.trainFrames.end()) return framesOfEpoch(found->second, minibatch);
    try {
        const std::int64_t frames = splitSamples(file, testShare).trainFrames;
        known.trainFrames.emplace(key, frames);
        return framesOfEpoch(frames, minibatch);
    } catch (const Error&) {
        return 0;
    }
}

}  // namespace orrery
