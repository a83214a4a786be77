#include "widgets/imgui/trace_scene.h"

#include <QAbstractItemModelTester>
#include <QRectF>
#include <QTest>
#include <cmath>

#include "core/trace/span_stats.h"
#include "tests/support/test_program.h"
#include "tests/support/work_intervals.h"
#include "widgets/imgui/trace_text.h"
#include "widgets/imgui/work_columns.h"

using namespace orrery;

namespace {

WorkInterval solved(int thread, int level, std::int64_t beginMs, std::int64_t endMs) {
    return {.kind = WorkKind::kSolve,
            .thread = thread,
            .beginNs = beginMs * 1'000'000,
            .endNs = endMs * 1'000'000,
            .work = {.level = level,
                     .lastLevel = level,
                     .busyNs = (endMs - beginMs) * 1'000'000,
                     .phase1Ns = (endMs - beginMs) * 250'000,
                     .states = 10,
                     .entries = 1000 * (endMs - beginMs)}};
}

/// Two threads; thread 0 solves levels 2, 1, 0 in 100 ms each, thread 1 only level 1.
std::shared_ptr<const SpanTimeline> sample() {
    return test::timelineOf(2, {solved(0, 2, 0, 100), solved(0, 1, 100, 200),
                                solved(0, 0, 200, 300), solved(1, 1, 120, 180)});
}

}  // namespace

class TraceSceneTest : public QObject {
    Q_OBJECT

private:
    TraceScene m_scene{kWorkLook};

    double begin() const { return static_cast<double>(m_scene.view().beginNs); }
    double end() const { return static_cast<double>(m_scene.view().endNs); }

private Q_SLOTS:
    void init() {
        m_scene = TraceScene(kWorkLook);
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
        QVERIFY(std::abs((end() - begin()) - 75e6) < 2);
        m_scene.zoomAt(0.01, x);
        QVERIFY(m_scene.showsAll());
    }

    void panningStopsAtTheEnds() {
        m_scene.show(100e6, 200e6);
        m_scene.panBy(300);
        QVERIFY(std::abs(begin() - 150e6) < 2);
        m_scene.panBy(100'000);
        QVERIFY(std::abs(end() - 300e6) < 2);
        m_scene.panBy(-100'000);
        QCOMPARE(begin(), 0.0);
        QVERIFY(std::abs(end() - 100e6) < 2);
    }

    void onlyWhatIsVisibleBecomesBoxes() {
        m_scene.show(110e6, 190e6);
        QCOMPARE(m_scene.boxes(0).size(), std::size_t{1});
        QCOMPARE(m_scene.boxes(0).front().place, (SpanPlace{.span = 1}));
    }

    void manyNarrowIntervalsBecomeOneBoxAPixel() {
        std::vector<WorkInterval> intervals;
        for (int k = 0; k < 60'000; ++k) {
            const std::int64_t beginMs = std::int64_t{2} * k;
            intervals.push_back(solved(0, k, beginMs, beginMs + 1));
        }
        m_scene.setTimeline(test::timelineOf(1, intervals));
        const auto boxes = m_scene.boxes(0);
        QVERIFY2(boxes.size() <= 602, qPrintable(QString::number(boxes.size())));
        double right = m_scene.plot().left();
        for (const TraceScene::Box& box : boxes) {
            QVERIFY(box.left - right < 0.1);
            right = box.right;
        }
        QVERIFY(right >= m_scene.plot().right() - 0.1);
    }

    void aPointFindsItsInterval() {
        const QRectF lane = m_scene.lane(1);
        const double y = lane.center().y();
        QCOMPARE(m_scene.spanUnder({m_scene.xOf(150e6), y}), std::optional(SpanPlace{.lane = 1}));
        QCOMPARE(m_scene.spanUnder({m_scene.xOf(250e6), y}), std::optional<SpanPlace>());
        QCOMPARE(m_scene.spanUnder({m_scene.xOf(250e6), m_scene.lane(0).center().y()}),
                 std::optional(SpanPlace{.span = 2}));
        QCOMPARE(m_scene.spanUnder({10, y}), std::optional<SpanPlace>());
    }

    void fewLanesGrowAndTheLegendIsRightBelowThem() {
        m_scene.resize({800, 900});
        QCOMPARE(m_scene.lane(0).height(), 180.0);
        QCOMPARE(m_scene.legend().top(), m_scene.lane(1).bottom());
        m_scene.resize({800, 120});  // not all lanes fit
        QCOMPARE(m_scene.legend().bottom(), 120.0);
    }

    void aLevelSpansAllThreads() {
        const auto time = timeOfLevel(*sample(), 1, WorkKind::kSolve);
        QVERIFY(time.has_value());
        QCOMPARE(time->beginNs, std::int64_t{100'000'000});
        QCOMPARE(time->endNs, std::int64_t{200'000'000});
        QCOMPARE(time->busyNs, std::int64_t{160'000'000});
        QCOMPARE(time->states, std::int64_t{20});
        QVERIFY(!timeOfLevel(*sample(), 7, WorkKind::kSolve).has_value());
        QCOMPARE(busyShare(m_scene.laneAt(0), m_scene.view()), 1.0);
        QVERIFY(std::abs(busyShare(m_scene.laneAt(1), m_scene.view()) - 0.2) < 1e-9);
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
        TraceModel model(workColumns(), false);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTimeline(sample());
        QCOMPARE(model.rowCount(), 4);
        const auto text = [&](int row, int column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(text(3, WorkColumn::kThread), QStringLiteral("1"));
        QCOMPARE(text(3, WorkColumn::kLevel), QStringLiteral("1"));
        QCOMPARE(text(3, WorkColumn::kBegin), QStringLiteral("120.000"));
        QCOMPARE(text(3, WorkColumn::kDuration), QStringLiteral("60.000"));
        QCOMPARE(text(3, WorkColumn::kPhase1), QStringLiteral("15.000"));
        QCOMPARE(text(3, WorkColumn::kPhase2), QStringLiteral("45.000"));
        QVERIFY(text(3, WorkColumn::kRate).startsWith(u'1'));  // 60,000 entries in 60 ms
        model.setTimeline(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
};

ORRERY_APPLICATION_TEST(TraceSceneTest)
#include "trace_scene_test.moc"
