#include "widgets/imgui/work_scene.h"

#include <QAbstractItemModelTester>
#include <QRectF>
#include <QTest>
#include <cmath>

#include "tests/support/test_program.h"
#include "widgets/imgui/work_model.h"

using namespace orrery;

namespace {

WorkInterval solved(int thread, int level, std::int64_t beginMs, std::int64_t endMs) {
    return {.kind = WorkKind::Solve,
            .thread = thread,
            .level = level,
            .lastLevel = level,
            .beginNs = beginMs * 1'000'000,
            .endNs = endMs * 1'000'000,
            .busyNs = (endMs - beginMs) * 1'000'000,
            .phase1Ns = (endMs - beginMs) * 250'000,
            .states = 10,
            .entries = 1000 * (endMs - beginMs)};
}

/// Two threads; thread 0 solves levels 2, 1, 0 in 100 ms each, thread 1 only level 1.
std::shared_ptr<const WorkTimeline> sample() {
    auto timeline = std::make_shared<WorkTimeline>();
    timeline->threads = 2;
    timeline->untilNs = 400'000'000;
    timeline->intervals = {solved(0, 2, 0, 100), solved(0, 1, 100, 200), solved(0, 0, 200, 300),
                           solved(1, 1, 120, 180)};
    return timeline;
}

}  // namespace

class WorkSceneTest : public QObject {
    Q_OBJECT

private:
    WorkScene m_scene;

private Q_SLOTS:
    void init() {
        m_scene = {};
        m_scene.resize({144 + 600, 300});  // 600 pixels for the time
        m_scene.setTimeline(sample());
    }

    void atFirstEverythingIsShown() {
        QVERIFY(m_scene.showsAll());
        QCOMPARE(m_scene.plot().width(), 600.0);
        QCOMPARE(m_scene.xOf(0), m_scene.plot().left());
        QCOMPARE(m_scene.xOf(300e6), m_scene.plot().right());
        QCOMPARE(m_scene.boxes(0).size(), std::size_t{3});
        QCOMPARE(m_scene.boxes(1).size(), std::size_t{1});
        QCOMPARE(m_scene.boxes(1).front().left, m_scene.plot().left() + 240);
        QCOMPARE(m_scene.boxes(1).front().right, m_scene.plot().left() + 360);
    }

    void zoomingKeepsWhatIsUnderThePointer() {
        const double x = m_scene.plot().left() + 150;
        const double before = m_scene.nsAt(x);
        m_scene.zoomAt(4, x);
        QVERIFY(!m_scene.showsAll());
        QVERIFY(std::abs(m_scene.nsAt(x) - before) < 1);
        QVERIFY(std::abs((m_scene.endNs() - m_scene.beginNs()) - 75e6) < 1);
        m_scene.zoomAt(0.01, x);
        QVERIFY(m_scene.showsAll());
    }

