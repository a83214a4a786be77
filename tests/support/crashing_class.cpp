// A class for test_main.sh: one function passes, the other crashes.
#include <csignal>

#include "tests/support/test_program.h"

class CrashingClass : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void passes() { QVERIFY(true); }
    void crashes() { QCOMPARE(std::raise(SIGSEGV), 0); }
};

ORRERY_TEST(CrashingClass)
#include "crashing_class.moc"
