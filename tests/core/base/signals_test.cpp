#include "core/base/signals.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <chrono>
#include <csignal>
#include <functional>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;

class SignalsTest : public QObject {
    Q_OBJECT

    /// The wait status of a child that runs `body`.
    static int statusOf(const std::function<int()>& body) {
        const pid_t child = ::fork();
        if (child == 0) {
            orrery::blockStopSignals();
            ::_exit(body());
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return status;
    }

    static bool waitForStop(const std::stop_source& stop) {
        for (int i = 0; i < 500 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(10ms);
        return stop.stop_requested();
    }

private Q_SLOTS:
    void theFirstSignalAsksToStopAndIsRemembered_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("TERM") << SIGTERM;
        QTest::newRow("INT") << SIGINT;
        QTest::newRow("HUP") << SIGHUP;
        QTest::newRow("USR1") << SIGUSR1;
    }
    void theFirstSignalAsksToStopAndIsRemembered() {
        QFETCH(int, signal);
        const int status = statusOf([signal] {
            std::stop_source stop;
            const orrery::StopSignals signals(stop);
            if (stop.stop_requested() || signals.exitStatus() != 0) return 1;
            ::kill(::getpid(), signal);
            if (!waitForStop(stop)) return 2;
            ::kill(::getpid(), SIGTERM);  // a later one changes nothing
            std::this_thread::sleep_for(20ms);
            return signals.exitStatus();
        });
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 128 + signal);
    }

    void anInterruptAfterARequestEndsAtOnce() {
        const int status = statusOf([] {
            std::stop_source stop;
            const orrery::StopSignals signals(stop);
            ::kill(::getpid(), SIGINT);
            waitForStop(stop);
            ::kill(::getpid(), SIGINT);
            std::this_thread::sleep_for(10s);
            return 1;
        });
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 130);
    }

    void aBrokenPipeIsAnErrorOfWrite() {
        const int status = statusOf([] {
            int ends[2];
            if (::pipe(ends) != 0) return 1;
            ::close(ends[0]);
            return ::write(ends[1], "x", 1) == -1 && errno == EPIPE ? 0 : 2;
        });
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void theWaitingThreadEndsWithTheObject() {
        const auto begin = std::chrono::steady_clock::now();
        const int status = statusOf([] {
            for (int i = 0; i < 20; ++i) {
                std::stop_source stop;
                const orrery::StopSignals signals(stop);
                if (stop.stop_requested()) return 1;
            }
            return 0;
        });
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        QVERIFY(std::chrono::steady_clock::now() - begin < 5s);
    }
};

QTEST_APPLESS_MAIN(SignalsTest)
#include "signals_test.moc"
