#include <QSignalSpy>
#include <QTest>

#include "core/dag/state_marks.h"
#include "core/grid/grid_spec.h"
#include "tests/support/test_program.h"
#include "tests/widgets/bridge/small_loaded_world.h"
#include "widgets/bridge/plan_session.h"

using namespace orrery;
using orrery::test::smallLoadedWorld;
using orrery::test::solved;

/// Another world, graph or run in place of the one shown, and a session that is frozen.
class SessionSwapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aVariantStandsInForTheRunUntilItIsTakenBack() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        const auto run = solved(loaded);
        session.attach(run, QStringLiteral("r00007"));
        session.followPolicy();
        const StateItem there = session.state();
        SolveSpec spec = run->spec();
        spec.beta_r = 1;
        const auto variant = solve(run->graphPointer(), spec);
        QSignalSpy changes(&session, &PlanSession::solutionChanged);
        session.showVariant(variant);
        QVERIFY(session.showsVariant());
        QCOMPARE(changes.size(), 1);
        QCOMPARE(session.solution(), variant);
        QCOMPARE(session.runSolution(), run);
        QCOMPARE(session.runId(), QStringLiteral("r00007"));
        QCOMPARE(session.state(), there);
        QCOMPARE(session.walk().size(), std::size_t{2});
        QCOMPARE(session.values()->v_r, variant->v_r(*session.graphState()));
        session.endVariant();
        QCOMPARE(session.solution(), run);
        QCOMPARE(session.values()->v_r, run->v_r(*session.graphState()));
        QVERIFY(!session.showsVariant());
        session.showVariant(variant);
        GridWorldSpec other;
        other.map = {"WeWeWeWe", "WeAyAeWe", "WeWeWeWe"};
        other.possibleGoals = {{1, 1, 2, 1, true}};
        LoadedWorld edited;
        edited.world = makeWorld(other);
        session.replaceWorld(edited);
        QVERIFY(!session.showsVariant() && session.isStale());
        session.replaceWorld(loaded);
        QCOMPARE(session.solution(), run);  // not the variant
    }

    /// Whatever is heard of first, all of it is of one world.
    void nobodySeesHalfOfAnotherWorld() {
        Selection selection;
        PlanSession session(&selection);
        Selection viewSelection(&selection, nullptr);
        PlanSession view(&session, &viewSelection);
        int numChecks = 0;
        const auto check = [&](const PlanSession& seen) {
            ++numChecks;
            const World& world = seen.world();
            QCOMPARE(seen.letters().size(), world.agents().size());
            const auto* state = seen.selection().current<StateItem>();
            QVERIFY(state && *state == seen.state());
            QCOMPARE(state->words.size(), world.initialConfiguration().size());
            if (const auto* goal = seen.selection().current<GoalItem>()) {
                QVERIFY(goal->human < std::ssize(world.goals()));
                QVERIFY(goal->goal < std::ssize(world.goals()[goal->human].goals));
            }
            QVERIFY(seen.profile() < world.profileCount());
            if (!seen.trial()) QVERIFY(seen.trialSuccessors().empty());
            for (const SuccessorRow& row : seen.successors())
                QCOMPARE(row.state.words.size(), state->words.size());
            QCOMPARE(seen.values().has_value(), seen.graphState().has_value());
            if (!seen.values()) return;
            QCOMPARE(seen.solution()->world().contentHash(), world.contentHash());
            QCOMPARE(seen.values()->v_h_e.size(), world.goals().size());
            for (std::size_t h = 0; h < world.goals().size(); ++h)
                QCOMPARE(seen.values()->v_h_e[h].size(), world.goals()[h].goals.size());
            QCOMPARE(seen.values()->v_r, seen.solution()->v_r(*seen.graphState()));
        };
        for (const PlanSession* seen : {&session, &view}) {
            for (const auto signal : {&PlanSession::worldChanged, &PlanSession::solutionChanged,
                                      &PlanSession::stateChanged, &PlanSession::jointActionChanged,
                                      &PlanSession::trialChanged})
                connect(seen, signal, this, [&check, seen] { check(*seen); });
            for (const auto signal : {&Selection::currentChanged, &Selection::setChanged})
                connect(&seen->selection(), signal, this, [&check, seen] { check(*seen); });
            connect(&seen->selection(), &Selection::historyChanged, this,
                    [&check, seen] { check(*seen); });
        }
        const LoadedWorld small = smallLoadedWorld();
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWe", "WeAyAyAeWe", "We......We", "WeWeWeWeWe"};
        spec.possibleGoals = {{1, 1, 3, 2, true}, {3, 1, 3, 1, false}, {2, 2, 2, 2, false}};
        spec.maxSteps = 3;
        LoadedWorld larger;
        larger.name = "larger";
        larger.world = makeWorld(spec);
        session.open(small);
        session.attach(solved(small), QStringLiteral("r00001"));
        session.setActions(std::vector{1, 2});
        session.step();
        session.setTrial(3);
        session.open(larger);
        session.attach(solved(larger), QStringLiteral("r00002"));
        session.showLevel(2);
        selection.setCurrent(GoalItem{1, 2});
        selection.goBack();
        view.setFrozen(true);
        session.replaceWorld(small);
        const PlanPin pin = view.pin();
        view.setFrozen(false);
        view.freezeAt(pin);
        session.replaceWorld(larger);  // with its solution again
        QVERIFY(session.values());
        view.setFrozen(false);
        session.setTrial(1);
        session.step();
        session.restart();
        QVERIFY(numChecks > 100);
    }

    void anotherGraphForgetsTheStatesThatWereFound() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.attach(solved(loaded), QStringLiteral("r00001"));
        const auto marks = [&] {
            return std::make_shared<const StateMarks>(session.solution()->graph());
        };
        selection.setStateMarks(marks(), QStringLiteral("step < 2"), {});
        selection.setStateMarks(marks(), QStringLiteral("step < 1"), {});
        session.showVariant(session.solution());
        QVERIFY(selection.stateMarks());
        session.attach(solved(loaded), QStringLiteral("r00002"));
        QVERIFY(!selection.stateMarks());
        while (selection.canGoBack()) {
            selection.goBack();
            QVERIFY(!selection.stateMarks());
        }
    }

    void aFrozenSessionKeepsItsStateAndShowsPicksElsewhere() {
        Selection selection;
        PlanSession session(&selection);
        Selection viewSelection(&selection, nullptr);
        PlanSession view(&session, &viewSelection);
        QSignalSpy opened(&view, &PlanSession::worldChanged);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.attach(solved(loaded), QStringLiteral("r00001"));
        QCOMPARE(opened.size(), 1);
        view.setAction(1, 1);
        view.step();  // it follows: what is done in it is done to the session
        QCOMPARE(session.state().step, 1);
        QCOMPARE(view.state(), session.state());
        QCOMPARE(view.successors().size(), session.successors().size());

        view.setFrozen(true);
        const StateItem kept = view.state();
        const double v_r = view.values()->v_r;
        QSignalSpy moved(&view, &PlanSession::stateChanged), refused(&view, &PlanSession::refused);
        session.step();
        QCOMPARE(session.state().step, 2);
        QCOMPARE(view.state(), kept);
        QCOMPARE(*viewSelection.current<StateItem>(), kept);
        QCOMPARE(moved.size(), 0);
        view.step();
        view.restart();
        QCOMPARE(refused.size(), 2);
        QCOMPARE(session.state().step, 2);
        const StateItem next = view.successors().front().state;
        view.follow(0);  // a pick: the others show it
        QCOMPARE(session.state(), next);
        QCOMPARE(view.state(), kept);
        const std::uint32_t profile = session.profile();
        view.setActions(std::vector{1, 2});  // looking at another action moves nobody else
        QCOMPARE(view.actions(), (std::vector{1, 2}));
        QCOMPARE(session.profile(), profile);

        // Another world is opened: the frozen one stays, and its picks go nowhere.
        LoadedWorld other;
        GridWorldSpec spec;
        spec.map = {"WeWeWeWe", "WeAyAeWe", "WeWeWeWe"};
        spec.possibleGoals = {{1, 1, 2, 1, true}};
        other.name = "other";
        other.world = makeWorld(spec);
        session.open(other);
        QCOMPARE(view.loaded().name, std::string("small"));
        QCOMPARE(view.values()->v_r, v_r);
        view.follow(0);
        QCOMPARE(session.state().step, 0);

        const PlanPin pin = view.pin();
        view.setFrozen(false);
        QCOMPARE(view.loaded().name, std::string("other"));
        QCOMPARE(view.state(), session.state());
        view.freezeAt(pin);
        QCOMPARE(view.loaded().name, std::string("small"));
        QCOMPARE(view.state(), kept);
        QCOMPARE(view.actions(), (std::vector{1, 2}));
        QVERIFY(!view.values());  // nobody kept the solution
    }
};

ORRERY_APPLICATION_TEST(SessionSwapTest)
#include "session_swap_test.moc"
