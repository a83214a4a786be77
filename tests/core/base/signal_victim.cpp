/// Plays the program that is told to stop: `signal_victim first N`, `second`, `pipe` or `many`.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <stop_token>
#include <string>

#include "core/base/signals.h"
#include "tests/support/wait_until.h"

namespace {

bool waitForStop(const std::stop_source& stop) {
    return orrery::test::waitUntil([&] { return stop.stop_requested(); });
}

/// Sends a signal and waits until it was taken.
bool send(int signal) {
    ::kill(::getpid(), signal);
    return orrery::test::waitUntil([signal] {
        sigset_t pending;
        return ::sigpending(&pending) == 0 && ::sigismember(&pending, signal) == 0;
    });
}

/// The exit status that the first signal asks for, also after a later one.
int first(const std::stop_source& stop, int signal) {
    const orrery::StopSignals signals(stop);
    if (stop.stop_requested() || signals.exitStatus() != 0) return 1;
    ::kill(::getpid(), signal);
    if (!waitForStop(stop)) return 2;
    // One thread takes them in turn: once it took the second of these, the first was obeyed.
    for (const int later : {SIGTERM, SIGHUP})
        if (!send(later)) return 3;
    return signals.exitStatus();
}

int second(const std::stop_source& stop) {
    const orrery::StopSignals signals(stop);
    ::kill(::getpid(), SIGINT);
    waitForStop(stop);
    ::alarm(60);  // ends what the interrupt does not
    ::kill(::getpid(), SIGINT);
    for (;;) ::pause();
}

int brokenPipe() {
    int ends[2];
    if (::pipe(ends) != 0) return 1;
    ::close(ends[0]);
    return ::write(ends[1], "x", 1) == -1 && errno == EPIPE ? 0 : 2;
}

int many(const std::stop_source& stop) {
    for (int i = 0; i < 20; ++i) {
        const orrery::StopSignals signals(stop);
        if (stop.stop_requested()) return 1;
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    orrery::blockStopSignals();
    const std::stop_source stop;
    const std::string verb = argc > 1 ? argv[1] : "";
    if (verb == "first") return first(stop, argc > 2 ? std::atoi(argv[2]) : SIGTERM);
    if (verb == "second") return second(stop);
    if (verb == "pipe") return brokenPipe();
    return many(stop);
}
