#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <memory>

#include "core/base/cpu.h"
#include "core/files/world_file.h"
#include "core/solve/solution.h"
#include "tests/support/small_room.h"
#include "tests/support/test_program.h"
#include "widgets/bridge/archive.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/learned/calibration_plot.h"
#include "widgets/learned/error_map.h"
#include "widgets/learned/error_table.h"
#include "widgets/learned/exact_source.h"
#include "widgets/learned/learned_desk.h"
#include "widgets/learned/learned_errors.h"
#include "widgets/learned/learned_view.h"

using namespace orrery;

namespace {

/// The window's thread may not be held up over 50 ms; the rest is for a machine with other work.
constexpr int kMostBlockedMs = 150;

}  // namespace

/// What the views of "exact against learned" show, on a small world with errors set by hand.
class LearnedErrorsTest : public QObject {
    Q_OBJECT

private:
    std::shared_ptr<LearnedErrors> m_errors;

    /// Every number is learned 0.1 too high; the states of step 2 were never visited and V_h^e of
    /// their first goal is a default.
    static std::shared_ptr<LearnedErrors> sample() {
        auto errors = std::make_shared<LearnedErrors>();
        errors->world = makeWorld(requireSpec(parseWorld(smallRoomFile(), "small.yaml")));
        errors->exact = solve(explore(errors->world, {}), {});
        const StateGraph& graph = errors->exact->graph();
        ExactError& e = errors->error;
        for (int step = 0; step < errors->world->maxSteps(); ++step)
            for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
                if (!graph.inLevel(step, c)) continue;
                const StateValues values = errors->exact->values({step, c});
                const std::uint32_t visits = step == 2 ? 0 : 1U << static_cast<unsigned>(step);
                e.byState.push_back({{step, c}, 0.1F, 0, visits > 0, visits});
                for (std::size_t g = 0; g < values.v_h_e[0].size(); ++g) {
                    e.exact.v_h_e.push_back(static_cast<float>(values.v_h_e[0][g]));
                    e.learned.v_h_e.push_back(e.exact.v_h_e.back() + 0.1F);
                    e.isSeen_v_h_e.push_back(step == 2 && g == 0 ? 0 : 1);
                }
                e.exact.x_h.push_back(static_cast<float>(values.x_h[0]));
                e.learned.x_h.push_back(e.exact.x_h.back() * 1.5F);
                e.exact.v_r.push_back(static_cast<float>(values.v_r));
                e.learned.v_r.push_back(e.exact.v_r.back() * 2);
                e.exact.u_r.push_back(static_cast<float>(values.u_r));
                e.learned.u_r.push_back(e.exact.u_r.back() * 3);
                for (const double value : values.q_r) {
                    e.exact.q_r.push_back(static_cast<float>(value));
                    e.learned.q_r.push_back(e.exact.q_r.back() * 1.25F);
                }
                for (std::size_t a = 0; a < values.pi_r.size(); ++a) {
                    e.exact.pi_r.push_back(static_cast<float>(values.pi_r[a]));
                    e.learned.pi_r.push_back(a == 0 ? 1.0F : 0.0F);
                }
                e.isSeen.push_back(step == 2 ? 0 : 1);
            }
        return errors;
    }
    /// The same states over and over, in their order.
    static std::shared_ptr<LearnedErrors> manyStates(std::size_t count) {
        auto errors = sample();
        const ExactError few = std::move(errors->error);
        const std::size_t all = few.byState.size();
        ExactError& many = errors->error = {};
        const auto copy = [all](auto& to, const auto& from, std::size_t state) {
            const std::size_t width = from.size() / all;
            const auto at = from.begin() + static_cast<std::ptrdiff_t>(state * width);
            to.insert(to.end(), at, at + static_cast<std::ptrdiff_t>(width));
        };
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t state = i * all / count;
            many.byState.push_back(few.byState[state]);
            copy(many.isSeen, few.isSeen, state);
            copy(many.isSeen_v_h_e, few.isSeen_v_h_e, state);
            for (auto numbers : {&ExactError::learned, &ExactError::exact})
                for (auto list : {&ExactError::Numbers::v_h_e, &ExactError::Numbers::x_h,
                                  &ExactError::Numbers::v_r, &ExactError::Numbers::pi_r})
                    copy(many.*numbers.*list, few.*numbers.*list, state);
        }
        return errors;
    }
    std::int64_t statesOf(int step) const {
        return std::ranges::count_if(m_errors->error.byState,
                                     [&](const auto& s) { return s.state.step == step; });
    }

