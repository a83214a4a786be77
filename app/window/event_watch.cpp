#include "app/window/event_watch.h"

#include <QDateTime>
#include <QJsonArray>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <system_error>

#include "core/base/cpu.h"
#include "core/base/stoppable_sleep.h"
#include "widgets/frame/session_file.h"

namespace orrery {

namespace {

constexpr std::size_t kMostKeptFrames = 4096, kMostKeptBlocks = 200;
constexpr std::uintmax_t kMostLogBytes = 1 << 20;

std::int64_t steadyNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double wallMs() {
    return static_cast<double>(steadyNs()) * 1e-6;
}

QString nameOf(QEvent::Type type) {
    const char* const name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return name != nullptr ? QString::fromLatin1(name)
                           : QStringLiteral("event %1").arg(static_cast<int>(type));
}

}  // namespace

void FrameTimes::add(double milliseconds) {
    const auto end = std::ranges::lower_bound(kBucketEnds, milliseconds);
    ++m_buckets[static_cast<std::size_t>(end - kBucketEnds.begin())];
    if (m_last.size() < kMostKeptFrames)
        m_last.push_back(milliseconds);
    else
        m_last[m_next] = milliseconds;
    m_next = (m_next + 1) % kMostKeptFrames;
    ++m_total;
    m_max = std::max(m_max, milliseconds);
}

double FrameTimes::quantile(double share) const {
    if (m_last.empty()) return 0;
    std::vector<double> sorted = m_last;
    const auto rank =
        std::min(sorted.size() - 1,
                 static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()))));
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(rank));
    return sorted[rank];
}

QJsonObject FrameTimes::toJson() const {
    QJsonArray ends, counts;
    for (const double end : kBucketEnds) ends.append(end);
    for (const std::int64_t count : m_buckets) counts.append(static_cast<qint64>(count));
    return {{QStringLiteral("frames"), static_cast<qint64>(m_total)},
            {QStringLiteral("bucketEndsMs"), ends},
            {QStringLiteral("counts"), counts},
            {QStringLiteral("p50Ms"), quantile(0.5)},
            {QStringLiteral("p99Ms"), quantile(0.99)},
            {QStringLiteral("maxMs"), m_max}};
}

EventWatch::EventWatch(std::filesystem::path log)
    : m_start(wallMs()),
      m_log(std::move(log)),
      m_thread([this](const std::stop_token& stop) { watchForHangs(stop); }) {}

EventWatch::~EventWatch() = default;

void EventWatch::begin(const QObject* receiver, QEvent::Type type, int loopLevel) {
    if (m_turns.empty() || loopLevel > m_turns.back().loopLevel) {
        const double wall = wallMs(), cpu = threadCpuMs();
        if (!m_turns.empty() && !m_turns.back().hasLoop) {
            // What was done before a dialog's own loop began; waiting in it blocks nothing.
            note(m_turns.back(), wall, cpu);
            m_turns.back().hasLoop = true;
        }
        m_turns.push_back({.loopLevel = loopLevel,
                           .wall = wall,
                           .cpu = cpu,
                           .receiver = receiver->metaObject()->className(),
                           .name = receiver->objectName(),
                           .type = type});
        m_busyWith.store(m_turns.back().receiver, std::memory_order_relaxed);
        m_busySince.store(static_cast<std::int64_t>(wall * 1e6), std::memory_order_relaxed);
    }
    ++m_turns.back().depth;
    if (type == QEvent::Paint && m_paintDepth++ == 0) m_paintBegin = threadCpuMs();
}

void EventWatch::end(QEvent::Type type) {
    if (m_turns.empty()) return;
    Turn& turn = m_turns.back();
    if (type == QEvent::Paint && m_paintDepth > 0 && --m_paintDepth == 0)
        turn.paint += threadCpuMs() - m_paintBegin;
    if (--turn.depth > 0) return;
    m_busySince.store(0, std::memory_order_relaxed);
    if (!turn.hasLoop) note(turn, wallMs(), threadCpuMs());
    if (turn.paint > 0) m_frames.add(turn.paint);
    m_turns.pop_back();
}

