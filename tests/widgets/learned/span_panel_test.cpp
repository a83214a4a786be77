#include "widgets/learned/span_panel.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>
#include <array>
#include <cmath>

#include "core/empo/batch_profile.h"
#include "core/trace/span_recorder.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/imgui/trace_canvas.h"
#include "widgets/imgui/trace_text.h"

using namespace orrery;

namespace {

using Clock = SpanRecorder::Clock;
using std::chrono::nanoseconds;

constexpr std::array kStages = {
    ProfileStage::kCollect,  ProfileStage::kEncode,    ProfileStage::kForward, ProfileStage::kVhE,
    ProfileStage::kBackward, ProfileStage::kOptimiser, SpanKind::Idle};
constexpr std::array kLengths = {180'000, 410'000, 620'000, 710'000, 400'000, 100'000, 180'000};

/// A second of a learner with 2.6 ms a step and of an actor that is throttled half of the time,
/// recorded by real recorders.
std::shared_ptr<const SpanTimeline> recording() {
    const Clock::time_point origin = Clock::now();
    SpanRecorder learner("learner", origin, 256, origin), actor("actor 0", origin, 64, origin);
    Clock::time_point now = origin;
    for (int step = 0; step < 380; ++step) {
        for (std::size_t k = 0; k < kStages.size(); ++k) {
            learner.enter(kStages[k], now);
            now += nanoseconds(kLengths[k]);
        }
        learner.endStep();
    }
    Clock::time_point other = origin;
    while (other < now) {
        actor.enter(SpanKind::Act, other);
        other += nanoseconds(1'900'000);
        actor.enter(SpanKind::HandOver, other);
        other += nanoseconds(100'000);
        actor.enter(SpanKind::Throttled, other);
        other += nanoseconds(2'000'000);
        actor.endStep();
    }
    learner.flush(now);
    actor.flush(other);
    auto timeline = std::make_shared<SpanTimeline>();
    timeline->words = empoSpans();
    timeline->lanes = {learner.lane(), actor.lane()};
    return timeline;
}

/// How far apart two colours look: CIE76.
double distance(const QColor& first, const QColor& second) {
    const auto lab = [](const QColor& color) {
        const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        const auto root = [](double c) { return c > 0.008856 ? std::cbrt(c) : 7.787 * c + 0.1379; };
        const double r = linear(color.redF()), g = linear(color.greenF()),
                     b = linear(color.blueF());
        const double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        const double y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
        const double z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0888);
        return std::array{116 * y, 500 * (x - y), 200 * (y - z)};
    };
    const auto a = lab(first), b = lab(second);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

void keep(QWidget* window, const char* name) {
    const QString folder = qEnvironmentVariable("ORRERY_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    window->grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png")));
}

}  // namespace

