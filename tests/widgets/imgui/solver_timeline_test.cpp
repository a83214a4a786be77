#include "widgets/imgui/solver_timeline.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <vector>

#include "core/base/cpu.h"
#include "core/dag/explore_traced.h"
#include "core/solve/solve_traced.h"
#include "tests/support/test_program.h"
#include "tests/support/work_intervals.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/imgui/trace_text.h"
#include "widgets/imgui/work_canvas.h"

using namespace orrery;

namespace {

void keep(QWidget* window, const char* name) {
    const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    window->grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png")));
}

/// What the threads of a run did, each piece as long as any other of its kind. On a busy machine
/// one piece may last longer than all others, and leave them no block that can be pressed.
std::shared_ptr<const SpanTimeline> evenlyPaced(const SpanTimeline& real) {
    constexpr std::int64_t kPiece = 100'000, kSolve = 4 * kPiece;  // ns
    std::vector<WorkInterval> pieces = test::intervalsOf(real);
    std::vector<std::int64_t> now(real.lanes.size(), 0);
    for (WorkInterval& piece : pieces) {
        std::int64_t& begin = now[static_cast<std::size_t>(piece.thread)];
        const bool isSolve = piece.kind == WorkKind::kSolve;
        piece.beginNs = begin;
        piece.work.busyNs = isSolve ? kSolve : kPiece;
        piece.work.phase1Ns = isSolve ? kSolve / 4 : 0;
        piece.endNs = begin += piece.work.busyNs;
    }
    return test::timelineOf(static_cast<int>(now.size()), pieces, *std::ranges::max_element(now));
}

}  // namespace

/// Drives the view with mouse and keys over a real solve.
class SolverTimelineTest : public QObject {
    Q_OBJECT

private:
    LoadedWorld m_loaded;
    std::shared_ptr<const Solution> m_solution;
    std::shared_ptr<const SpanTimeline> m_timeline;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<PlanSession> m_session;
    std::unique_ptr<SolverTimeline> m_view;

    WorkCanvas* canvas() { return m_view->canvas(); }

