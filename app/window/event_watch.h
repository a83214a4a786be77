#pragma once

#include <QApplication>
#include <QEvent>
#include <QJsonObject>
#include <QString>
#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"

namespace orrery {

/// CPU milliseconds that the window's thread spent painting, one number a frame: the last 4,096
/// for percentiles, all of them in buckets.
class FrameTimes {
public:
    /// Upper ends of the buckets in ms; the last bucket has none.
    static constexpr std::array<double, 9> kBucketEnds{0.5, 1, 2, 4, 8, 16.7, 33, 50, 100};

    void add(double milliseconds);
    std::int64_t total() const { return m_total; }
    double max() const { return m_max; }
    /// Of the last 4,096 frames; 0 without any. `share` in [0, 1].
    double quantile(double share) const;
    const std::array<std::int64_t, kBucketEnds.size() + 1>& buckets() const { return m_buckets; }
    QJsonObject toJson() const;

private:
    std::array<std::int64_t, kBucketEnds.size() + 1> m_buckets{};
    std::vector<double> m_last;  ///< a ring
    std::size_t m_next = 0;
    std::int64_t m_total = 0;
    double m_max = 0;
};

/// Watches what the window's thread does between two turns of its event loop. What takes longer
/// than 50 ms is a block: it is counted, kept (the last 200) and written to a log file. A thread of
/// its own writes down a block that lasts over 2 s while it lasts.
///
/// begin and end are called around every event in the window's thread; all other members there too.
class EventWatch {
public:
    static constexpr double kBlockMs = 50, kHangMs = 2000;

    struct Block {
        double atSeconds = 0;  ///< since the watch began
        double wallMs = 0,
               cpuMs = 0;  ///< wall time is also lost to other programs, CPU time is not
        QString what;      ///< "Timer of orrery::Chart lossChart"
    };

    /// @param log  lines are added to it, and it is started anew at 1 MiB; empty: none
    explicit EventWatch(std::filesystem::path log = {});
    ~EventWatch();
    EventWatch(const EventWatch&) = delete;
    EventWatch& operator=(const EventWatch&) = delete;

    void begin(const QObject* receiver, QEvent::Type type, int loopLevel);
    void end(QEvent::Type type);

    /// The present turn does not count as a block: it only serves a check by a program.
    void leaveOut();

    std::int64_t numBlocks() const { return m_numBlocks; }
    /// Those whose CPU time alone is over the limit.
    std::int64_t numBusyBlocks() const { return m_numBusyBlocks; }
    const std::deque<Block>& blocks() const { return m_blocks; }
    const FrameTimes& frames() const { return m_frames; }
    /// Starts counting anew.
    void reset();

    QJsonObject toJson() const;
    /// Some lines for a person.
    QString text() const;

private:
    /// One event that the loop of a level handles; those that it sends itself are part of it.
    struct Turn {
        int loopLevel = 0;
        double wall = 0, cpu = 0;  ///< ms at its begin
        double paint = 0;          ///< ms of CPU
        const char* receiver = "";
        QString name;
        QEvent::Type type = QEvent::None;
        int depth = 0;         ///< events begun in it and not ended
        bool hasLoop = false;  ///< a dialog was open meanwhile
    };

    void note(const Turn& turn, double wall, double cpu);
    void watchForHangs(const std::stop_token& stop);
    void write(const std::string& line);

    std::vector<Turn> m_turns;  ///< the innermost loop's last
    int m_paintDepth = 0;
    double m_paintBegin = 0;
    double m_start = 0;
    std::int64_t m_numBlocks = 0, m_numBusyBlocks = 0;
    double m_longestMs = 0;
    std::deque<Block> m_blocks;
    FrameTimes m_frames;

    std::filesystem::path m_log;
    Mutex m_logMutex;                          ///< held while a line is written
    std::atomic<std::int64_t> m_busySince{0};  ///< ns of the steady clock; 0: idle
    std::atomic<const char*> m_busyWith{""};
    std::jthread m_thread;  // last: it uses the members above
};

/// An application whose events are watched.
class WatchedApplication : public QApplication {
    Q_OBJECT

public:
    WatchedApplication(int& argc, char** argv) : QApplication(argc, argv) {}
    /// Null: stop watching. The watch must outlive that.
    void setWatch(EventWatch* watch) { m_watch = watch; }
    bool notify(QObject* receiver, QEvent* event) override;

private:
    EventWatch* m_watch = nullptr;
};

/// window.log beside the session file.
std::filesystem::path windowLogFile();

}  // namespace orrery
