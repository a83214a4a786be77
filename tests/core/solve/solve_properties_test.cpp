#include <QCoreApplication>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>
#include <cmath>
#include <iostream>
#include <map>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/bush/bush_world.h"
#include "core/grid/grid_world.h"
#include "core/solve/solution.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/core/solve/solve_checks.h"
#include "tests/support/test_worlds.h"

using namespace orrery;
using test::sampleSpec;
using test::tableWorld;
using test::withThreads;

namespace {

using Answer = std::shared_ptr<const Solution>;

/// A grid world of the given rows with a human and goals, mirrored left to right on request.
std::shared_ptr<const World> gridWorld(std::vector<std::string> rows, std::vector<int> orientations,
                                       std::vector<Goal> goals, int maxSteps,
                                       bool mirrored = false) {
    const int width = static_cast<int>(rows.front().size() / 2);
    if (mirrored) {
        for (std::string& row : rows) {
            std::string turned;
            for (int x = width - 1; x >= 0; --x) turned += row.substr(std::size_t{2} * x, 2);
            row = turned;
        }
        for (int& direction : orientations)
            if (direction % 2 == 0) direction = 2 - direction;
        for (Goal& goal : goals)
            goal = {width - 1 - goal.x2, goal.y1, width - 1 - goal.x1, goal.y2, goal.isRectangle};
    }
    GridWorldSpec spec;
    spec.map = std::move(rows);
    spec.orientations = std::move(orientations);
    spec.possibleGoals = std::move(goals);
    spec.maxSteps = maxSteps;
    return std::make_shared<GridWorld>(spec);
}

/// One number over every bit of the values, for comparing processes.
std::string fingerprint() {
    Sha256 hash;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const auto& worlds = test::sampleWorlds();
        const auto world = worlds[worlds.size() - seed].world;
        const auto graph = explore(world, {.threads = 1});
        const auto solution = solve(graph, withThreads(sampleSpec(seed), 1));
        for (int step = 0; step < graph->numLevels(); ++step)
            for (std::int64_t k = 0; k < graph->levelSize(step); ++k) {
                const StateValues values = solution->values({step, graph->levelMember(step, k)});
                const auto add = [&hash](const std::vector<double>& list) {
                    hash.update(std::as_bytes(std::span(list)));
                };
                add({values.v_r, values.u_r});
                add(values.q_r);
                add(values.pi_r);
                add(values.x_h);
                for (const auto& list : values.v_h) add(list);
                for (const auto& list : values.v_h_e) add(list);
                for (const auto& list : values.marginal) add(list);
            }
    }
    return hash.finishHex();
}

}  // namespace

class SolvePropertiesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNumberOfThreadsChangesNoBit_data() { listWorlds(); }
    void theNumberOfThreadsChangesNoBit() {
        if (world()->humans().empty()) return checkNoHuman();
        const auto graph = explore(world(), {.threads = 2});
        const SolveSpec spec = sampleSpec(index());
        const Answer one = solve(graph, withThreads(spec, 1));
        for (const int threads : {2, 5})
            VERIFY_NONE(test::bitDifferences(*one, *solve(graph, withThreads(spec, threads))));
    }

    void theUnrolledGraphHasTheSameValues_data() { listWorlds(); }
    void theUnrolledGraphHasTheSameValues() {
        if (world()->humans().empty()) return checkNoHuman();
        const auto folded = explore(world(), {.threads = 2});
        const auto unrolled = explore(world(), {.threads = 2, .unrolled = true});
        const SolveSpec spec = sampleSpec(index());
        const Answer a = solve(folded, spec);
        const Answer b = solve(unrolled, spec);
        for (int step = 0; step < folded->numLevels(); ++step)
            for (ConfigIndex c = 0; c < folded->levelEnd(step); ++c) {
                if (!folded->inLevel(step, c)) continue;
                const auto other = unrolled->find(folded->configuration(c), step);
                QVERIFY(other.has_value());
                QVERIFY(unrolled->inLevel(step, *other));
                QCOMPARE(a->v_r({step, c}), b->v_r({step, *other}));
                VERIFY_NONE(test::differences(a->values({step, c}), b->values({step, *other})));
            }
    }

    void valuesKeepTheirRanges_data() { listWorlds(); }
    void valuesKeepTheirRanges() {
        if (world()->humans().empty()) return checkNoHuman();
        const auto graph = explore(world(), {.threads = 2});
        const SolveSpec spec = sampleSpec(index() + 100);
        const Answer solution = solve(graph, spec);
        for (int step = 0; step < graph->numLevels(); ++step)
            for (std::int64_t k = 0; k < graph->levelSize(step); k += 7)
                checkRanges(solution->values({step, graph->levelMember(step, k)}));
    }

    void aMirroredGridWorldHasTheSameValues() {
        const std::vector<std::string> rows = {"WeWeWeWeWe", "We..Ay..We", "WeRo..BlWe",
                                               "WeAe..UnWe", "WeWeWeWeWe"};
        const std::vector<Goal> goals = {
            {1, 1, 3, 3, true}, {1, 1, 1, 1, false}, {3, 2, 3, 3, true}};
        const SolveSpec spec = sampleSpec(3);
        const auto plain = explore(gridWorld(rows, {0, 3}, goals, 4), {.threads = 2});
        const auto turned = explore(gridWorld(rows, {0, 3}, goals, 4, true), {.threads = 2});
        QCOMPARE(plain->counts().states, turned->counts().states);
        QVERIFY(plain->counts().states > 500);
        const Answer a = solve(plain, spec);
        const Answer b = solve(turned, spec);
        const StateValues left = a->values({0, 0});
        StateValues right = b->values({0, 0});
        for (auto& byGoal : right.pi_h[0]) std::swap(byGoal[1], byGoal[2]);  // left and right
        std::swap(right.marginal[0][1], right.marginal[0][2]);
        std::swap(right.q_r[1], right.q_r[2]);
        std::swap(right.pi_r[1], right.pi_r[2]);
        VERIFY_NONE(test::differences(left, right));
        const auto sums = a->checksums(1);
        const auto mirrored = b->checksums(2);
        for (const auto& [x, y] :
             {std::pair{sums.sum_v_r, mirrored.sum_v_r}, std::pair{sums.min_v_r, mirrored.min_v_r},
              std::pair{sums.sum_v_h_e, mirrored.sum_v_h_e},
              std::pair{sums.sumPhase1, mirrored.sumPhase1}, std::pair{sums.v_r_root, left.v_r}})
            QVERIFY2(std::abs(x - y) <= 1e-9 * std::abs(x),
                     qPrintable(QString("%1 %2").arg(x).arg(y)));
    }

    void humansInMirrorPlacesAreEquals() {
        // The robot in the middle column looks south; the humans look at each other.
        const auto graph = explore(
            gridWorld(
                {"WeWeWeWeWeWeWe", "WeAy..Ae..AyWe", "We....Ro....We", "We..........We",
                 "WeWeWeWeWeWeWe"},
                {0, 1, 2},
                {{1, 1, 5, 3, true}, {2, 1, 2, 1, false}, {4, 1, 4, 1, false}, {3, 2, 3, 2, false}},
                3),
            {.threads = 2});
        const StateValues values = solve(graph, sampleSpec(5))->values({0, 0});
        const int mirrorGoal[] = {0, 2, 1, 3};
        const int mirrorAction[] = {0, 2, 1, 3};
        QVERIFY(test::isClose(values.x_h[0], values.x_h[1]));
        QVERIFY(values.v_h[0][1] > 0);
        for (int g = 0; g < 4; ++g) {
            QVERIFY(test::isClose(values.v_h[0][g], values.v_h[1][mirrorGoal[g]]));
            QVERIFY(test::isClose(values.v_h_e[0][g], values.v_h_e[1][mirrorGoal[g]]));
            for (int action = 0; action < 4; ++action)
                QVERIFY(test::isClose(values.pi_h[0][g][action],
                                      values.pi_h[1][mirrorGoal[g]][mirrorAction[action]]));
        }
        QVERIFY(test::isClose(values.q_r[1], values.q_r[2]));
        QVERIFY(test::isClose(values.pi_r[1], values.pi_r[2]));
        QVERIFY(!test::isClose(values.pi_r[0], values.pi_r[3]));
    }

    void theOrderOfGoalsChangesNothingElse() {
        const auto world = std::dynamic_pointer_cast<const TableWorld>(tableWorld(12, 4));
        TableWorldSpec turned = world->spec();
        for (HumanGoals& own : turned.goals) {
            std::ranges::reverse(own.goals);
            std::ranges::reverse(own.weights);
        }
        const SolveSpec spec = sampleSpec(9);
        const StateValues a = solve(explore(world, {.threads = 1}), spec)->values({0, 0});
        StateValues b = solve(explore(std::make_shared<TableWorld>(turned), {.threads = 1}), spec)
                            ->values({0, 0});
        for (int h = 0; h < 2; ++h) {
            std::ranges::reverse(b.v_h[h]);
            std::ranges::reverse(b.v_h_e[h]);
            std::ranges::reverse(b.pi_h[h]);
        }
        VERIFY_NONE(test::differences(a, b));
    }

    void everyInstructionSetGivesTheSameBits() {
        for (const char* level : {"baseline", "avx2", "avx512"}) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("ORRERY_CPU", level);
            process.setProcessEnvironment(environment);
            process.start(QCoreApplication::applicationFilePath(), {"--fingerprint"});
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitCode(), 0);
            QCOMPARE(process.readAllStandardOutput().trimmed(),
                     QByteArray::fromStdString(fingerprint()));
        }
    }

    void aHumanWithoutAGoalInReachStopsTheSolve() {
        BushWorldSpec spec;
        spec.map = {{"Hu", "0", "0", "Ro"}};
        spec.maxSteps = 2;
        spec.possibleGoals = {{3, 0, 3, 0, false}};
        const auto graph = explore(std::make_shared<BushWorld>(spec), {.threads = 1});
        try {
            solve(graph, {});
            QFAIL("X_h = 0 was accepted");
        } catch (const Error& e) {
            const QByteArray text = e.what();
            QCOMPARE(e.kind(), Error::Kind::Failed);
            QVERIFY2(text.contains("human0") && text.contains("(3,0)") && text.contains("step 1") &&
                         text.contains("robot0") && text.contains("x_h_floor"),
                     text);
        }
        SolveSpec floored;
        floored.x_h_floor = 0.25;
        floored.gamma_r = 1.0;
        floored.eta = 1.0;
        const Answer solution = solve(graph, floored);
        const StateValues values = solution->values({1, 0});
        QCOMPARE(values.x_h[0], 0.25);
        QVERIFY(test::isClose(values.u_r, -4.0));
        QVERIFY(test::isClose(values.v_r, -4.0 - 1e-10));
        SolveSpec first;
        first.phase1Only = true;
        QVERIFY(solve(graph, first) != nullptr);
    }

    void aRuleForEveryHumanReadsItsOwnActionByName() {
        // Both humans have an action "go", but not with the same index.
        Rng rng(17);
        RandomTableShape shape;
        shape.humans = 2;
        TableWorldSpec table = randomTableWorld(shape, rng);
        std::vector<int> humans;
        for (int i = 0; i < 3; ++i)
            if (table.agents[i].role == AgentRole::Human) humans.push_back(i);
        table.agents[humans[0]].actions = {"go", "stay"};
        table.agents[humans[1]].actions = {"stay", "go"};
        const auto graph = explore(std::make_shared<TableWorld>(table), {.threads = 1});
        SolveSpec both;
        BelievedOthersRule rule;
        rule.ownAction = "go";
        for (const int human : humans)
            rule.agents.push_back({table.agents[human].name, {0.9, 0.1}});
        both.believedOthers = {rule};
        SolveSpec single = both;
        single.believedOthers = {rule, rule};
        single.believedOthers[0].human = table.agents[humans[0]].name;
        single.believedOthers[1].human = table.agents[humans[1]].name;
        VERIFY_NONE(test::bitDifferences(*solve(graph, both), *solve(graph, single)));
    }

    void aStateThatIsNotReachableIsRefused() {
        const auto graph = explore(tableWorld(50, 2), {.threads = 1});
        const Answer solution = solve(graph, sampleSpec(18));
        QVERIFY_THROWS_EXCEPTION(Error, solution->values({0, 1}));
        QVERIFY_THROWS_EXCEPTION(Error, solution->values({3, 0}));
        QVERIFY_THROWS_EXCEPTION(Error, solution->values({-1, 0}));
        QVERIFY_THROWS_EXCEPTION(Error, solution->values({0, 1'000'000}));
    }

    void rolloutsFollowThePoliciesAndRepeat() {
        const auto graph = explore(tableWorld(40, 6), {.threads = 1});
        const Answer solution = solve(graph, sampleSpec(19));
        const std::vector<int> fixed = {2, -1};
        bool anyDifferent = false;
        std::vector<RolloutStep> first;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Rng one(seed), again(seed);
            const auto steps = solution->rollout({0, 0}, fixed, one);
            const auto repeated = solution->rollout({0, 0}, fixed, again);
            QCOMPARE(steps.size(), std::size_t{7});
            for (std::size_t i = 0; i < steps.size(); ++i) {
                QCOMPARE(steps[i].state, repeated[i].state);
                QCOMPARE(steps[i].profile, repeated[i].profile);
                QCOMPARE(steps[i].goals, steps[0].goals);
                QCOMPARE(steps[i].goals[0], 2);
                QVERIFY(steps[i].goals[1] >= 0 && steps[i].goals[1] < 5);
                if (i + 1 < steps.size()) checkTaken(*solution, steps[i], steps[i + 1].state);
            }
            if (seed == 0) first = steps;
            anyDifferent = anyDifferent || steps.back().state != first.back().state;
        }
        QVERIFY(anyDifferent);
    }

    void rolloutsHaveTheFrequenciesOfTheChain() {
        const auto graph = explore(tableWorld(10, 1), {.threads = 1});
        const Answer solution = solve(graph, sampleSpec(20));
        const std::vector<Successor> chain = solution->inducedChain({0, 0});
        std::map<ConfigIndex, int> seen;
        Rng rng(21);
        constexpr int kEpisodes = 20'000;
        for (int k = 0; k < kEpisodes; ++k)
            ++seen[solution->rollout({0, 0}, {}, rng)[1].state.config];
        // The chain mixes the goals in each state; over one step that is the mixture of episodes
        // if weights sum to 1 for each human after normalising, as they do in the draw.
        for (const Successor& next : chain) {
            const double expected = next.probability * kEpisodes;
            const double deviation = std::sqrt(expected * (1 - next.probability)) + 1;
            QVERIFY2(std::abs(seen[next.state.config] - expected) < 5 * deviation,
                     qPrintable(QString("%1 of %2").arg(seen[next.state.config]).arg(expected)));
        }
        QVERIFY(chain.size() > 2);
    }

