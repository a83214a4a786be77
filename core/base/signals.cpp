#include "core/base/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <utility>

namespace orrery {

namespace {

sigset_t stopSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) sigaddset(&set, signal);
    return set;
}

}  // namespace

void blockStopSignals() {
    const sigset_t set = stopSignals();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, nullptr);
}

StopSignals::StopSignals(std::stop_source stop)
    : m_stop(std::move(stop)), m_thread([this] { wait(); }) {}

StopSignals::~StopSignals() {
    m_ending.store(true);
    // Blocked in every thread, so only the sigwait of this one receives it.
    ::pthread_kill(m_thread.native_handle(), SIGUSR1);
}

void StopSignals::wait() {
    const sigset_t set = stopSignals();
    while (true) {
        int signal = 0;
        if (::sigwait(&set, &signal) != 0) continue;
        if (m_ending.load()) return;
        if (first() == 0) {
            m_first.store(signal);
            m_stop.request_stop();
        } else if (signal == SIGINT) {
            ::_exit(130);
        }
    }
}

}  // namespace orrery
