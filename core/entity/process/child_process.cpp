#include "core/entity/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/mutex.h"
#include "core/base/text.h"

namespace orrery {

namespace {

constexpr std::size_t kKeptWords = 4096, kShownWords = 200;
constexpr std::chrono::milliseconds kSlice{50}, kGraceOfStop{250}, kGraceOfEnd{200};

struct Pipe {
    FileDescriptor reading, writing;

    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw Error("No pipe can be had: " + std::generic_category().message(errno) + '.',
                        Error::Kind::Resource);
        reading = FileDescriptor(ends[0]);
        writing = FileDescriptor(ends[1]);
    }
};

/// A thread that lives as long as the program and forks for all others: the system ends a child
/// that asked for it when the thread that made it ends.
class Forker {
public:
    static pid_t fork(const std::function<void()>& inChild) {
        static Forker& forker = *new Forker;  // NOLINT: never destroyed, children may outlive main
        return forker.ask(inChild);
    }

private:
    Forker() {
        std::thread([this] { work(); }).detach();
    }

    pid_t ask(const std::function<void()>& inChild) {
        MutexLock lock(m_mutex);
        m_free.wait(lock, [this]() ORRERY_REQUIRES(m_mutex) { return m_wish == nullptr; });
        m_wish = &inChild;
        m_isDone = false;
        m_asked.notify_one();
        m_done.wait(lock, [this]() ORRERY_REQUIRES(m_mutex) { return m_isDone; });
        m_wish = nullptr;
        const pid_t child = m_child;
        m_free.notify_one();
        return child;
    }

    void work() {
        MutexLock lock(m_mutex);
        while (true) {
            m_asked.wait(
                lock, [this]() ORRERY_REQUIRES(m_mutex) { return m_wish != nullptr && !m_isDone; });
            m_child = ::fork();
            if (m_child == 0) {
                (*m_wish)();
                ::_exit(127);
            }
            m_isDone = true;
            m_done.notify_one();
        }
    }

