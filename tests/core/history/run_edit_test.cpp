#include "core/history/run_edit.h"

#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <filesystem>
#include <fstream>

#include "core/history/database.h"
#include "core/history/trash.h"
#include "core/history/workspace.h"
#include "tests/support/fast_folder.h"
#include "tests/support/test_program.h"

using namespace orrery;
namespace fs = std::filesystem;

class RunEditTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workspace> m_workspace;

    DbWriter& writer() { return m_workspace->writer(); }
    RunRecord run(const std::string& id) { return *m_workspace->reader().run(id); }
    std::string newRun(const std::string& name, const std::string& parent = {}) {
        std::string id = writer().createRun({.name = name, .parent = parent});
        writer().changeState(id, std::array{RunState::Queued}, RunState::Finished);
        return id;
    }
    void trash(const std::string& id, bool isTrashed = true) {
        writer().editRuns(std::array{RunEdit{.run = id, .isTrashed = isTrashed}});
    }

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>(fastFolder());
        m_workspace =
            Workspace::open(m_folder->filePath("w.orrery").toStdString(), Workspace::Mode::Create);
    }
    void cleanup() { m_workspace.reset(); }

    void nameNoteAndTagsAreWhatWasSaidLast() {
        const std::string id = newRun("first");
        writer().editRuns(
            std::array{RunEdit{.run = id,
                               .name = "maze",
                               .note = "good",
                               .tags = std::vector<std::string>{"paper", "", "best", "paper"}}});
        QCOMPARE(run(id).name, std::string("maze"));
        QCOMPARE(run(id).note, std::string("good"));
        QCOMPARE(run(id).tags, (std::vector<std::string>{"best", "paper"}));
        writer().editRuns(std::array{RunEdit{.run = id, .tags = std::vector<std::string>{}}});
        QVERIFY(run(id).tags.empty());
        QCOMPARE(run(id).name, std::string("maze"));
    }

    void oneUnknownRunUndoesAllEdits() {
        const std::string id = newRun("kept");
        try {
            writer().editRuns(std::array{RunEdit{.run = id, .name = "changed"},
                                         RunEdit{.run = "r00099", .name = "none"}});
            QFAIL("edited a run that does not exist");
        } catch (const Error& e) {
            QVERIFY(QByteArray(e.what()).contains("r00099"));
            QCOMPARE(e.exitStatus(), 2);
        }
        QCOMPARE(run(id).name, std::string("kept"));
    }

    void theTrashHidesARunUntilItIsTakenOut() {
        const std::string id = newRun("one");
        newRun("two");
        trash(id);
        QVERIFY(!run(id).trashedUtc.empty());
        QCOMPARE(m_workspace->reader().listRuns().size(), std::size_t(1));
        QCOMPARE(m_workspace->reader().listRuns({.withTrash = true}).size(), std::size_t(2));
        trash(id, false);
        QCOMPARE(m_workspace->reader().listRuns().size(), std::size_t(2));
    }

    void aLiveRunIsNotThrownAway() {
        const std::string id = writer().createRun({.name = "queued"});
        QVERIFY_THROWS_EXCEPTION(Error, trash(id));
        QVERIFY(run(id).trashedUtc.empty());
    }

    void deletingFreesTheFilesAndKeepsTheChildren() {
        const std::string id = newRun("parent");
        const std::string child = newRun("child", id);
        writer().record(id, {.body = event::Metric{0, "loss", 1}});
        const fs::path folder = m_workspace->makeRunFolder(id);
        std::ofstream(folder / "solution.bin") << std::string(1000, 'x');
        QCOMPARE(runBytes(*m_workspace, id), std::int64_t(1000));
        QVERIFY_THROWS_EXCEPTION(Error, deleteRuns(*m_workspace, std::array{id}));
        QVERIFY(fs::exists(folder));
        trash(id);
        QCOMPARE(deleteRuns(*m_workspace, std::array{id}), std::int64_t(1000));
        QVERIFY(!fs::exists(folder));
        QVERIFY(!m_workspace->reader().run(id));
        QCOMPARE(run(child).parent, std::string());
        QCOMPARE(m_workspace->reader().metricRowCount(), std::int64_t(0));
        QCOMPARE(newRun("next"), std::string("r00003"));
    }

    void theTrashIsKeptForThirtyDays() {
        using namespace std::chrono;
        const sys_seconds now = sys_days(2026y / March / 31) + 12h;
        std::vector<RunRecord> runs(4);
        runs[0].id = "old";
        runs[0].trashedUtc = "2026-03-01T11:59:59.000Z";
        runs[1].id = "new";
        runs[1].trashedUtc = "2026-03-01T12:00:00.000Z";
        runs[2].id = "kept";
        runs[3].id = "odd";
        runs[3].trashedUtc = "yesterday";
        QCOMPARE(expiredTrash(runs, now), std::vector<std::string>{"old"});
    }
};

ORRERY_TEST(RunEditTest)
#include "run_edit_test.moc"
