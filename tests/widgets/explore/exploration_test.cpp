#include "widgets/explore/exploration.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include "core/grid/grid_spec.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"
#include "widgets/bridge/background_worker.h"
#include "widgets/bridge/plan_session.h"
#include "widgets/explore/exploration_bar.h"

using namespace orrery;

namespace {

/// A session with a solved world, and what explores it.
struct Desk {
    explicit Desk(int maxSteps = 6) {
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWe", "WeAyUn..We", "We....AeWe", "We......We", "WeWeWeWeWe"};
        spec.maxSteps = maxSteps;
        spec.possibleGoals = {{1, 1, 2, 3, true}, {3, 1, 3, 3, true}};
        LoadedWorld loaded;
        loaded.name = "small";
        loaded.world = makeWorld(spec);
        session.open(loaded);
        run = solve(explore(loaded.world, {}), SolveSpec{});
        session.attach(run, {});
    }
    SolveSpec spec() const { return run->spec(); }
    /// Waits until the end of each solve, of those that were cancelled too, has been seen here.
    bool hasNoJobLeft() const {
        const auto* worker = exploration.findChild<BackgroundWorker*>();
        return becomesQuiet([worker] { return worker->numOpenJobs() == 0; });
    }

    Selection selection;
    PlanSession session{&selection};
    Exploration exploration{&session};
    std::shared_ptr<const Solution> run;
};

}  // namespace

class ExplorationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutASolutionThereIsNothingToExplore() {
        Selection selection;
        PlanSession session(&selection);
        Exploration exploration(&session);
        SolveSpec spec;
        spec.beta_r = 3;
        exploration.setWanted(spec);
        QVERIFY(!exploration.canExplore() && !exploration.isExploring());
        QVERIFY(!exploration.isWorking());
    }

    void theNewestWishWins() {
        Desk desk;
        QSignalSpy shown(&desk.exploration, &Exploration::shown);
        SolveSpec spec = desk.spec();
        for (int k = 1; k <= 200; ++k) {
            spec.beta_r = 10 + 0.1 * k;
            if (k % 3 == 0) spec.beta_h = 5 + k;
            desk.exploration.setWanted(spec);
            if (k % 20 == 0) finishEvents();
        }
        QTRY_VERIFY_WITH_TIMEOUT(desk.session.solution()->spec() == spec, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.exploration.isWorking(), kPatience);
        QVERIFY(shown.size() >= 1 && shown.size() < 200);
        QVERIFY(desk.exploration.lastSeconds() > 0);
        QCOMPARE(desk.session.solution()->v_r(State{}),
                 solve(desk.run->graphPointer(), spec)->v_r(State{}));
        QVERIFY(desk.exploration.isExploring());
    }

    void onlyTheHumansParametersCostBothPhases() {
        Desk desk;
        SolveSpec spec = desk.spec();
        const auto wish = [&](auto change) {
            change();
            QSignalSpy shown(&desk.exploration, &Exploration::shown);
            desk.exploration.setWanted(spec);
            return shown.wait(kPatience);
        };
        desk.exploration.warmUp();
        QTRY_VERIFY_WITH_TIMEOUT(!desk.exploration.isWorking(), kPatience);
        QCOMPARE(desk.session.solution(), desk.run);
        QVERIFY(wish([&] { spec.zeta = 3; }));
        QVERIFY(desk.exploration.lastWasPhase2());
        QVERIFY(wish([&] { spec.beta_h = 3; }));
        QVERIFY(!desk.exploration.lastWasPhase2());
        QVERIFY(wish([&] { spec.gamma_r = 0.9; }));
        QVERIFY(desk.exploration.lastWasPhase2());
    }

    void theWayBackShowsTheRunAtOnce() {
        Desk desk;
        SolveSpec spec = desk.spec();
        spec.xi = 3;
        QSignalSpy shown(&desk.exploration, &Exploration::shown);
        desk.exploration.setWanted(spec);
        QVERIFY(shown.wait(kPatience));
        spec.xi = 4;
        desk.exploration.setWanted(spec);
        desk.exploration.backToRun();
        QCOMPARE(desk.session.solution(), desk.run);
        QVERIFY(!desk.exploration.isExploring() && !desk.exploration.isWorking());
        QVERIFY(desk.hasNoJobLeft());
        QCOMPARE(desk.session.solution(), desk.run);
    }

    void aSolveThatFailsIsToldAndChangesNothing() {
        Desk desk;
        QSignalSpy failed(&desk.exploration, &Exploration::failed);
        SolveSpec spec = desk.spec();
        spec.zeta = 3;
        spec.memoryBudget = 1;
        desk.exploration.setWanted(spec);
        QVERIFY(failed.wait(kPatience));
        QVERIFY2(failed[0][0].toString().contains(QStringLiteral("do not fit")),
                 qPrintable(failed[0][0].toString()));
        QCOMPARE(desk.session.solution(), desk.run);
        spec.memoryBudget = 0;
        QSignalSpy shown(&desk.exploration, &Exploration::shown);
        desk.exploration.setWanted(spec);
        QVERIFY(shown.wait(kPatience));
        QCOMPARE(desk.session.solution()->spec(), spec);
    }

    void aCancelledSolveLeavesWhatIsShown() {
        Desk desk(60);
        SolveSpec spec = desk.spec();
        spec.beta_r = 3;
        desk.exploration.setWanted(spec);
        QVERIFY(desk.exploration.isWorking());
        desk.exploration.cancel();
        QVERIFY(!desk.exploration.isWorking());
        QCOMPARE(desk.exploration.wanted(), desk.spec());
        QVERIFY(desk.hasNoJobLeft());
        QCOMPARE(desk.session.solution(), desk.run);
    }

    void theBarSaysAllThatDiffersInANarrowWindow() {
        Desk desk;
        QWidget window;
        QVBoxLayout column(&window);
        auto* bar = new ExplorationBar(&desk.exploration, false);
        column.addWidget(bar);
        column.addStretch(1);
        SolveSpec spec = desk.spec();
        spec.beta_h = 25.2;
        spec.beta_r = 12.5;
        spec.zeta = 2.5;
        spec.xi = 1.25;
        spec.eta = 1.5;
        desk.exploration.setWanted(spec);
        window.resize(420, 300);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const auto* text = bar->findChild<QLabel*>();
        QVERIFY(text->isVisible() && text->text().contains(QStringLiteral("1.25")));
        QVERIFY(text->height() >= text->heightForWidth(text->width()));
        QVERIFY(text->wordWrap());
        QVERIFY(desk.hasNoJobLeft());
    }
};

ORRERY_WINDOW_TEST(ExplorationTest)
#include "exploration_test.moc"