void EventWatch::note(const Turn& turn, double wall, double cpu) {
    const double lasted = wall - turn.wall;
    if (lasted < kBlockMs) return;
    QString what = QStringLiteral("%1 of %2").arg(nameOf(turn.type), QLatin1String(turn.receiver));
    if (!turn.name.isEmpty()) what += u' ' + turn.name;
    const Block block{(turn.wall - m_start) / 1e3, lasted, cpu - turn.cpu, what};
    ++m_numBlocks;
    if (block.cpuMs >= kBlockMs) ++m_numBusyBlocks;
    m_longestMs = std::max(m_longestMs, lasted);
    m_blocks.push_back(block);
    if (m_blocks.size() > kMostKeptBlocks) m_blocks.pop_front();
    write(QStringLiteral("blocked %1 ms (CPU %2 ms): %3")
              .arg(block.wallMs, 0, 'f', 1)
              .arg(block.cpuMs, 0, 'f', 1)
              .arg(what)
              .toStdString());
}

void EventWatch::leaveOut() {
    if (!m_turns.empty()) m_turns.back().hasLoop = true;
}

void EventWatch::reset() {
    m_numBlocks = m_numBusyBlocks = 0;
    m_longestMs = 0;
    m_blocks.clear();
    m_frames = {};
}

void EventWatch::watchForHangs(const std::stop_token& stop) {
    std::int64_t said = 0;
    while (!stop.stop_requested()) {
        sleepUnlessStopped(std::chrono::seconds(1), stop);
        const std::int64_t since = m_busySince.load(std::memory_order_relaxed);
        if (since == 0 || since == said) continue;
        const double lasted = static_cast<double>(steadyNs() - since) * 1e-6;
        if (lasted < kHangMs) continue;
        said = since;
        write("the window does not answer since " + std::to_string(std::lround(lasted)) +
              " ms: an event of " + m_busyWith.load(std::memory_order_relaxed));
    }
}

void EventWatch::write(const std::string& line) {
    if (m_log.empty()) return;
    const MutexLock lock(m_logMutex);
    // The log is an aid: where it cannot be written, the window goes on without it.
    std::error_code error;
    std::filesystem::create_directories(m_log.parent_path(), error);
    const bool isFull = std::filesystem::file_size(m_log, error) > kMostLogBytes && !error;
    std::ofstream file(m_log, isFull ? std::ios::trunc : std::ios::app);
    file << QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString() << ' ' << line
         << '\n';
}

QJsonObject EventWatch::toJson() const {
    QJsonArray blocks;
    for (const Block& block : m_blocks)
        blocks.append(QJsonObject{{QStringLiteral("atSeconds"), block.atSeconds},
                                  {QStringLiteral("wallMs"), block.wallMs},
                                  {QStringLiteral("cpuMs"), block.cpuMs},
                                  {QStringLiteral("what"), block.what}});
    return {{QStringLiteral("limitMs"), kBlockMs},
            {QStringLiteral("numBlocks"), static_cast<qint64>(m_numBlocks)},
            {QStringLiteral("numBusyBlocks"), static_cast<qint64>(m_numBusyBlocks)},
            {QStringLiteral("longestMs"), m_longestMs},
            {QStringLiteral("blocks"), blocks},
            {QStringLiteral("frameTimes"), m_frames.toJson()}};
}

QString EventWatch::text() const {
    QString lines = QStringLiteral("Frames %1: p50 %2 ms, p99 %3 ms, longest %4 ms of CPU")
                        .arg(m_frames.total())
                        .arg(m_frames.quantile(0.5), 0, 'f', 1)
                        .arg(m_frames.quantile(0.99), 0, 'f', 1)
                        .arg(m_frames.max(), 0, 'f', 1);
    lines += QStringLiteral("\nBlocked over %1 ms: %2 times, %3 of them by its own work")
                 .arg(kBlockMs)
                 .arg(m_numBlocks)
                 .arg(m_numBusyBlocks);
    if (!m_blocks.empty())
        lines += QStringLiteral("\nLast: %1 ms, %2")
                     .arg(m_blocks.back().wallMs, 0, 'f', 0)
                     .arg(m_blocks.back().what);
    return lines;
}

bool WatchedApplication::notify(QObject* receiver, QEvent* event) {
    if (m_watch == nullptr || QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    const QEvent::Type type = event->type();  // the event may be gone afterwards
    struct Watching {
        EventWatch& watch;
        QEvent::Type type;
        ~Watching() { watch.end(type); }
    };
    m_watch->begin(receiver, type, QThread::currentThread()->loopLevel());
    const Watching watching{*m_watch, type};
    return QApplication::notify(receiver, event);
}

std::filesystem::path windowLogFile() {
    return std::filesystem::path(sessionFileName().toStdString()).parent_path() / "window.log";
}

}  // namespace orrery