    void panningStopsAtTheEnds() {
        m_scene.show(100e6, 200e6);
        m_scene.panBy(300);
        QVERIFY(std::abs(m_scene.beginNs() - 150e6) < 1);
        m_scene.panBy(100'000);
        QVERIFY(std::abs(m_scene.endNs() - 300e6) < 1);
        m_scene.panBy(-100'000);
        QCOMPARE(m_scene.beginNs(), 0.0);
        QVERIFY(std::abs(m_scene.endNs() - 100e6) < 1);
    }

    void onlyWhatIsVisibleBecomesBoxes() {
        m_scene.show(110e6, 190e6);
        QCOMPARE(m_scene.boxes(0).size(), std::size_t{1});
        QCOMPARE(m_scene.boxes(0).front().interval, 1);
    }

    void manyNarrowIntervalsBecomeOneBoxAPixel() {
        auto timeline = std::make_shared<WorkTimeline>();
        timeline->threads = 1;
        for (int k = 0; k < 60'000; ++k) {
            const std::int64_t beginMs = std::int64_t{2} * k;
            timeline->intervals.push_back(solved(0, k, beginMs, beginMs + 1));
        }
        m_scene.setTimeline(timeline);
        const auto boxes = m_scene.boxes(0);
        QVERIFY2(boxes.size() <= 602, qPrintable(QString::number(boxes.size())));
        int all = 0;
        for (const WorkScene::Box& box : boxes) all += box.numIntervals;
        QCOMPARE(all, 60'000);
    }

    void aPointFindsItsInterval() {
        const QRectF lane = m_scene.lane(1);
        const double y = lane.center().y();
        QCOMPARE(m_scene.intervalAt({m_scene.xOf(150e6), y}), std::optional(3));
        QCOMPARE(m_scene.intervalAt({m_scene.xOf(250e6), y}), std::optional<int>());
        QCOMPARE(m_scene.intervalAt({m_scene.xOf(250e6), m_scene.lane(0).center().y()}),
                 std::optional(2));
        QCOMPARE(m_scene.intervalAt({10, y}), std::optional<int>());
    }

    void fewLanesGrowAndTheLegendIsRightBelowThem() {
        m_scene.resize({800, 900});
        QCOMPARE(m_scene.lane(0).height(), 180.0);
        QCOMPARE(m_scene.legend().top(), m_scene.lane(1).bottom());
        m_scene.resize({800, 120});  // not all lanes fit
        QCOMPARE(m_scene.legend().bottom(), 120.0);
    }

    void aLevelSpansAllThreads() {
        const auto span = m_scene.spanOf(1, WorkKind::Solve);
        QVERIFY(span.has_value());
        QCOMPARE(span->beginNs, std::int64_t{100'000'000});
        QCOMPARE(span->endNs, std::int64_t{200'000'000});
        QCOMPARE(span->busyNs, std::int64_t{160'000'000});
        QCOMPARE(span->states, std::int64_t{20});
        QVERIFY(!m_scene.spanOf(7, WorkKind::Solve).has_value());
        QCOMPARE(m_scene.busyShare(0), 1.0);
        QVERIFY(std::abs(m_scene.busyShare(1) - 0.2) < 1e-9);
    }

    void aLevelOutOfSightIsBroughtIntoIt() {
        m_scene.show(0, 50e6);
        m_scene.reveal(0);
        QVERIFY(m_scene.beginNs() < 300e6 && m_scene.endNs() > 200e6);
        const double begin = m_scene.beginNs();
        m_scene.reveal(0);
        QCOMPARE(m_scene.beginNs(), begin);
    }

    void ticksAreRoundAndFarEnoughApart() {
        QCOMPARE(m_scene.tickNs(96), 50e6);  // 300 ms in 600 px: 48 ms in 96 px
        m_scene.show(0, 30'000);
        QCOMPARE(m_scene.tickNs(96), 5000.0);
    }

    void durationsHaveThreeDigits_data() {
        QTest::addColumn<double>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("s") << 1.236e9 << "1.24 s";
        QTest::newRow("ms") << 32.14e6 << "32.1 ms";
        QTest::newRow("µs") << 850e3 << "850 µs";
        QTest::newRow("ns") << 12.0 << "12 ns";
    }
    void durationsHaveThreeDigits() {
        QFETCH(double, ns);
        QTEST(spanText(ns), "text");
    }

    void theTableSaysTheSame() {
        WorkModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTimeline(sample());
        QCOMPARE(model.rowCount(), 4);
        const auto text = [&](int row, int column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(text(3, WorkModel::kThread), QStringLiteral("1"));
        QCOMPARE(text(3, WorkModel::kLevel), QStringLiteral("1"));
        QCOMPARE(text(3, WorkModel::kBegin), QStringLiteral("120.000"));
        QCOMPARE(text(3, WorkModel::kDuration), QStringLiteral("60.000"));
        QCOMPARE(text(3, WorkModel::kPhase1), QStringLiteral("15.000"));
        QCOMPARE(text(3, WorkModel::kPhase2), QStringLiteral("45.000"));
        QVERIFY(text(3, WorkModel::kRate).startsWith(u'1'));  // 60,000 entries in 60 ms
        model.setTimeline(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
};

ORRERY_APPLICATION_TEST(WorkSceneTest)
#include "work_scene_test.moc"
