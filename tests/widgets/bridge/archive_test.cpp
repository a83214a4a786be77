#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/history/database.h"
#include "core/history/workspace.h"
#include "core/run/jobs/solve_job.h"
#include "core/run/run_spec.h"
#include "tests/support/fast_folder.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"

using namespace orrery;

/// The list of runs of a window that opens one workspace after the other.
class ArchiveTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder{fastFolder()};

    /// A workspace whose only run is a solve that took so long.
    std::filesystem::path workspaceWith(const QString& name, double seconds) const {
        std::filesystem::path path = m_folder.filePath(name).toStdString();
        Workspace::open(path, Workspace::Mode::Create);
        RunSpec spec;
        spec.job = SolveJob{.world = {.name = "builtin:first_steps"}};
        Database database(path / "workspace.db", Database::Access::Write);
        Statement insert = database.prepare(
            "INSERT INTO run(ordinal, id, name, state, config_json, world_hash, code_version, "
            "seed, created_utc, ended_utc, kind) VALUES (1, 'r00001', ?, 'finished', ?, 'hash', "
            "'0.1.0', 1, '2026-03-01T12:00:00.000Z', '2026-03-01T12:01:00.000Z', 'solve')");
        insert.bind(1, name.toStdString()).bind(2, toJson(spec, -1)).run();
        std::filesystem::create_directories(path / "runs" / "r00001");
        std::ofstream(path / "runs" / "r00001" / "result.json")
            << R"({"solve": {"seconds": )" << seconds << "}}";
        return path;
    }

private Q_SLOTS:
    void anotherWorkspaceHasRunsOfItsOwn() {
        const std::filesystem::path first = workspaceWith(QStringLiteral("first"), 3);
        const std::filesystem::path second = workspaceWith(QStringLiteral("second"), 7);
        BackgroundWorker worker;
        Archive archive(&worker);
        QSignalSpy listed(&archive, &Archive::runsChanged);
        archive.open(first);
        QVERIFY(listed.wait(kPatience));
        QCOMPARE(archive.runs().front().name, std::string("first"));
        QCOMPARE(archive.runSeconds().at("r00001"), 3.0);
        QVERIFY(archive.isListed());

        // Nothing of the first is there when the second is.
        bool isFresh = false;
        connect(&archive, &Archive::opened, this, [&] {
            isFresh = !archive.isListed() && archive.runs().empty() &&
                      archive.runSeconds().empty() && archive.reached().empty();
        });
        listed.clear();
        archive.open(second);
        archive.refreshRuns();  // of the first, answered when the second is there
        QVERIFY(listed.wait(kPatience));
        QVERIFY(isFresh);
        QCOMPARE(archive.runs().front().name, std::string("second"));
        QCOMPARE(archive.runSeconds().at("r00001"), 7.0);
    }

    /// It once became one that could only be read, as another program's.
    void theWorkspaceThatIsOpenCanBeOpenedAgain() {
        const std::filesystem::path path = workspaceWith(QStringLiteral("third"), 3);
        BackgroundWorker worker;
        Archive archive(&worker);
        QSignalSpy listed(&archive, &Archive::runsChanged);
        for (const auto& folder : {path, path / "." / ""}) {
            archive.open(folder);
            QVERIFY(listed.wait(kPatience));
            QVERIFY(archive.writableWorkspace() != nullptr);
        }
    }
};

ORRERY_WINDOW_TEST(ArchiveTest)
#include "archive_test.moc"
