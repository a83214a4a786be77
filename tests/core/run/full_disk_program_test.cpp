#include <QElapsedTimer>
#include <QTest>
#include <csignal>

#include "tests/app/program.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using orrery::Program;

/// The same from outside: one line says what the program waits for, and a signal ends it in time.
class FullDiskProgramTest : public QObject {
    Q_OBJECT

    Program m_program;

    /// Standard error as far as it was written, once it holds a line.
    static QByteArray firstLine(QProcess& process) {
        QByteArray text;
        orrery::test::waitUntil([&] {
            process.waitForReadyRead(50);
            text += process.readAllStandardError();
            return text.contains('\n');
        });
        return text;
    }

    /// Begins a solve with these faults; it ends with the test.
    void start(QProcess& process, const QString& faults, const QString& workspace) const {
        m_program.prepare(process);
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert("ORRERY_FAULT", faults);
        process.setProcessEnvironment(environment);
        process.setArguments(
            {"solve", "builtin:first_steps", "--workspace", workspace, "--no-plot"});
        process.start(QIODevice::ReadOnly);
    }

private Q_SLOTS:
    void aSignalEndsAProgramThatWaitsForTheDisk_data() {
        QTest::addColumn<QString>("faults");
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("status");
        QTest::newRow("its row, TERM") << "db.*:enospc@3+" << SIGTERM << 143;
        QTest::newRow("its rows, INT") << "db.commit:enospc@3+,db.open:enospc@2+" << SIGINT << 130;
        QTest::newRow("its files, TERM") << "file.write:enospc@4+" << SIGTERM << 143;
        QTest::newRow("its files beside a slow database, TERM")
            << "file.write:enospc@4+,db.commit:delay=200@1+" << SIGTERM << 143;
        QTest::newRow("both, HUP") << "db.commit:enospc@3+,file.*:enospc@20+" << SIGHUP << 129;
    }
    void aSignalEndsAProgramThatWaitsForTheDisk() {
        QFETCH(QString, faults);
        QFETCH(int, signal);
        QFETCH(int, status);
        const QString folder = m_program.path(QString("w%1.orrery").arg(qHash(faults)));
        QProcess process;
        start(process, faults, folder);
        const QByteArray line = firstLine(process);
        QVERIFY2(line.startsWith("blocked: ") && line.contains("Free some space"), line);
        // Must wait for time: nothing may happen.
        QVERIFY(!process.waitForFinished(1500));
        QCOMPARE(process.readAllStandardError(), QByteArray());  // once is enough
        QElapsedTimer timer;
        timer.start();
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY2(std::chrono::milliseconds(timer.elapsed()) <
                     orrery::test::latencyLimit(std::chrono::seconds(3)),
                 qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        const QByteArray text = process.readAllStandardError();
        QVERIFY2(process.exitCode() == status, text);
        QVERIFY2(text.startsWith("orrery: Stopped") && text.count('\n') == 1, text);
        const orrery::Ended verified = m_program.run({"verify", folder});
        QVERIFY2(verified.status == 0, verified.out + verified.err);
    }

    void aDiskThatIsFullForAMomentCostsNothing() {
        const QString folder = m_program.path("moment.orrery");
        QProcess process;
        start(process, "db.commit:enospc@3,file.write:enospc@4", folder);
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray text = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, text);
        QVERIFY2(text.startsWith("blocked: "), text);
        const orrery::Ended verified = m_program.run({"verify", folder});
        QVERIFY2(verified.status == 0, verified.out + verified.err);
    }
};

ORRERY_APPLICATION_TEST(FullDiskProgramTest)
#include "full_disk_program_test.moc"
