#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// Mirrors the curves of a run, while it goes on, into a TensorBoard event file in a folder of the
/// run's own, which runFolderName() names. Points reach the file within a second or two, on a
/// thread of its own; whole records at a time, so that a crash leaves a file that can be read. A
/// run that is resumed gets a further file, whose first event says which points it supersedes.
///
/// Trouble with the disk never reaches the run: it is told once, points wait in memory meanwhile,
/// up to 64 MiB, and writing is tried again. Fault point: mirror.write.
class MetricMirror {
public:
    struct Options {
        std::filesystem::path folder = {};  ///< of all runs; made if it is not there
        std::string runName = {}, runId = {};
        std::string config = {};  ///< shown as text at the beginning; empty: none
        /// Of a run that is resumed: points of this step and later ones are superseded.
        std::optional<std::int64_t> restartStep = {};
        std::chrono::milliseconds pause{1000};        ///< between two looks for points
        std::chrono::milliseconds retryPause{5000};   ///< after trouble
        std::chrono::milliseconds endPatience{5000};  ///< for what waits at the end
    };

    /// Throws nothing of the disk's.
    explicit MetricMirror(const Options& options);
    /// As close().
    ~MetricMirror();
    MetricMirror(const MetricMirror&) = delete;
    MetricMirror& operator=(const MetricMirror&) = delete;

    /// Never waits for the disk. Any thread.
    void point(std::int64_t step, const std::string& key, double value);
    /// Lines for the run's log since the last call: one when trouble begins, one at the end if
    /// points are missing. Any thread.
    std::vector<std::string> takeMessages();

    /// No further points come; writes the rest in one attempt, which a slow disk gets no more than
    /// `endPatience` for, and joins the thread. By one thread.
    void close();

private:
    struct Shared;
    std::unique_ptr<Shared> m_shared;  ///< with the thread
};

}  // namespace orrery
