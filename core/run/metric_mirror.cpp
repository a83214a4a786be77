#include "core/run/metric_mirror.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <functional>
#include <span>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/fault.h"
#include "core/base/file_descriptor.h"
#include "core/base/mutex.h"
#include "core/base/stoppable_sleep.h"
#include "core/base/text.h"
#include "core/files/tensorboard.h"
#include "core/run/run_name.h"

namespace orrery {

struct MirroredPoint {
    std::int64_t step;
    std::string key;
    double value;
    double wallTime;
};

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostWaitingPoints = 500'000;
constexpr std::size_t kMostWaitingBytes = 64U << 20U;
constexpr std::size_t kPiece = 256U << 10U;  // bytes between two looks at the clock
constexpr int kMostNames = 1000;             // tried for a new file

/// Seconds since 1970 (UTC).
double wallTime() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// Records that wait for the disk.
class RecordBuffer final : public FileWriter {
public:
    using FileWriter::write;
    void write(std::span<const std::byte> bytes) override {
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        m_offset += bytes.size();
    }
    std::vector<std::byte>& bytes() { return m_bytes; }
    bool isEmpty() const { return m_bytes.empty(); }

private:
    std::vector<std::byte> m_bytes;
};

/// The run's folder: the one that ends in its id, whatever the run was called then, else a new one.
fs::path folderOf(const MetricMirror::Options& options) {
    const std::string end = " - " + options.runId;
    std::error_code error;
    if (!options.runId.empty())
        for (fs::directory_iterator it(options.folder, error), last; !error && it != last;
             it.increment(error)) {
            const std::string name = it->path().filename().string();
            if ((name.ends_with(end) || name == options.runId) && it->is_directory(error))
                return it->path();
        }
    const std::string name = runFolderName(options.runName, options.runId);
    if (!options.runId.empty()) return options.folder / name;
    // Nothing else tells runs apart that are not stored.
    const auto seconds = static_cast<std::int64_t>(wallTime());
    return options.folder / ((name.empty() ? "run" : name) + " - " + std::to_string(seconds));
}

/// The event file of one life of a run. Used by the mirror's thread.
class EventFile {
public:
    explicit EventFile(const MetricMirror::Options& options)
        : m_options(options), m_writer(m_waiting, wallTime()) {
        if (options.restartStep)
            m_writer.restart(*options.restartStep, wallTime());
        else if (!options.config.empty())
            m_writer.text("config", 0, wallTime(), options.config);
    }

    /// @return false if it was left out: too much waits
    bool add(const MirroredPoint& point) {
        if (m_waiting.bytes().size() > kMostWaitingBytes) return false;
        m_writer.scalar(point.key, point.step, point.wallTime, point.value);
        return true;
    }
    bool hasWaiting() const { return !m_waiting.isEmpty(); }

    /// Appends what waits. @throws Error (Resource), also once `isLate` says that there is no more
    /// time; then it waits on
    void write(const std::function<bool()>& isLate) {
        if (!m_file) open();
        if (const int error = append(isLate); error != 0) {
            // No half of a record stays.
            if (::ftruncate(m_file.get(), static_cast<off_t>(m_written)) != 0) m_file = {};
            throwFileError("write", m_path, error);
        }
        m_written += m_waiting.bytes().size();
        m_waiting.bytes().clear();
    }

private:
    /// @return an errno value, 0 for success
    int append(const std::function<bool()>& isLate) {
        for (std::span<const std::byte> rest = m_waiting.bytes(); !rest.empty();) {
            if (isLate()) return ETIMEDOUT;
            const int fault = faultErrno("mirror.write");
            const auto piece = rest.first(std::min(kPiece, rest.size()));
            const int error = fault > 0 ? fault : writeAll(m_file.get(), piece);
            if (error != 0) return error;
            rest = rest.subspan(piece.size());
        }
        return 0;
    }

    void open() {
        const fs::path folder = folderOf(m_options);
        std::error_code made;
        fs::create_directories(folder, made);
        if (made && !fs::is_directory(folder)) throwFileError("make", folder, made.value());
        const std::string writer =
            "orrery" + (m_options.runId.empty() ? "" : "." + m_options.runId);
        const double now = wallTime();
        for (int i = 0; i < kMostNames; ++i) {
            // Files are read in the order of their names, which begin with the seconds.
            m_path = folder / tensorBoardFileName(now + i, writer);
            m_file = openFile(m_path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0644);
            if (m_file || errno != EEXIST) break;
        }
        if (!m_file) throwFileError("make", m_path, errno);
        m_written = 0;
    }

    const MetricMirror::Options& m_options;
    RecordBuffer m_waiting;
    TensorBoardWriter m_writer;
    fs::path m_path;
    FileDescriptor m_file;
    std::uint64_t m_written = 0;  ///< bytes of whole records in the file
};

}  // namespace