    Mutex m_mutex;
    std::condition_variable_any m_asked, m_done, m_free;
    const std::function<void()>* m_wish ORRERY_GUARDED_BY(m_mutex) = nullptr;
    bool m_isDone ORRERY_GUARDED_BY(m_mutex) = false;
    pid_t m_child ORRERY_GUARDED_BY(m_mutex) = -1;
};

/// Ours with PYTHONPATH changed.
std::vector<std::string> environmentWith(const std::filesystem::path& pythonPath) {
    constexpr std::string_view kName = "PYTHONPATH=";
    std::string python = std::string(kName) + pythonPath.string();
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (pythonPath.empty() || !text.starts_with(kName))
            all.emplace_back(text);
        else if (text.size() > kName.size())
            python += ':' + std::string(text.substr(kName.size()));
    }
    if (!pythonPath.empty()) all.push_back(std::move(python));
    return all;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Only calls that are allowed between fork and exec.
[[noreturn]] void becomeChild(const std::array<int, 3>& ends, int trouble, const char* folder,
                              char* const* words, char* const* variables) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(SIGPIPE, &usual, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    const auto canStart = [&] {
        for (int i = 0; i < 3; ++i)
            if (::dup2(ends[static_cast<std::size_t>(i)], i) < 0) return false;
        return *folder == 0 || ::chdir(folder) == 0;
    };
    if (canStart()) {
        // What whoever started us had open is nothing for the game.
        (void)::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        ::execvpe(words[0], words, variables);
    }
    const int error = errno;
    (void)!::write(trouble, &error, sizeof error);
    ::_exit(127);
}

void setNonBlocking(const FileDescriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

/// The pipe's end lies above the three that the child gets.
void liftAbove(FileDescriptor& end) {
    if (end.get() > 2) return;
    end = FileDescriptor(::fcntl(end.get(), F_DUPFD_CLOEXEC, 3));
}

}  // namespace

ChildProcess::ChildProcess(const ChildCommand& command) {
    Pipe input, output, errors, trouble;
    for (FileDescriptor* end : {&input.reading, &output.writing, &errors.writing, &trouble.writing})
        liftAbove(*end);
    std::vector<std::string> words = command.words, variables = environmentWith(command.pythonPath);
    const std::vector<char*> wordPointers = pointersTo(words),
                             variablePointers = pointersTo(variables);
    const std::string folder = command.folder.string();
    const std::array<int, 3> ends{input.reading.get(), output.writing.get(), errors.writing.get()};
    m_pid = Forker::fork([&] {
        becomeChild(ends, trouble.writing.get(), folder.c_str(), wordPointers.data(),
                    variablePointers.data());
    });
    int error = m_pid < 0 ? EAGAIN : 0;
    trouble.writing = FileDescriptor();
    if (m_pid >= 0 &&
        readUpTo(trouble.reading.get(), std::as_writable_bytes(std::span(&error, 1))) ==
            static_cast<ssize_t>(sizeof error))
        ::waitpid(m_pid, nullptr, 0);
    else if (m_pid >= 0)
        error = 0;
    if (error != 0)
        throw Error("'" + escaped(joined(command.words, " "), kShownWords) +
                        "' cannot be started in '" + escaped(folder, kShownWords) +
                        "': " + std::generic_category().message(error) + '.',
                    Error::Kind::Resource);
    m_input = std::move(input.writing);
    m_output = std::move(output.reading);
    m_errors = std::move(errors.reading);
    for (const FileDescriptor* end : {&m_input, &m_output, &m_errors}) setNonBlocking(*end);
}

ChildProcess::~ChildProcess() {
    closeInput();
    // It is not reaped before its group is ended: its number stays its own until then.
    const Clock::time_point deadline = Clock::now() + kGraceOfEnd;
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0 && Clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ::kill(-m_pid, SIGKILL);
    ::kill(m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// Until something can be read or, on wish, written. @return whether it can be written
bool ChildProcess::wait(bool wantsToWrite, Clock::time_point deadline,
                        const std::stop_token& stop) {
    Clock::time_point last = deadline;
    while (true) {
        const Clock::time_point now = Clock::now();
        if (stop.stop_requested()) last = std::min(last, now + kGraceOfStop);
        if (now >= deadline)
            throw ChildLost{
                .text = "said nothing for " +
                        formatDouble(std::chrono::duration<double>(m_patience).count()) + " s"};
        if (now >= last) throw ChildLost{.text = "is not waited for", .isStop = true};
        std::array<pollfd, 3> ends{
            pollfd{.fd = m_output.get(), .events = POLLIN, .revents = 0},
            pollfd{.fd = m_errors.get(), .events = POLLIN, .revents = 0},
            pollfd{.fd = wantsToWrite ? m_input.get() : -1, .events = POLLOUT, .revents = 0}};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(last - now);
        if (::poll(ends.data(), ends.size(), static_cast<int>(std::min(left, kSlice).count())) <= 0)
            continue;
        if (ends[1].revents != 0) drainErrors();
        if (ends[0].revents != 0 || ends[2].revents != 0) return ends[2].revents != 0;
    }
}

void ChildProcess::drainErrors() {
    std::array<char, 4096> bytes{};
    while (m_errors) {
        const ssize_t count = ::read(m_errors.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) m_errors = FileDescriptor();
        if (count <= 0) return;
        m_words.append(bytes.data(), static_cast<std::size_t>(count));
        if (m_words.size() > 2 * kKeptWords) m_words.erase(0, m_words.size() - kKeptWords);
    }
}

std::string ChildProcess::lastWords() {
    drainErrors();
    const std::size_t end = m_words.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    const std::size_t before = m_words.find_last_of('\n', end);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return escaped(m_words.substr(begin, end + 1 - begin), kShownWords);
}

/// Its output is closed: it has ended, or soon will.
void ChildProcess::loseEnded() {
    const Clock::time_point deadline = Clock::now() + kGraceOfEnd;
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0 && Clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (info.si_pid == 0) throw ChildLost{.text = "closed its output"};
    throw ChildLost{
        .text = (info.si_code == CLD_EXITED ? "ended with status " : "was ended by signal ") +
                std::to_string(info.si_status)};
}

void ChildProcess::send(std::string_view line, std::chrono::milliseconds patience,
                        const std::stop_token& stop) {
    m_patience = patience;
    const Clock::time_point deadline = Clock::now() + patience;
    std::string bytes(line);
    bytes += '\n';
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t count = ::write(m_input.get(), bytes.data() + sent, bytes.size() - sent);
        if (count > 0) {
            sent += static_cast<std::size_t>(count);
        } else if (errno == EPIPE || errno == EBADF) {
            loseEnded();
        } else if (errno == EAGAIN) {
            // Whoever answers before all is said would wait for us for ever, if we did not listen.
            if (!wait(true, deadline, stop) && m_read.size() > kMostBytes)
                throw ChildLost{.text = "does not listen"};
            std::array<char, 65536> answer{};
            const ssize_t got = ::read(m_output.get(), answer.data(), answer.size());
            if (got > 0) m_read.append(answer.data(), static_cast<std::size_t>(got));
            if (got == 0) loseEnded();
        } else if (errno != EINTR) {
            throw ChildLost{.text = "takes nothing: " + std::generic_category().message(errno)};
        }
    }
}

std::string ChildProcess::receive(std::chrono::milliseconds patience, const std::stop_token& stop) {
    m_patience = patience;
    const Clock::time_point deadline = Clock::now() + patience;
    while (true) {
        const std::size_t end = m_read.find('\n', m_seen);
        if (end != std::string::npos) {
            std::string line = m_read.substr(0, end);
            m_read.erase(0, end + 1);
            m_seen = 0;
            return line;
        }
        m_seen = m_read.size();
        if (m_read.size() > kMostBytes) throw ChildLost{.text = "wrote a line of more than 64 MiB"};
        wait(false, deadline, stop);
        std::array<char, 65536> bytes{};
        const ssize_t count = ::read(m_output.get(), bytes.data(), bytes.size());
        if (count > 0) m_read.append(bytes.data(), static_cast<std::size_t>(count));
        if (count == 0) loseEnded();
    }
}

}  // namespace orrery
