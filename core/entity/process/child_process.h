#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_descriptor.h"

namespace orrery {

/// How another program is started: no shell is, unless it is the first word.
struct ChildCommand {
    std::vector<std::string> words = {};    ///< not empty; the first is looked up as a shell does
    std::filesystem::path folder = {};      ///< it begins there; empty: where we are
    std::filesystem::path pythonPath = {};  ///< comes first in its PYTHONPATH; empty: nothing does
};

/// Why nothing more comes from a child: "ended with status 3".
struct ChildLost {
    std::string text = {};
    bool isStop = false;  ///< nobody waits for it any more
};

/// A program that answers lines by lines. It leads a process group of its own, which is ended with
/// it, at the latest when this process ends. One thread at a time.
class ChildProcess {
public:
    static constexpr std::size_t kMostBytes = std::size_t{64} << 20;  ///< of a line

    /// @throws Error (Resource) that names the command and the reason
    explicit ChildProcess(const ChildCommand& command);
    /// Closes its input, and ends it where it does not end by that within 0.2 s.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t pid() const { return m_pid; }
    /// Tells it to end; for several children before any of them is destroyed.
    void closeInput() { m_input = FileDescriptor(); }

    /// @param line  without its end. @throws ChildLost
    void send(std::string_view line, std::chrono::milliseconds patience,
              const std::stop_token& stop);
    /// The next line without its end. @throws ChildLost if none comes in time, it ends, the line is
    /// too long; after a stop it has a quarter of a second.
    std::string receive(std::chrono::milliseconds patience, const std::stop_token& stop);
    /// The last line that it wrote to its standard error; empty: none. What stands there to be read
    /// is taken in.
    std::string lastWords();

private:
    using Clock = std::chrono::steady_clock;

    bool wait(bool wantsToWrite, Clock::time_point deadline, const std::stop_token& stop);
    void drainErrors();
    [[noreturn]] void loseEnded();

    pid_t m_pid = -1;
    FileDescriptor m_input, m_output, m_errors;
    std::string m_read;                      // of its output, behind the lines that were given
    std::size_t m_seen = 0;                  // of m_read: there is no line end in it
    std::string m_words;                     // the last of its standard error
    std::chrono::milliseconds m_patience{};  // of the call at work
};

}  // namespace orrery