struct MetricMirror::Shared {
    explicit Shared(const Options& theOptions) : options(theOptions) {}

    const Options options;
    Mutex mutex;  // held for moments only
    std::vector<MirroredPoint> waiting ORRERY_GUARDED_BY(mutex);
    std::int64_t leftOut ORRERY_GUARDED_BY(mutex) = 0;
    std::vector<std::string> messages ORRERY_GUARDED_BY(mutex);
    bool hasEnded ORRERY_GUARDED_BY(mutex) = false;
    bool wasTold ORRERY_GUARDED_BY(mutex) = false;
    std::jthread thread = {};  // last: it uses the members above

    void work(const std::stop_token& stop) noexcept;
    void mirror(const std::stop_token& stop);
    bool takePoints(std::vector<MirroredPoint>& points, const std::stop_token& stop);
    bool tryWrite(EventFile& file, const std::function<bool()>& isLate);
};

/// Waits for points. @return false once the end has come and all were taken
bool MetricMirror::Shared::takePoints(std::vector<MirroredPoint>& points,
                                      const std::stop_token& stop) {
    sleepUnlessStopped(options.pause, stop);
    const MutexLock lock(mutex);
    const bool goesOn = !stop.stop_requested();  // before the last points are taken
    points.clear();
    std::swap(points, waiting);
    return goesOn;
}

bool MetricMirror::Shared::tryWrite(EventFile& file, const std::function<bool()>& isLate) {
    try {
        file.write(isLate);
        return true;
    } catch (const Error& e) {
        const MutexLock lock(mutex);
        if (!std::exchange(wasTold, true))
            messages.push_back(
                "The curves cannot be mirrored for TensorBoard, but the run goes "
                "on: " +
                std::string(e.what()));
        return false;
    }
}

void MetricMirror::Shared::mirror(const std::stop_token& stop) {
    std::atomic<Clock::rep> end{0};  // when the last points must be written; 0: not known yet
    const std::stop_callback ends(
        stop, [&] { end = (Clock::now() + options.endPatience).time_since_epoch().count(); });
    const auto isLate = [&] { return end != 0 && Clock::now().time_since_epoch().count() > end; };
    EventFile file(options);
    std::vector<MirroredPoint> points;
    Clock::time_point nextTry = Clock::now();
    for (bool goesOn = true; goesOn;) {
        goesOn = takePoints(points, stop);
        std::int64_t missing = 0;
        for (const MirroredPoint& point : points) missing += file.add(point) ? 0 : 1;
        if (missing > 0) {
            const MutexLock lock(mutex);
            leftOut += missing;
        }
        if (!file.hasWaiting() || (goesOn && Clock::now() < nextTry)) continue;
        if (!tryWrite(file, isLate)) nextTry = Clock::now() + options.retryPause;
    }
    const MutexLock lock(mutex);
    if (file.hasWaiting())
        messages.emplace_back("The last points are missing in what TensorBoard is shown.");
    if (leftOut > 0)
        messages.push_back(std::to_string(leftOut) +
                           " points are missing in what TensorBoard is shown.");
}

void MetricMirror::Shared::work(const std::stop_token& stop) noexcept {
    std::string trouble;
    try {
        mirror(stop);
    } catch (const std::exception& e) {
        trouble = e.what();
    }
    const MutexLock lock(mutex);
    hasEnded = true;
    if (!trouble.empty())
        messages.push_back("The curves are no longer mirrored for TensorBoard: " + trouble);
}

MetricMirror::MetricMirror(const Options& options) : m_shared(std::make_unique<Shared>(options)) {
    try {
        m_shared->thread = std::jthread(
            [shared = m_shared.get()](const std::stop_token& stop) { shared->work(stop); });
    } catch (const std::system_error& e) {
        m_shared->hasEnded = true;
        m_shared->messages.push_back(
            "The curves are not mirrored for TensorBoard: no thread can "
            "be begun (" +
            std::string(e.what()) + ").");
    }
}

MetricMirror::~MetricMirror() {
    close();
}

void MetricMirror::point(std::int64_t step, const std::string& key, double value) {
    const double now = wallTime();
    const MutexLock lock(m_shared->mutex);
    if (m_shared->hasEnded) return;
    if (m_shared->waiting.size() < kMostWaitingPoints)
        m_shared->waiting.push_back({step, key, value, now});
    else
        ++m_shared->leftOut;
}

std::vector<std::string> MetricMirror::takeMessages() {
    const MutexLock lock(m_shared->mutex);
    return std::exchange(m_shared->messages, {});
}

void MetricMirror::close() {
    m_shared->thread.request_stop();
    if (m_shared->thread.joinable()) m_shared->thread.join();
}

}  // namespace orrery
