#include "widgets/part/command_text.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/profile.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_fields.h"
#include "core/run/sweep.h"
#include "tests/app/program.h"
#include "tests/support/test_program.h"
#include "widgets/common/notice.h"

using namespace orrery;

/// Command lines that the window offers do what they say when a shell runs them.
class CommandTextTest : public QObject {
    Q_OBJECT

private:
    static RunSpec someSpec(const QString& world) {
        RunSpec spec;
        spec.name = "it's a \"test\" $HOME";
        auto& job = spec.job.as<SolveJob>();
        job.world.name = world.toStdString();
        job.solve.beta_r = 4;
        job.solve.zeta = 1.5;
        job.saveGraph = false;
        return spec;
    }

private Q_SLOTS:
    void whatAShellWouldReadOtherwiseIsQuoted() {
        QCOMPARE(shellLine({"orrery", "solve", "my world.yaml", "it's", ""}),
                 QString("orrery solve 'my world.yaml' 'it'\\''s' ''"));
        QCOMPARE(shellLine({"a=1,2", "/tmp/x_y-z.yaml", "~root", "a*b"}),
                 QString("a=1,2 /tmp/x_y-z.yaml '~root' 'a*b'"));
    }

    void aShellThatRunsTheLineGetsTheSameSpec() {
        const Program program;
        const QString world = program.write("my world.yaml", rockWorld());
        const RunSpec spec = someSpec(world);
        QStringList arguments = solveArguments(spec, {});
        QCOMPARE(arguments[0], QString("orrery"));
        QVERIFY(arguments.contains("--no-save-graph"));
        QVERIFY(!arguments.contains("--beta-h"));
        // Through a real shell, with the program of this build in the name's place.
        const Ended which = program.run({"--version"});
        QCOMPARE(which.status, 0);
        QProcess process;
        program.prepare(process);
        const QString line = shellLine(arguments.mid(1) + QStringList{"--json"});
        const Ended direct = program.run(arguments.mid(1) + QStringList{"--json"});
        QCOMPARE(direct.status, 0);
        process.start("sh", {"-c", shellLine({process.program()}) + u' ' + line});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        const auto answer = jsonOf(process.readAllStandardOutput());
        const std::string run = answer["run"];
        const Ended shown = program.run({"show", QString::fromStdString(run), "--json"});
        const auto stored = shown.json();
        QCOMPARE(stored["name"].get<std::string>(), spec.name);
        QCOMPARE(stored["spec"]["solve"]["beta_r"].get<double>(), 4.0);
        QCOMPARE(stored["spec"]["solve"]["zeta"].get<double>(), 1.5);
        // The state that the address names has the values that the solve printed.
        const Ended state =
            program.run({"show", "orrery:run/" + QString::fromStdString(run) + "/t0", "--json"});
        QCOMPARE(state.status, 0);
        QVERIFY(std::abs(state.json()["v_r"].get<double>() - answer["root"]["v_r"].get<double>()) <
                1e-12);
        QCOMPARE(program.run({"show", "orrery:run/" + QString::fromStdString(run) + "/t99"}).status,
                 2);
    }

    void aSweepNamesTheFieldsThatDiffer() {
        RunSpec base = someSpec("builtin:first_steps");
        const SweepReading reading =
            readSweep("solve", std::vector<std::string>{"beta_r=1,2,5", "xi=1,2"});
        const QStringList arguments =
            sweepArguments(sweepRuns(base, reading.axes), "/tmp/w.orrery");
        const QString line = shellLine(arguments);
        QVERIFY2(line.contains("--sweep beta_r=1,2,5"), line.toUtf8());
        QVERIFY2(line.contains("--sweep xi=1,2"), line.toUtf8());
        QVERIFY2(line.contains("--zeta 1.5") && line.endsWith("--workspace /tmp/w.orrery"),
                 line.toUtf8());
        QVERIFY(!line.contains("--name"));
        QVERIFY(sweepArguments({}, {}).isEmpty());
    }