private:
    static void listWorlds() {
        QTest::addColumn<int>("index");
        const auto& worlds = test::sampleWorlds();
        for (int i = 0; i < static_cast<int>(worlds.size()); ++i)
            QTest::newRow(worlds[i].name.c_str()) << i;
    }
    static std::uint64_t index() {
        QFETCH(int, index);
        return static_cast<std::uint64_t>(index);
    }
    static std::shared_ptr<const World> world() { return test::sampleWorlds()[index()].world; }

    /// A world without humans is refused in words.
    static void checkNoHuman() {
        try {
            solve(explore(world(), {.threads = 1}), {});
            QFAIL("solved for nobody");
        } catch (const Error& e) {
            QVERIFY(QByteArray(e.what()).contains("no human"));
            QCOMPARE(e.kind(), Error::Kind::BadInput);
        }
    }

    static void checkRanges(const StateValues& values) {
        QVERIFY(values.v_r < 0);
        const auto isDistribution = [](const std::vector<double>& list) {
            double sum = 0;
            for (const double p : list) {
                if (!(p >= 0 && p <= 1)) return false;
                sum += p;
            }
            return std::abs(sum - 1) < 1e-12;
        };
        for (const auto& goals : values.v_h)
            for (const double v : goals) QVERIFY(v >= 0 && v <= 1 + 1e-12);
        for (const auto& goals : values.v_h_e)
            for (const double v : goals) QVERIFY(v >= 0 && v <= 1 + 1e-12);
        if (values.terminal) return;
        QVERIFY(values.u_r < 0);
        for (const double x : values.x_h) QVERIFY(x > 0);
        for (const double q : values.q_r) QVERIFY(q < 0);
        QVERIFY(isDistribution(values.pi_r));
        for (const auto& marginal : values.marginal) QVERIFY(isDistribution(marginal));
        for (const auto& byGoal : values.pi_h)
            for (const auto& pi : byGoal) QVERIFY(isDistribution(pi));
    }

    /// The profile has a positive probability and the next state is one of its successors.
    static void checkTaken(const Solution& solution, const RolloutStep& step, State next) {
        const StateValues values = solution.values(step.state);
        const World& world = solution.world();
        const std::vector<int> actions = world.profileActions(step.profile);
        const std::vector<int> humans = world.humans();
        for (std::size_t h = 0; h < humans.size(); ++h)
            QVERIFY(values.pi_h[h][step.goals[h]][actions[humans[h]]] > 0);
        bool found = false;
        for (const Successor& successor : solution.successors(step.state, step.profile))
            found = found || (successor.state == next && successor.probability > 0);
        QVERIFY(found);
    }
};

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--fingerprint") {
        std::cout << fingerprint() << '\n';
        return 0;
    }
    const QCoreApplication application(argc, argv);
    SolvePropertiesTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "solve_properties_test.moc"
