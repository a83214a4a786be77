#include "core/run/timeline_file.h"

#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "core/run/run.h"
#include "error_of.h"
#include "small_world.h"
#include "tests/support/test_program.h"

using namespace orrery;

class TimelineFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadBack() {
        const WorkTimeline timeline{.threads = 2,
                                    .untilNs = 9000,
                                    .intervals = {{.kind = WorkKind::Explore,
                                                   .level = 3,
                                                   .lastLevel = 3,
                                                   .beginNs = 10,
                                                   .endNs = 900,
                                                   .busyNs = 800,
                                                   .states = 7,
                                                   .entries = 21},
                                                  {.kind = WorkKind::Solve,
                                                   .thread = 1,
                                                   .level = 0,
                                                   .lastLevel = 2,
                                                   .beginNs = 5,
                                                   .endNs = 8000,
                                                   .busyNs = 7000,
                                                   .phase1Ns = 3000,
                                                   .states = 40,
                                                   .entries = 160}}};
        const WorkTimeline back = timelineFromJson(timelineJson(timeline), "timeline.json");
        QCOMPARE(back.threads, 2);
        QCOMPARE(back.untilNs, std::int64_t{9000});
        QCOMPARE(back.intervals.size(), std::size_t{2});
        QVERIFY(back.intervals[0] == timeline.intervals[0]);
        QVERIFY(back.intervals[1] == timeline.intervals[1]);
    }

    void whatIsNoTimelineIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("another version")
            << QByteArray(R"({"version":9,"threads":1,"untilNs":1,"intervals":[]})");
        QTest::newRow("a thread too many") << QByteArray(
            R"({"version":1,"threads":1,"untilNs":1,"intervals":[["solve",1,0,0,0,1,1,0,1,1]]})");
        QTest::newRow("ends before it begins") << QByteArray(
            R"({"version":1,"threads":1,"untilNs":1,"intervals":[["solve",0,0,0,5,1,1,0,1,1]]})");
        QTest::newRow("unknown work") << QByteArray(
            R"({"version":1,"threads":1,"untilNs":1,"intervals":[["dream",0,0,0,0,1,1,0,1,1]]})");
    }

    void whatIsNoTimelineIsRefused() {
        QFETCH(QByteArray, text);
        try {
            timelineFromJson(text.toStdString(), "runs/3/timeline.json");
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY(error.kind() == Error::Kind::Damaged);
            QVERIFY(QByteArray(error.what()).startsWith("runs/3/timeline.json is no timeline"));
        }
    }

    void aStoredRunKeepsWhatItsThreadsDid() {
        const QTemporaryDir folder;
        const auto workspace =
            Workspace::open(folder.filePath("test.orrery").toStdString(), Workspace::Mode::Create);
        const auto run = Run::start(smallSolve(), {.workspace = workspace.get()});
        QCOMPARE(run->wait().state, RunState::Finished);
        const auto shown = std::get<SolveSnapshot>(run->feed().snapshot()->job).timeline;
        QVERIFY(shown != nullptr);
        const auto stored = storedTimeline(*workspace, run->id());
        QVERIFY(stored != nullptr);
        QCOMPARE(stored->threads, 1);
        bool hasSolved[9] = {};
        bool hasExplored = false, hasStored = false;
        for (const WorkInterval& i : stored->intervals) {
            if (i.kind == WorkKind::Solve) hasSolved[i.level] = true;
            hasExplored = hasExplored || i.kind == WorkKind::Explore;
            hasStored = hasStored || i.kind == WorkKind::Store;
        }
        QVERIFY(hasExplored && hasStored);
        for (const bool has : hasSolved) QVERIFY(has);
    }
};

ORRERY_TEST(TimelineFileTest)
#include "timeline_file_test.moc"
