#include "widgets/bridge/plan_session.h"

#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "core/grid/grid_spec.h"
#include "tests/support/test_program.h"
#include "tests/widgets/bridge/small_loaded_world.h"
#include "widgets/common/selection_address.h"

using namespace orrery;
using orrery::test::smallLoadedWorld;
using orrery::test::solved;

/// The walk of a session through its world, its values and addresses.
class PlanSessionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorldOpensInItsInitialState() {
        Selection selection;
        PlanSession session(&selection);
        QVERIFY(!session.isOpen());
        session.open(smallLoadedWorld());
        QCOMPARE(session.state().step, 0);
        QCOMPARE(session.state().words, session.world().initialConfiguration());
        QCOMPARE(*selection.current<StateItem>(), session.state());
        QCOMPARE(selection.current<GoalItem>()->goal, 0);
        QVERIFY(!session.values());
    }

    void successorsAreTheWorldsOutcomes() {
        Selection selection;
        PlanSession session(&selection);
        session.open(smallLoadedWorld());
        session.setAction(0, 3);
        const auto outcomes = session.world().outcomes(session.state().words, 0, session.profile());
        QCOMPARE(session.successors().size(), outcomes.size());
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            QCOMPARE(session.successors()[i].probability, outcomes[i].probability);
            QCOMPARE(session.successors()[i].state.words, outcomes[i].successor);
            QVERIFY(!session.successors()[i].v_r);
        }
        QCOMPARE(session.successors().front().text, QStringLiteral("A moves east"));
    }

    void steppingGrowsTheWalkAndBackKeepsIt() {
        Selection selection;
        PlanSession session(&selection);
        session.open(smallLoadedWorld());
        session.setAction(1, 1);
        session.step();
        session.step();
        QCOMPARE(session.walk().size(), std::size_t{3});
        QCOMPARE(session.state().step, 2);
        session.stepBack();
        QCOMPARE(session.state().step, 1);
        QCOMPARE(session.walk().size(), std::size_t{3});
        session.setAction(1, 2);
        session.step();  // another way: what came after is cut
        QCOMPARE(session.walk().size(), std::size_t{3});
        session.restart();
        QCOMPARE(session.walk().size(), std::size_t{1});
        QCOMPARE(session.state().step, 0);
    }

    void atTheEndNothingFollows() {
        Selection selection;
        PlanSession session(&selection);
        session.open(smallLoadedWorld());
        for (int i = 0; i < 10; ++i) session.step();
        QVERIFY(session.isTerminal());
        QCOMPARE(session.state().step, 4);
        QVERIFY(session.successors().empty());
    }

    void aSolutionGivesTheCurrentStateItsValues() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.step();
        const auto solution = solved(loaded);
        QSignalSpy spy(&session, &PlanSession::solutionChanged);
        session.attach(solution, QStringLiteral("r00001"));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(selection.current<RunItem>()->id, QStringLiteral("r00001"));
        QVERIFY(session.graphState().has_value());
        QCOMPARE(session.values()->v_r, solution->v_r(*session.graphState()));
        for (const SuccessorRow& row : session.successors()) {
            QVERIFY(row.state.index >= 0);
            QCOMPARE(*row.v_r,
                     solution->v_r({row.state.step, static_cast<ConfigIndex>(row.state.index)}));
        }
    }

    void aTrialLeavesNoTrace() {
        Selection selection;
        PlanSession session(&selection);
        session.open(smallLoadedWorld());
        const std::uint32_t profile = session.profile();
        session.setTrial(session.world().profileIndex(std::vector{3, 0}));
        QCOMPARE(session.trialSuccessors().front().text, QStringLiteral("A moves east"));
        QCOMPARE(session.profile(), profile);
        QCOMPARE(session.successors().front().text, QStringLiteral("Nothing changes").toLower());
        session.step();
        QVERIFY(!session.trial());
        QVERIFY(session.trialSuccessors().empty());
    }

    void anEditPutsTheSolutionAsideAndBackAgain() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld before = smallLoadedWorld();
        session.open(before);
        session.attach(solved(before), QStringLiteral("r00001"));
        const auto solution = session.solution();
        session.setAction(1, 1);
        session.step();
        const StateItem state = session.state();
        WorldSpec spec = before.world->fileSpec();
        spec.as<GridWorldSpec>()->stumbleProbability = 0.25;
        const LoadedWorld edited = worldOfSpec("small", spec);
        session.replaceWorld(edited);
        QVERIFY(session.isStale());
        QCOMPARE(session.staleSolution(), solution);
        QVERIFY(!session.solution());
        QCOMPARE(session.state().step, 0);
        session.replaceWorld(worldOfSpec("small", before.world->fileSpec()));
        QVERIFY(!session.isStale());
        QCOMPARE(session.solution(), solution);
        QCOMPARE(session.state(), state);
        QCOMPARE(selection.current<RunItem>()->id, QStringLiteral("r00001"));
        session.replaceWorld(edited);
        session.attach(solved(edited), QStringLiteral("r00002"));
        QVERIFY(!session.isStale());
        QVERIFY(!session.staleSolution());
    }

    void agentsThatAreDrivenKeepTheirActions() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.setActions(std::vector{2, 3});
        QCOMPARE(session.drawnActions({true, true}), (std::vector{2, 3}));
        QCOMPARE(session.drawnActions({true, false}), (std::vector{2, 0}));  // unsolved: it rests
        session.attach(solved(loaded), QStringLiteral("r00001"));
        std::vector<int> counts(4);
        for (int i = 0; i < 4000; ++i) {
            const std::vector<int> drawn = session.drawnActions({true, false});
            QCOMPARE(drawn[0], 2);
            ++counts[static_cast<std::size_t>(drawn[1])];
        }
        // Four standard deviations of a frequency in 4000 draws are 0.032 at most.
        for (std::size_t a = 0; a < 4; ++a)
            QVERIFY(std::abs(counts[a] / 4000.0 - session.values()->pi_r[a]) < 0.032);
    }

    void backInTheSelectionShowsTheFormerState() {
        Selection selection;
        PlanSession session(&selection);
        session.open(smallLoadedWorld());
        session.setAction(0, 2);
        session.step();
        const StateItem first = session.state();
        session.step();
        QSignalSpy spy(&session, &PlanSession::stateChanged);
        selection.goBack();
        QCOMPARE(session.state(), first);
        QCOMPARE(session.walkIndex(), std::size_t{1});
        QCOMPARE(spy.count(), 1);
        selection.goForward();
        QCOMPARE(session.state().step, 2);
    }

    void policyStepsUseOnlyActionsOfPositiveProbability() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.attach(solved(loaded), {});
        while (!session.isTerminal()) {
            const StateValues before = *session.values();
            session.followPolicy();
            const std::vector<int> actions =
                session.world().profileActions(session.walk()[session.walkIndex()].profile);
            QVERIFY(before.marginal[0][static_cast<std::size_t>(actions[0])] > 0);
            QVERIFY(before.pi_r[static_cast<std::size_t>(actions[1])] > 0);
        }
        QCOMPARE(session.walk().size(), std::size_t{5});
    }

    void aLevelShowsItsFirstState() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.attach(solved(loaded), {});
        session.showLevel(3);
        QCOMPARE(session.state().step, 3);
        QCOMPARE(static_cast<ConfigIndex>(session.state().index),
                 session.solution()->graph().levelMember(3, 0));
        QCOMPARE(selection.current<LevelItem>()->step, 3);
        session.showLevel(99);
        QCOMPARE(session.state().step, 3);
    }

    void addressesLeadBackToTheirState() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.attach(solved(loaded), QStringLiteral("r00007"));
        session.showLevel(2);
        const StateItem there = session.state();
        const QString address = selection.address();
        QCOMPARE(address, QStringLiteral("orrery:run/r00007/t2/s%1/goal/0.0").arg(there.index));
        session.restart();
        QVERIFY(session.goTo(*parseAddress(address)));
        QCOMPARE(session.state(), there);
        QVERIFY(!session.goTo(*parseAddress(QStringLiteral("orrery:t2/s99999999"))));
        QVERIFY(!session.goTo(*parseAddress(QStringLiteral("orrery:t2/kffffffff"))));
        QCOMPARE(session.state(), there);
    }

    void addressesOfEverythingElseAreFollowedToo() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        session.attach(solved(loaded), QStringLiteral("r00007"));
        const auto goesTo = [&](const char* text) {
            return session.goTo(*parseAddress(QString::fromLatin1(text)));
        };
        QVERIFY(goesTo("orrery:t3/action/5/agent/1/goal/0.1/cell/2.1"));
        QCOMPARE(session.state().step, 3);
        QCOMPARE(session.profile(), 5u);
        QCOMPARE(selection.current<GoalItem>()->goal, 1);
        QCOMPARE(selection.current<AgentItem>()->agent, 1);
        QCOMPARE(*selection.current<CellItem>(), (CellItem{2, 1}));
        const QString there = selection.address();
        for (const char* text :
             {"orrery:action/99", "orrery:agent/2", "orrery:goal/0.2", "orrery:goal/1.0",
              "orrery:cell/5.0", "orrery:t5", "orrery:level/9", "orrery:states/t1.s99999",
              "orrery:human/1", "orrery:t1/goal/0.7"})
            QVERIFY2(!goesTo(text), text);
        QCOMPARE(selection.address(), there);  // nothing was changed by those
        QVERIFY(goesTo("orrery:levels/1,2/cells/1.1,2.1/states/t0.s0"));
        QCOMPARE(selection.set(SelectionKind::Level).size(), std::size_t{2});
        QCOMPARE(selection.set(SelectionKind::Cell).size(), std::size_t{2});
        const auto& states = selection.set(SelectionKind::State);
        QCOMPARE(std::get<StateItem>(states.at(0)).words, loaded.world->initialConfiguration());
        QCOMPARE(session.state().step, 3);
    }

    void inAnUnrolledGraphAStateIsThatOfItsStep() {
        Selection selection;
        PlanSession session(&selection);
        const LoadedWorld loaded = smallLoadedWorld();
        session.open(loaded);
        SolveSpec spec;
        spec.threads = 1;
        const auto graph = explore(loaded.world, {.unrolled = true});
        QVERIFY(!graph->isFolded());
        const auto solution = solve(graph, spec);
        session.attach(solution, QStringLiteral("r00001"));
        session.setActions(std::vector{0, 0});  // both stay: the same configuration again
        std::vector<std::int64_t> indices;
        for (int step = 0; step <= 2; ++step) {
            QCOMPARE(session.state().step, step);
            QCOMPARE(session.state().words, loaded.world->initialConfiguration());
            const auto config = static_cast<ConfigIndex>(session.state().index);
            QVERIFY(graph->inLevel(step, config));
            QCOMPARE(session.values()->v_r, solution->v_r({step, config}));
            indices.push_back(session.state().index);
            session.step();
        }
        QVERIFY(indices[0] < indices[1] && indices[1] < indices[2]);
    }
};

ORRERY_APPLICATION_TEST(PlanSessionTest)
#include "plan_session_test.moc"
