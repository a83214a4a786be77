#include "child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/support/places.h"
#include "tests/support/wait_until.h"

using orrery::test::waitUntil;

Child::Child(const std::vector<std::string>& arguments, std::filesystem::path output)
    : m_output(std::move(output)) {
    const std::string program = orrery::builtPath("tests/history_writer");
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, m_output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    const int error = ::posix_spawn(&m_pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("cannot start " + program);
}

Child::~Child() {
    if (m_done) return;
    kill(SIGKILL);
    wait();
}

void Child::kill(int signal) const {
    if (!m_done) ::kill(m_pid, signal);
}

int Child::wait() {
    if (!m_done) {
        ::waitpid(m_pid, &m_status, 0);
        m_done = true;
    }
    return m_status;
}

int Child::exitStatus() {
    const int status = wait();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Child::output() const {
    std::ifstream in(m_output);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

bool Child::waitFor(const std::string& text) const {
    return waitUntil([&] { return output().find(text) != std::string::npos; });
}

bool Child::waitFor(const std::string& word, long long least) const {
    return waitUntil([&] { return lastNumber(output(), word) >= least; });
}

long long lastNumber(const std::string& output, const std::string& word) {
    long long number = -1;
    std::istringstream lines(output.substr(0, output.rfind('\n') + 1));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(word + " ")) number = std::atoll(line.c_str() + word.size() + 1);
    return number;
}