    void show() {
        m_view = std::make_unique<SolverTimeline>(m_session.get());
        m_view->resize(1000, 420);
        m_view->setTimeline(m_timeline, false);
        m_view->show();
        m_view->activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get(), kPatience));
    }
    void showCanvas() {
        show();
        QTRY_VERIFY2_WITH_TIMEOUT(canvas() != nullptr,
                                  "the display of this test needs OpenGL (libgl1-mesa-dri)",
                                  kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(canvas()->numFrames() > 0, kPatience);
        settle();
    }
    /// Until no more frames come.
    void settle() {
        QVERIFY(becomesQuiet([this] { return canvas()->isSettled(); }));
    }
    /// A visible block of a solved level other than the current one.
    NamedSpot otherBlock() {
        for (const NamedSpot& spot : canvas()->namedSpots())
            if (spot.facts.value(QStringLiteral("kind")).toString() == QLatin1String("solve") &&
                spot.facts.value(QStringLiteral("level")).toInt() > 0 && spot.rect.width() >= 3 &&
                !spot.facts.value(QStringLiteral("current")).toBool())
                return spot;
        return {};
    }

private Q_SLOTS:
    void initTestCase() {
        applyTheme(*qApp, ThemeChoice::Dark);
        m_loaded = loadWorld(firstExample());
        QVERIFY2(m_loaded.world != nullptr, qPrintable(m_loaded.problems.join(u'\n')));
        WorkTrace trace;
        SolveSpec spec;
        spec.threads = 2;
        m_solution = solveTraced(exploreTraced(m_loaded.world, {.threads = 2}, trace), spec, {}, {},
                                 nullptr, trace);
        m_timeline = evenlyPaced(*trace.timeline());
    }

    void init() {
        m_selection = std::make_unique<Selection>();
        m_session = std::make_unique<PlanSession>(m_selection.get());
        m_session->open(m_loaded);
        m_session->attach(m_solution, QStringLiteral("20260301-1200"));
    }

    void cleanup() {
        m_view.reset();
        m_session.reset();
        m_selection.reset();
        qunsetenv("ORRERY_NO_GL");
    }

    void aPressOnABlockPicksItsLevel() {
        showCanvas();
        keep(m_view.get(), "solver-timeline-dark");
        const NamedSpot block = otherBlock();
        QVERIFY2(!block.rect.isEmpty(), "no level is wide enough to be pressed");
        const int level = block.facts.value(QStringLiteral("level")).toInt();
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, block.rect.center());
        QTRY_COMPARE_WITH_TIMEOUT(m_session->state().step, level, kPatience);
        QCOMPARE(m_selection->current<LevelItem>()->step, level);
        QTRY_VERIFY_WITH_TIMEOUT(!canvas()->namedSpots().empty(), kPatience);
        int numCurrent = 0;
        for (const NamedSpot& spot : canvas()->namedSpots())
            if (spot.facts.value(QStringLiteral("current")).toBool()) ++numCurrent;
        QVERIFY(numCurrent > 0);
        settle();
        keep(m_view.get(), "solver-timeline-level");
    }

    void wheelDragAndKeysMoveThroughTime() {
        showCanvas();
        const TraceScene& scene = canvas()->scene();
        QVERIFY(scene.showsAll());
        const QPointF at = scene.plot().center();
        const double fixed = scene.nsAt(at.x());
        QWheelEvent wheel(at, canvas()->mapToGlobal(at), {}, {0, 360}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas(), &wheel);
        QTRY_VERIFY_WITH_TIMEOUT(!scene.showsAll(), kPatience);
        QVERIFY(std::abs(scene.nsAt(at.x()) - fixed) < 1e-6 * fixed + 1000);
        settle();

        const std::int64_t begin = scene.view().beginNs;
        QTest::mousePress(canvas(), Qt::LeftButton, {}, at.toPoint());
        settle();
        QTest::mouseMove(canvas(), at.toPoint() + QPoint(40, 0));
        settle();
        QTest::mouseMove(canvas(), at.toPoint() + QPoint(80, 0));
        settle();
        QTest::mouseRelease(canvas(), Qt::LeftButton, {}, at.toPoint() + QPoint(80, 0));
        settle();
        QVERIFY2(scene.view().beginNs < begin, "dragging to the right shows what was before");

        canvas()->setFocus();
        QTest::keyClick(canvas(), Qt::Key_F);
        QVERIFY(scene.showsAll());
        QTest::keyClick(canvas(), Qt::Key_Plus);
        QVERIFY(!scene.showsAll());
        const std::int64_t zoomed = scene.view().beginNs;
        QTest::keyClick(canvas(), Qt::Key_Right);
        QVERIFY(scene.view().beginNs > zoomed);
        QTest::keyClick(canvas(), Qt::Key_Minus);
        QTest::keyClick(canvas(), Qt::Key_0);
        QVERIFY(scene.showsAll());
        const int level = m_session->state().step;
        QTest::keyClick(canvas(), Qt::Key_Down);
        QCOMPARE(m_session->state().step, level + 1);
        QTest::keyClick(canvas(), Qt::Key_Up);
        QCOMPARE(m_session->state().step, level);
    }

    void aLevelOutOfSightIsBroughtIntoIt() {
        showCanvas();
        m_selection->setCurrent(LevelItem{1});
        canvas()->fit();
        canvas()->zoomBy(20);
        const SpanRange zoomed = canvas()->scene().view();
        const auto time = timeOfLevel(*m_timeline, 0, WorkKind::kSolve);
        QVERIFY(time.has_value() && time->beginNs > zoomed.endNs);  // solved last
        m_selection->setCurrent(LevelItem{0});
        const SpanRange view = canvas()->scene().view();
        QVERIFY(view.beginNs < time->endNs && view.endNs > time->beginNs);
    }

    void whatIsHoveredIsTheSelectionsHover() {
        showCanvas();
        const NamedSpot block = otherBlock();
        QTest::mouseMove(canvas(), block.rect.center());
        QTRY_VERIFY_WITH_TIMEOUT(m_selection->hover().has_value(), kPatience);
        QCOMPARE(std::get<LevelItem>(*m_selection->hover()).step,
                 block.facts.value(QStringLiteral("level")).toInt());
    }

    void blocksAreDrawnInTheirColours() {
        showCanvas();
        const QImage picture = canvas()->grab().toImage();
        const double ratio = canvas()->devicePixelRatioF();
        int numSeen = 0;
        for (const NamedSpot& spot : canvas()->namedSpots()) {
            if (spot.facts.value(QStringLiteral("kind")).toString() != QLatin1String("solve") ||
                spot.rect.width() < 12)
                continue;
            // Phase 2 fills the right end of a block; text stays away from its rim.
            const QPoint at = QPoint(spot.rect.right() - 3, spot.rect.bottom() - 3) * ratio;
            const QColor seen = picture.pixelColor(at);
            const QColor phase1 =
                spanColor(wordsOf(workSpans(), WorkKind::kPhase1), currentTokens());
            const QColor phase2 =
                spanColor(wordsOf(workSpans(), WorkKind::kSolve), currentTokens());
            const auto isNear = [&](const QColor& color) {
                return std::abs(seen.red() - color.red()) < 12 &&
                       std::abs(seen.green() - color.green()) < 12 &&
                       std::abs(seen.blue() - color.blue()) < 12;
            };
            QVERIFY2(isNear(phase1) || isNear(phase2), qPrintable(seen.name()));
            ++numSeen;
        }
        QVERIFY(numSeen > 0);
    }

    void nothingIsDrawnWhileNothingHappens() {
        showCanvas();
        const std::int64_t frames = canvas()->numFrames();
        const double cpu = (1e-3 * threadCpuMs());
        // Must wait for time: that nothing happens meanwhile is the claim. QTest::qWait would look
        // for events a hundred times a second.
        QEventLoop idle;
        QTimer::singleShot(2000, &idle, &QEventLoop::quit);
        idle.exec();
        QCOMPARE(canvas()->numFrames(), frames);
        const double share = ((1e-3 * threadCpuMs()) - cpu) / 2.0;
        qInfo("idle: %.2f %% CPU of the window's thread", 100 * share);
        QVERIFY2(share <= 0.01, qPrintable(QString::number(share)));
    }

    void aThemeChangeIsDrawnAtOnce() {
        showCanvas();
        const QColor dark = canvas()->grab().toImage().pixelColor(4, canvas()->height() - 4);
        applyTheme(*qApp, ThemeChoice::Light);
        settle();
        const QColor light = canvas()->grab().toImage().pixelColor(4, canvas()->height() - 4);
        keep(m_view.get(), "solver-timeline-light");
        applyTheme(*qApp, ThemeChoice::Dark);
        QVERIFY(dark.lightness() < 60);
        QVERIFY(light.lightness() > 200);
    }

    void aLiveRunGrowsInTheView() {
        showCanvas();
        m_view->setTimeline(test::timelineOf(2, {test::intervalsOf(*m_timeline).front()}), true);
        settle();
        const std::int64_t end = canvas()->scene().view().endNs;
        m_view->setTimeline(m_timeline, true);
        settle();
        QVERIFY(canvas()->scene().view().endNs > end);
        QVERIFY(canvas()->spotFacts().value(QStringLiteral("live")).toBool());
    }

    void withoutARunItSaysHowToGetOne() {
        m_view = std::make_unique<SolverTimeline>(m_session.get());
        m_view->resize(800, 300);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get(), kPatience));
        QSignalSpy spy(m_view.get(), &SolverTimeline::solveRequested);
        auto* solve = m_view->findChild<QPushButton*>(QStringLiteral("solverTimelineSolve"));
        QVERIFY(solve->isVisible());
        QTest::mouseClick(solve, Qt::LeftButton);
        QCOMPARE(spy.count(), 1);
    }

    void withoutGlThereIsTheTable() {
        qputenv("ORRERY_NO_GL", "1");
        show();
        QTableView* table = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((table = m_view->findChild<QTableView*>(
                                      QStringLiteral("solverTimelineTable"))) != nullptr &&
                                     table->isVisible(),
                                 kPatience);
        QVERIFY(canvas() == nullptr);
        QCOMPARE(table->model()->rowCount(), static_cast<int>(m_timeline->places().size()));
        const auto* reason = m_view->findChild<QLabel*>(QStringLiteral("solverTimelineReason"));
        QVERIFY(reason->text().contains(QLatin1String("ORRERY_NO_GL")));
        // A row picks its level.
        int row = -1;
        for (int r = 0; r < table->model()->rowCount() && row < 0; ++r) {
            const WorkInterval i = test::intervalsOf(*m_timeline)[static_cast<std::size_t>(r)];
            if (i.kind == WorkKind::kSolve && i.work.level != m_session->state().step) row = r;
        }
        QVERIFY(row >= 0);
        const int level = test::intervalsOf(*m_timeline)[static_cast<std::size_t>(row)].work.level;
        table->scrollTo(table->model()->index(row, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(row, 0)).center());
        QCOMPARE(m_session->state().step, level);
    }

    void withoutADisplaysGlThereIsTheTable() {
        if (QGuiApplication::platformName() != QLatin1String("offscreen")) {
            QVERIFY(ImGuiHost::isAvailable());
            return;
        }
        QString reason;
        QVERIFY(!ImGuiHost::isAvailable(&reason));
        QVERIFY(!reason.isEmpty());
    }
};

ORRERY_WINDOW_TEST(SolverTimelineTest)
#include "solver_timeline_test.moc"