private Q_SLOTS:
    void init() { m_errors = sample(); }

    void everyQuantityHasItsOwnError() {
        const LearnedPairs v_h_e = pairsOf(*m_errors, {ValueKind::V_h_e});
        QCOMPARE(v_h_e.each, std::size_t{2});
        QCOMPARE(v_h_e.names[1], QString("A, 3,1 to 3,2"));
        QVERIFY(qAbs(v_h_e.error[0] - 0.1F) < 1e-6F);
        QCOMPARE(v_h_e.numUnseen, statesOf(2));
        const LearnedPairs one = pairsOf(*m_errors, {ValueKind::V_h_e, 0, 1});
        QCOMPARE(one.each, std::size_t{1});
        QCOMPARE(one.numUnseen, 0);
        QCOMPARE(one.exact[3], m_errors->error.exact.v_h_e[7]);
        const LearnedPairs x_h = pairsOf(*m_errors, {ValueKind::X_h});
        QVERIFY(qAbs(x_h.error[0] - 0.5F) < 1e-6F);
        QVERIFY(qAbs(pairsOf(*m_errors, {ValueKind::V_r}).error[0] - 1) < 1e-6F);
        // Total variation to a policy that takes the first action: what the others have together.
        const LearnedPairs policy = pairsOf(*m_errors, {ValueKind::Pi_r});
        QCOMPARE(policy.each, robotProfiles(*m_errors->world).names.size());
        for (std::size_t s = 0; s < policy.numStates(); ++s)
            QVERIFY(qAbs(policy.error[s] - (1 - policy.exact[s * policy.each])) < 1e-5F);
        const LearnedPairs q_r = pairsOf(*m_errors, {ValueKind::Q_r});
        QCOMPARE(q_r.each, policy.each);
        QCOMPARE(q_r.names, policy.names);
        QVERIFY(qAbs(q_r.error[3] - 0.25F) < 1e-5F);
        QVERIFY(qAbs(pairsOf(*m_errors, {ValueKind::U_r}).error[0] - 2) < 1e-5F);
        QCOMPARE(learnedQuantities(*m_errors).size(), std::size_t{8});
        m_errors->error.exact.q_r.clear();
        QCOMPARE(learnedQuantities(*m_errors).size(), std::size_t{7});
    }

    void binsPartWhatWasNeverVisited() {
        const LearnedPairs pairs = pairsOf(*m_errors, {ValueKind::V_h_e});
        const std::vector<ErrorBin> levels = errorByLevel(*m_errors, pairs);
        QCOMPARE(levels.size(), std::size_t{4});
        QCOMPARE(levels[0].numVisited, 1);
        QCOMPARE(levels[2].numVisited, 0);
        QCOMPARE(levels[2].numUnvisited, statesOf(2));
        QVERIFY(qAbs(levels[1].visited - 0.1) < 1e-6);
        const std::vector<ErrorBin> visits = errorByVisits(*m_errors, pairs);
        QCOMPARE(visits.size(), std::size_t{5});  // never, 1, 2-3, 4-7, 8-15
        QCOMPARE(visits[0].numUnvisited, statesOf(2));
        QCOMPARE(visits[2].numVisited, statesOf(1));
        QCOMPARE(visits[3].numVisited, 0);
        QCOMPARE(visits[4].numVisited, statesOf(3));
        const ErrorSummary summary = summaryOf(*m_errors, pairs);
        QCOMPARE(summary.unvisited, statesOf(2));
        QVERIFY(qAbs(summary.mean - 0.1) < 1e-6 && summary.worst >= summary.mean - 1e-9);
    }

    void cellsAverageTheStatesOfTheirSteps() {
        const LearnedPairs pairs = pairsOf(*m_errors, {ValueKind::V_h_e});
        const ErrorField first = errorByCell(*m_errors, pairs, 0, {0, 0});
        QCOMPARE(std::ranges::count_if(first.states, [](auto n) { return n > 0; }), 1);
        QCOMPARE(first.states[static_cast<std::size_t>(
                     m_errors->world->cellOf(m_errors->world->initialConfiguration(), 0))],
                 1);
        const ErrorField all = errorByCell(*m_errors, pairs, 0, {0, 3});
        std::int64_t sum = 0;
        for (const std::int64_t count : all.states) sum += count;
        QCOMPARE(sum, static_cast<std::int64_t>(m_errors->numStates()));
    }

    void manyPairsAreDrawnAtOnce() {
        // 20 000 states of ten pairs each, all of them along the diagonal.
        auto pairs = std::make_shared<LearnedPairs>();
        pairs->each = 10;
        pairs->names.resize(10);
        pairs->error.assign(20'000, 0.05F);
        for (int i = 0; i < 200'000; ++i) {
            const float exact = static_cast<float>(i % 1000) / 1000;
            pairs->exact.push_back(exact);
            pairs->learned.push_back(exact + static_cast<float>(i % 7 - 3) / 100);
            pairs->isSeen.push_back(1);
        }
        auto shown = std::make_shared<ShownErrors>();
        shown->errors = m_errors;
        shown->pairs = pairs;
        double begin = threadCpuMs();
        shown->calibration = calibrationOf(*pairs);
        const double binned = threadCpuMs() - begin;
        CalibrationPlot plot;
        plot.resize(500, 500);
        begin = threadCpuMs();
        plot.show(shown);
        const QPixmap picture = plot.grab();
        const double drawn = threadCpuMs() - begin;
        QVERIFY(!picture.isNull());
        QCOMPARE(plot.spotFacts().value(u"pairs").toInt(), 200'000);
        qInfo("200,000 pairs: %.1f ms of CPU to bin them, %.1f ms to draw them", binned, drawn);
        QVERIFY2(drawn < kMostBlockedMs, "a change of the quantity must not be felt");
        // The point of a pair is where the pointer finds its state.
        QSignalSpy picked(&plot, &CalibrationPlot::picked);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pointOf(500).toPoint());
        QCOMPARE(picked.size(), 1);
    }

    void aMillionPairsAreShownWithoutHoldingUpTheWindow() {
        const std::shared_ptr<const LearnedErrors> many = manyStates(500'000);
        BackgroundWorker worker;
        Archive archive(&worker);
        LearnedDesk desk(&archive);
        Selection selection;
        PlanSession session(&selection);
        LearnedView view(&desk, &session);
        view.resize(1200, 800);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view, kPatience));
        // What holds the window up costs its thread CPU time, unless it waits for another thread:
        // that shows in the time that passes, which on a busy machine is several times as long.
        QElapsedTimer sinceTick;
        double atTick = threadCpuMs();
        double longest = 0;
        qint64 longestGap = 0;
        QTimer ticking;
        connect(&ticking, &QTimer::timeout, this, [&] {
            longestGap = std::max(longestGap, sinceTick.restart());
            longest = std::max(longest, threadCpuMs() - atTick);
            atTick = threadCpuMs();
        });
        sinceTick.start();
        ticking.start(5);
        view.showErrors(many);
        QVERIFY(view.pairs() == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(view.pairs() != nullptr, kPatience);
        QCOMPARE(view.pairs()->exact.size(), std::size_t{1'000'000});
        // What is picked meanwhile is shown once it is there, the last pick alone.
        const auto first = view.pairs();
        auto* quantity = view.findChild<QComboBox*>(QStringLiteral("learnedQuantity"));
        for (int i = 0; i < 3; ++i) QTest::keyClick(quantity, Qt::Key_Down);
        QCOMPARE(view.pairs(), first);
        QTRY_VERIFY_WITH_TIMEOUT(view.pairs() != first, kPatience);
        QCOMPARE(view.pairs()->quantity.kind, ValueKind::V_r);
        QCOMPARE(view.tableModel()->rowCount(), 500'000);
        // And a range of steps of the map.
        auto* map = view.findChild<ErrorMap*>();
        const auto cells = [map] { return map->namedSpots().size(); };
        QTRY_VERIFY_WITH_TIMEOUT(cells() > 1, kPatience);
        view.findChild<QSpinBox*>(QStringLiteral("errorMapTo"))->setValue(0);
        QTRY_COMPARE_WITH_TIMEOUT(cells(), std::size_t{1}, kPatience);
        qInfo("the window's thread was held up for at most %.0f ms of CPU, %lld ms in all", longest,
              longestGap);
        QVERIFY2(longest < kMostBlockedMs, qPrintable(QString::number(longest)));
        QVERIFY2(longestGap < 10LL * kMostBlockedMs, qPrintable(QString::number(longestGap)));
    }

    void aWorldThatDoesNotFitIsNotOfferedToBeSolved() {
        const SolveOffer small = solveOffer(m_errors->world, {});
        QVERIFY(small.fits);
        QVERIFY2(small.text.contains("It has about"), qPrintable(small.text));
        const auto large = makeWorld(requireSpec(parseWorld(smallRoomFile(200'000), "long.yaml")));
        const SolveOffer offer = solveOffer(large, {});
        QVERIFY(!offer.fits);
        QVERIFY2(offer.text.contains("too large"), qPrintable(offer.text));
        QVERIFY(!offer.text.contains('\n'));
    }

    void theTableShowsNoDefaultAsANumber() {
        m_errors->error.learned.v_h_e[2] += 0.5F;  // the second state, first goal
        ErrorTable table(100);
        const QAbstractItemModelTester tester(&table);
        table.show(shownErrors(m_errors, {ValueKind::V_h_e, 0, 0}));
        QCOMPARE(table.rowCount(),
                 static_cast<int>(std::min<std::size_t>(100, m_errors->numStates())));
        QCOMPARE(table.stateAt(0), 1);
        QCOMPARE(table.index(0, ErrorTable::kError).data().toString(), QString("0.6000"));
        int unseen = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            const bool isDefault = table.index(row, ErrorTable::kStep).data() == QString("2");
            const QString learned = table.index(row, ErrorTable::kLearned).data().toString();
            QCOMPARE(learned == QLatin1String("unseen"), isDefault);
            unseen += isDefault ? 1 : 0;
        }
        QVERIFY(unseen > 0);
        QCOMPARE(m_errors->indexOf(m_errors->error.byState[5].state), 5);
        QCOMPARE(m_errors->indexOf({99, 0}), -1);
    }
};

ORRERY_WINDOW_TEST(LearnedErrorsTest)
#include "learned_errors_test.moc"
