#include "core/base/signals.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <chrono>
#include <csignal>
#include <string>

#include "tests/support/places.h"
#include "tests/support/test_program.h"

class SignalsTest : public QObject {
    Q_OBJECT

    /// Runs signal_victim. @return its exit status, -1 if a signal ended it
    static int statusOf(std::string verb, std::string number = "") {
        std::string program = orrery::builtPath("tests/signal_victim");
        char* const arguments[] = {program.data(), verb.data(), number.data(), nullptr};
        pid_t child = -1;
        if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0)
            return -2;
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
        QCOMPARE(statusOf("first", std::to_string(signal)), 128 + signal);
    }

    void anInterruptAfterARequestEndsAtOnce() {
        const auto begin = std::chrono::steady_clock::now();
        QCOMPARE(statusOf("second"), 130);
        // It takes milliseconds; a busy machine has a thousand times as long.
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
    }

    void aBrokenPipeIsAnErrorOfWrite() { QCOMPARE(statusOf("pipe"), 0); }

    void theWaitingThreadEndsWithTheObject() { QCOMPARE(statusOf("many"), 0); }
};

ORRERY_TEST(SignalsTest)
#include "signals_test.moc"
