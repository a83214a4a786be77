#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace orrery::test {

/// Bounds a hang, also on a machine that does much else; who waits for an event sees it long
/// before.
constexpr std::chrono::seconds kHang{60};

/// The limit of a claim about latency: as specified on quiet machines that set
/// ORRERY_STRICT_TIMES=1, elsewhere ten times as long, so that it holds beside other work.
inline std::chrono::milliseconds latencyLimit(std::chrono::milliseconds specified) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no test changes this variable
    const char* const strict = std::getenv("ORRERY_STRICT_TIMES");
    return strict != nullptr && std::string(strict) != "0" ? specified : 10 * specified;
}

/// Limits of processor time are for plain builds; with a sanitizer they are so many times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSlowdown = 10;
#else
constexpr int kSlowdown = 1;
#endif

/// Looks every 2 ms until the condition holds: for what other threads, processes and files do
/// without telling anyone. @return false after `patience`
template <typename Condition>
bool waitUntil(const Condition& condition, std::chrono::milliseconds patience = kHang) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

/// Whether a thread waits for something instead of working or of wanting to.
/// @param thread  of this process, from gettid(), or the id of another process
inline bool isAsleep(pid_t thread) {
    std::ifstream file("/proc/" + std::to_string(thread) + "/stat");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name = line.rfind(')');
    return name != std::string::npos && line.compare(name, 3, ") S") == 0;
}

/// Processor time that a process took so far, its children's left out.
inline double cpuSecondsOf(pid_t process) {
    clockid_t clock = 0;
    timespec taken{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &taken) != 0)
        return 0;
    return static_cast<double>(taken.tv_sec) + static_cast<double>(taken.tv_nsec) * 1e-9;
}

}  // namespace orrery::test
