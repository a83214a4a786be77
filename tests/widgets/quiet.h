#pragma once

#include <time.h>

#include <QAbstractEventDispatcher>
#include <QDeadlineTimer>
#include <QGuiApplication>
#include <QTest>

#include "tests/support/small_room.h"

namespace orrery {

/// Handles all that is posted, due or wants to be painted, and what that brings about in turn,
/// until nothing is left. Timers that are not due yet and other threads are not waited for.
inline void finishEvents() {
    QGuiApplication::sync();  // what the display was asked for has come back
    QAbstractEventDispatcher* events = QAbstractEventDispatcher::instance();
    // What wants another turn for ever must not keep a test here.
    constexpr int kMostTurns = 1000;
    for (int turn = 0, idle = 0; turn < kMostTurns && idle < 2; ++turn) {
        idle = events->processEvents(QEventLoop::AllEvents) ? 0 : idle + 1;
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

/// Waits until a condition holds and no event is left that could end it: what works in steps does
/// not pass for settled between two of them. False after kPatience.
template <typename Condition>
bool becomesQuiet(const Condition& isQuiet) {
    const QDeadlineTimer deadline(kPatience);
    do {
        if (!QTest::qWaitFor(isQuiet, static_cast<int>(deadline.remainingTime()))) return false;
        finishEvents();
    } while (!isQuiet() && !deadline.hasExpired());
    return isQuiet();
}

/// CPU time of all threads of this process, in ms: what else the machine does counts little.
inline double processCpuMs() {
    timespec spent{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return 1e3 * static_cast<double>(spent.tv_sec) + 1e-6 * static_cast<double>(spent.tv_nsec);
}

}  // namespace orrery
