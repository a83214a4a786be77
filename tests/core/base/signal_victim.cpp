/// Plays the program that is told to stop: `signal_victim first N`, `second`, `pipe` or `many`.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/signals.h"

using namespace std::chrono_literals;

namespace {

bool waitForStop(const std::stop_source& stop) {
    for (int i = 0; i < 1000 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(10ms);
    return stop.stop_requested();
}

/// The exit status that the first signal asks for, also after a later one.
int first(const std::stop_source& stop, int signal) {
    const orrery::StopSignals signals(stop);
    if (stop.stop_requested() || signals.exitStatus() != 0) return 1;
    ::kill(::getpid(), signal);
    if (!waitForStop(stop)) return 2;
    ::kill(::getpid(), SIGTERM);
    std::this_thread::sleep_for(20ms);
    return signals.exitStatus();
}

int second(const std::stop_source& stop) {
    const orrery::StopSignals signals(stop);
    ::kill(::getpid(), SIGINT);
    waitForStop(stop);
    ::kill(::getpid(), SIGINT);
    std::this_thread::sleep_for(10s);
    return 1;
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
