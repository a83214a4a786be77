#include "widgets/bridge/plan_session.h"

#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "core/dag/state_marks.h"
#include "core/world/grid_spec.h"
#include "tests/support/test_program.h"
#include "widgets/common/selection_address.h"

using namespace orrery;

namespace {

LoadedWorld smallLoadedWorld() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWe", "WeAyUn..We", "We....AeWe", "WeWeWeWeWe"};
    spec.maxSteps = 4;
    spec.possibleGoals = {{1, 1, 2, 2, true}, {3, 1, 3, 2, true}};
    LoadedWorld loaded;
    loaded.name = "small";
    loaded.title = QStringLiteral("small");
    loaded.world = makeWorld(spec);
    return loaded;
}

std::shared_ptr<const Solution> solved(const LoadedWorld& loaded) {
    SolveSpec spec;
    spec.threads = 1;
    return solve(explore(loaded.world, {}), spec);
}

}  // namespace

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
        WorldSpec spec = specOf(*before.world);
        std::get<GridWorldSpec>(spec).stumbleProbability = 0.25;
        const LoadedWorld edited = worldOfSpec("small", spec);
        session.replaceWorld(edited);
        QVERIFY(session.isStale());
        QCOMPARE(session.staleSolution(), solution);
        QVERIFY(!session.solution());
        QCOMPARE(session.state().step, 0);
        session.replaceWorld(worldOfSpec("small", specOf(*before.world)));
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

ORRERY_APPLICATION_TEST(PlanSessionTest)
#include "plan_session_test.moc"