/// Drives the timeline of a training with mouse and keys.
class SpanPanelTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<SpanPanel> m_panel;

    TraceCanvas* canvas() { return m_panel->canvas(); }
    const TraceScene& scene() { return canvas()->scene(); }
    void show() {
        m_panel = std::make_unique<SpanPanel>(QStringLiteral("profileTimeline"));
        m_panel->resize(1000, 320);
        m_panel->setTimeline(recording(), QStringLiteral("r00001"), true);
        m_panel->show();
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get(), kPatience));
    }
    void showCanvas() {
        show();
        QTRY_VERIFY2_WITH_TIMEOUT(canvas() != nullptr, "the display of this test needs OpenGL",
                                  kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(canvas()->numFrames() > 0, kPatience);
        settle();
    }
    void settle() {
        QVERIFY(becomesQuiet([this] { return canvas()->isSettled(); }));
    }
    void wheel(const QPointF& at, int notches, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(at, canvas()->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas(), &event);
        settle();
    }
    void dragBy(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(canvas(), Qt::LeftButton, modifiers, from);
        settle();
        for (int k = 1; k <= 4; ++k) {
            const QPoint at = from + (to - from) * k / 4;
            QMouseEvent move(QEvent::MouseMove, at, canvas()->mapToGlobal(QPointF(at)),
                             Qt::NoButton, Qt::LeftButton, modifiers);
            QApplication::sendEvent(canvas(), &move);
            settle();
        }
        QTest::mouseRelease(canvas(), Qt::LeftButton, modifiers, to);
        settle();
    }
    QPushButton* button(const char* id) {
        auto* found =
            m_panel->findChild<QPushButton*>(QStringLiteral("profileTimeline") + QLatin1String(id));
        if (found == nullptr) qFatal("no button %s", id);
        return found;
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, ThemeChoice::Dark); }
    void cleanup() { m_panel.reset(); }

    void whatTheLearnerDoesHasColoursThatAreToldApart() {
        for (const Tokens* tokens : {&lightTokens(), &darkTokens()})
            for (const SpanWords& first : empoSpans())
                for (const SpanWords& second : empoSpans()) {
                    if (&first == &second || std::max(first.kind, second.kind) >= SpanKind::Act)
                        continue;
                    if (isIdle(first.kind) || isIdle(second.kind)) continue;  // hatched
                    const double far =
                        distance(spanColor(first, *tokens), spanColor(second, *tokens));
                    QVERIFY2(far > 20, qPrintable(spanName(first) + u' ' + spanName(second)));
                }
    }

    void fewLanesGrowAndTheLegendIsRightBelowThem() {
        TraceScene scene;
        scene.setTimeline(recording());
        scene.resize({800, 900});
        QCOMPARE(scene.lane(1).height(), 180.0);
        QCOMPARE(scene.legend().top(), scene.lane(1).bottom());
        scene.resize({800, 140});  // not all lanes fit
        QCOMPARE(scene.legend().bottom(), 140.0);
    }

    void wheelZoomsAtThePointerAndDoubleClickShowsAll() {
        showCanvas();
        QVERIFY(scene().showsAll());
        const QPointF at(scene().plot().center().x() + 100, scene().body(0).center().y());
        const double fixed = scene().nsAt(at.x());
        const std::int64_t before = scene().view().lengthNs();
        wheel(at, 12);
        QVERIFY(scene().view().lengthNs() < before / 6);
        QVERIFY(std::abs(scene().nsAt(at.x()) - fixed) < static_cast<double>(before) * 0.01);
        const SpanRange zoomed = scene().view();
        dragBy(at.toPoint(), at.toPoint() + QPoint(80, 0));
        QVERIFY(scene().view().beginNs < zoomed.beginNs);
        QVERIFY(std::abs(scene().view().lengthNs() - zoomed.lengthNs()) < 100);
        wheel(at, 1, Qt::ShiftModifier);
        QVERIFY(scene().view().beginNs < zoomed.beginNs);
        keep(m_panel.get(), "profile-zoomed");
        QTest::mouseDClick(canvas(), Qt::LeftButton, {}, at.toPoint());
        QTest::mouseRelease(canvas(), Qt::LeftButton, {}, at.toPoint());
        settle();
        QVERIFY(scene().showsAll());
        keep(m_panel.get(), "profile-all");
    }

    void aSpanSaysWhatItIs() {
        showCanvas();
        const SpanBurst& burst = *scene().laneAt(0).bursts[3];
        const double x = (scene().xOf(static_cast<double>(burst.beginNs())) +
                          scene().xOf(static_cast<double>(burst.endNs()))) /
                         2;
        for (int k = 0; k < 20; ++k) wheel(QPointF(x, scene().body(0).center().y()), 1);
        NamedSpot spot;
        for (const NamedSpot& each : canvas()->namedSpots())
            if (each.facts.value(u"kind").toString() == QLatin1String("stage3_forward") &&
                each.rect.width() > 4)
                spot = each;
        QVERIFY(!spot.name.isEmpty());
        QCOMPARE(spot.facts.value(u"ns").toInteger(), 620'000);
        const QString tip = canvas()->tipAt(spot.rect.center());
        QVERIFY2(tip.contains(QStringLiteral("forward · Learner")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("takes 620 µs")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("24 % of the 2.60 ms of its step")), qPrintable(tip));
        const auto step = spot.facts.value(u"step").toInteger();
        QVERIFY2(tip.contains(QStringLiteral("step %1").arg(step)), qPrintable(tip));
        QVERIFY(step >= burst.firstStep && step < burst.firstStep + 32);
        QSignalSpy picked(m_panel.get(), &SpanPanel::kindPicked);
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, spot.rect.center());
        QTRY_COMPARE_WITH_TIMEOUT(picked.size(), 1, kPatience);
        QCOMPARE(picked[0][0].toInt(), static_cast<int>(ProfileStage::kForward));
    }

    void betweenSamplesTheSharesOfAllAreTold() {
        showCanvas();
        const QString tip = canvas()->tipAt(
            QPointF(scene().plot().center().x(), scene().body(1).center().y()).toPoint());
        QVERIFY2(tip.startsWith(QStringLiteral("Actor 0")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("throttled 5")), qPrintable(tip));  // 50 or 51 %
    }

    void aRangeIsMarkedByShiftOrOnTheAxisAndGivenUp() {
        showCanvas();
        QSignalSpy changed(m_panel.get(), &SpanPanel::rangeChanged);
        const QRectF plot = scene().plot();
        const QPoint from(static_cast<int>(plot.left()) + 100, static_cast<int>(plot.top()) + 30);
        dragBy(from, from + QPoint(200, 0), Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(m_panel->range().has_value(), kPatience);
        QVERIFY(changed.size() >= 1);
        QVERIFY(scene().showsAll());
        const double begin = scene().nsAt(from.x());
        QVERIFY(std::abs(static_cast<double>(m_panel->range()->beginNs) - begin) < 5e6);
        QVERIFY(button("NoLimit")->isVisible());
        keep(m_panel.get(), "profile-range");
        QTest::keyClick(canvas(), Qt::Key_Escape);
        QVERIFY(!m_panel->range().has_value());
        QVERIFY(!button("NoLimit")->isVisible());
        const QPoint axis(static_cast<int>(plot.left()) + 50,
                          static_cast<int>(scene().axis().center().y()));
        dragBy(axis, axis + QPoint(150, 0));
        QTRY_VERIFY_WITH_TIMEOUT(m_panel->range().has_value(), kPatience);
        QTest::mouseClick(button("NoLimit"), Qt::LeftButton);
        QVERIFY(!m_panel->range().has_value());
        QVERIFY(!scene().range().has_value());
        // L: to what is visible.
        QTest::keyClick(canvas(), Qt::Key_Plus);
        QTest::keyClick(canvas(), Qt::Key_L);
        QCOMPARE(m_panel->range()->lengthNs(), scene().view().lengthNs());
    }

    void keysAndButtonsMoveTheView() {
        showCanvas();
        QTest::keyClick(canvas(), Qt::Key_W);
        QTest::keyClick(canvas(), Qt::Key_Plus);
        QVERIFY(!scene().showsAll());
        const SpanRange before = scene().view();
        QTest::keyClick(canvas(), Qt::Key_Right);
        QVERIFY(scene().view().beginNs > before.beginNs);
        QTest::keyClick(canvas(), Qt::Key_A);
        QCOMPARE(scene().view().beginNs, before.beginNs);
        QTest::mouseClick(button("ZoomIn"), Qt::LeftButton);
        QVERIFY(scene().view().lengthNs() < before.lengthNs());
        QTest::mouseClick(button("Fit"), Qt::LeftButton);
        QVERIFY(scene().showsAll());
        // The strip moves the view.
        QTest::mouseClick(button("ZoomIn"), Qt::LeftButton);
        QTest::mouseClick(button("ZoomIn"), Qt::LeftButton);
        settle();
        QTest::mouseClick(canvas(), Qt::LeftButton, {},
                          scene().overview().toRect().topRight() + QPoint(-3, 10));
        settle();
        QVERIFY(std::abs(scene().view().endNs - scene().whole().endNs) < 1000);
    }

    void theTableHasEverySpanOfTheRange() {
        show();
        QAbstractItemModel* model = m_panel->tableModel();
        const QAbstractItemModelTester tester(model);
        std::size_t spans = 0;
        for (const auto& lane : m_panel->timeline()->lanes)
            for (const auto& burst : lane->bursts) spans += burst->spans.size();
        QCOMPARE(model->rowCount(), static_cast<int>(spans));
        QCOMPARE(model->index(2, SpanColumn::kStage).data().toString(), QString("forward"));
        QCOMPARE(model->index(2, SpanColumn::kThread).data().toString(), QString("learner"));
        QCOMPARE(model->index(2, SpanColumn::kDuration).data().toString(), QString("0.6200 ms"));
        m_panel->setRange(SpanRange{0, 3'000'000});
        QVERIFY(model->rowCount() > 5 && model->rowCount() < 30);
    }

    void whatIsBeingReadIsNotSaidToBeMissing() {
        m_panel = std::make_unique<SpanPanel>(QStringLiteral("panel"));
        const auto says = [&](const char* words) {
            return std::ranges::any_of(m_panel->findChildren<QLabel*>(), [&](const QLabel* label) {
                return label->text().contains(QLatin1String(words));
            });
        };
        m_panel->setReading();
        QVERIFY(says("is being read") && !says("was not recorded"));
        m_panel->setTimeline(nullptr, {}, false);
        QVERIFY(!says("is being read") && says("was not recorded"));
    }

    void withoutGlThereIsTheTable() {
        if (ImGuiHost::isAvailable()) qputenv("ORRERY_NO_GL", "1");
        show();
        QTableView* table = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((table = m_panel->findChild<QTableView*>()) != nullptr, kPatience);
        QVERIFY(m_panel->canvas() == nullptr);
        QVERIFY(table->model()->rowCount() > 100);
        QVERIFY(m_panel->findChild<QLabel*>(QStringLiteral("profileTimelineReason"))
                    ->text()
                    .contains(QStringLiteral("OpenGL")));
        qunsetenv("ORRERY_NO_GL");
    }
};

ORRERY_WINDOW_TEST(SpanPanelTest)
#include "span_panel_test.moc"
