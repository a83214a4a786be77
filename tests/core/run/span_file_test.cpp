#include "core/run/span_file.h"

#include <QTemporaryDir>
#include <QTest>

#include "core/base/error.h"
#include "core/run/run.h"
#include "error_of.h"
#include "small_world.h"
#include "tests/support/test_program.h"
#include "tests/support/work_intervals.h"

using namespace orrery;

class SpanFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadBack() {
        const auto timeline = test::timelineOf(
            2,
            {{.kind = WorkKind::kExplore,
              .beginNs = 10,
              .endNs = 900,
              .work = {.level = 3, .lastLevel = 3, .busyNs = 800, .states = 7, .entries = 21}},
             {.kind = WorkKind::kSolve,
              .thread = 1,
              .beginNs = 5,
              .endNs = 8000,
              .work = {.level = 0,
                       .lastLevel = 2,
                       .busyNs = 7000,
                       .phase1Ns = 3000,
                       .states = 40,
                       .entries = 160}}},
            9000);
        const std::string text = timelineJson(*timeline);
        QCOMPARE(QByteArray::fromStdString(text),
                 QByteArray(R"({"version":1,"threads":2,"untilNs":9000,"columns":["kind","thread",)"
                            R"("level","lastLevel","beginNs","endNs","busyNs","phase1Ns","states",)"
                            R"("entries"],"intervals":[["explore",0,3,3,10,900,800,0,7,21],)"
                            R"(["solve",1,0,2,5,8000,7000,3000,40,160]]})"
                            "\n"));
        const SpanTimeline back = timelineFromJson(text, "timeline.json");
        QCOMPARE(back.lanes.size(), std::size_t{2});
        QCOMPARE(back.untilNs, std::int64_t{9000});
        QVERIFY(test::intervalsOf(back) == test::intervalsOf(*timeline));
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
        QTest::newRow("threads that cannot be")
            << QByteArray(R"({"version":1,"threads":-1,"untilNs":1,"intervals":[]})");
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
        QVERIFY(storedSpans(*workspace, run->id()) == nullptr);  // those are of trainings
        QCOMPARE(stored->lanes.size(), std::size_t{1});
        bool hasSolved[9] = {};
        bool hasExplored = false, hasStored = false;
        for (const WorkInterval& i : test::intervalsOf(*stored)) {
            if (i.kind == WorkKind::kSolve) hasSolved[i.work.level] = true;
            hasExplored = hasExplored || i.kind == WorkKind::kExplore;
            hasStored = hasStored || i.kind == WorkKind::kStore;
        }
        QVERIFY(hasExplored && hasStored);
        for (const bool has : hasSolved) QVERIFY(has);
    }
};

ORRERY_TEST(SpanFileTest)
#include "span_file_test.moc"
