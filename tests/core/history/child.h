#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

/// A history_writer whose standard output goes to a file. Killed and awaited when it is destroyed.
class Child {
public:
    /// @param arguments those of the program  @param output file for what the child prints
    Child(const std::vector<std::string>& arguments, std::filesystem::path output);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void kill(int signal) const;
    /// The wait status; the first call waits.
    int wait();
    /// wait(), as an exit status; -1 if a signal ended it.
    int exitStatus();
    /// All that was printed so far.
    std::string output() const;
    /// Waits until the output contains `text`. @return false if it does not come
    bool waitFor(const std::string& text) const;
    /// Waits until lastNumber() of the output is `least` or more. @return false if it never is
    bool waitFor(const std::string& word, long long least) const;

private:
    std::filesystem::path m_output;
    pid_t m_pid = -1;
    int m_status = 0;
    bool m_done = false;
};

/// The number behind the last whole line that begins with `word` and a blank; -1 if there is none.
long long lastNumber(const std::string& output, const std::string& word);