    void aSearchWithValuesHasNoLine() {
        QCOMPARE(shellLine(findArguments("builtin:first_steps", "human0.at(2,2) and step < 4")),
                 QString("orrery graph find builtin:first_steps 'human0.at(2,2) and step < 4'"));
        QVERIFY(findArguments("builtin:first_steps", "V_r < -4").isEmpty());
        const Program program;
        QCOMPARE(
            program.run({"graph", "find", "builtin:first_steps", "human0.at(2,2) and step < 4"})
                .status,
            0);
    }

    void aWorldComesThroughAPipe() {
        const Program program;
        QProcess process;
        program.prepare(process);
        process.setArguments({"solve", "-", "--no-history", "--json"});
        process.start();
        process.write(rockWorld());
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        const auto piped = jsonOf(process.readAllStandardOutput());
        const Ended read = program.run(
            {"solve", program.write("rock.yaml", rockWorld()), "--no-history", "--json"});
        QCOMPARE(piped["root"], read.json()["root"]);
    }

    void completionOffersEveryVerbAndOption() {
        const Program program;
        const Ended script = program.run({"help", "--completion", "bash"});
        QCOMPARE(script.status, 0);
        const QString file = program.write("completion.bash", script.out);
        const auto complete = [&](const QStringList& words) {
            QProcess bash;
            bash.start("bash",
                       {"-c", QStringLiteral(". %1; COMP_WORDS=(%2); COMP_CWORD=%3; _orrery; "
                                             "echo \"${COMPREPLY[@]}\"")
                                  .arg(shellLine({file}), shellLine(words))
                                  .arg(words.size() - 1)});
            bash.waitForFinished(60'000);
            return QString::fromUtf8(bash.readAllStandardOutput()).trimmed();
        };
        QCOMPARE(complete({"orrery", "sol"}), QString("solve"));
        QCOMPARE(complete({"orrery", "world", "val"}), QString("validate"));
        QCOMPARE(complete({"orrery", "solve", "--beta-r"}), QString("--beta-r"));
        QVERIFY(complete({"orrery", "world", "show", "--js"}).contains("--json"));
        QCOMPARE(program.run({"help", "--completion", "tcsh"}).status, 2);
        for (const char* shell : {"zsh", "fish"})
            QVERIFY(program.run({"help", "--completion", shell}).out.contains("solve"));
    }

    void aProfileHasRunsOfItsOwn() {
        const Program program;
        QCOMPARE(program.run({"solve", "builtin:first_steps", "--profile", "course"}).status, 0);
        QVERIFY(program.run({"ls", "--profile=course"}).out.contains("r00001"));
        QVERIFY(!program.run({"ls"}).out.contains("r00001"));
        QCOMPARE(program.run({"ls", "--profile", "../x"}).status, 2);
        QVERIFY(isProfileName("a-b_c.1"));
        for (const char* name : {"", ".", "..", ".a", "a/b", "a b"}) QVERIFY(!isProfileName(name));
    }

    void theDesktopIsToldByItsOwnProgram() {
        const QTemporaryDir folder;
        const QString program = folder.filePath("notify-send"), out = folder.filePath("said");
        QFile file(program);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nfor word in \"$@\"; do echo \"$word\"; done > '" + out.toUtf8() +
                   ".new'\nmv '" + out.toUtf8() + ".new' '" + out.toUtf8() + "'\n");
        file.close();
        file.setPermissions(file.permissions() | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8() + ':' + path);
        notifyDesktop("Solved", "--help: done in 3 s");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(out), 60'000);
        qputenv("PATH", path);
        const QByteArray said = Program::read(out);
        QVERIFY2(said.endsWith("--\nSolved\n--help: done in 3 s\n"), said);
    }
};

ORRERY_APPLICATION_TEST(CommandTextTest)
#include "command_text_test.moc"
