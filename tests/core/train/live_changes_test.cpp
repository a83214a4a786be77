#include <QElapsedTimer>
#include <QTest>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/fault.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/told.h"
#include "tests/support/test_program.h"

using namespace orrery;

using test::contentOf;
using test::hooksInto;
using test::pairRoom;
using test::requestFor;
using test::solveExactly;
using test::tables;
using test::Told;
using test::train;

using Changes = std::vector<TrainChange>;

namespace {

/// Trains and asks for changes, all at once, as soon as a step is done.
Told steered(const test::EmpoTraining& request, Changes asked) {
    Told told;
    TrainHooks hooks = hooksInto(told);
    hooks.snapshotPause = [] { return std::chrono::milliseconds(1); };
    bool hasBegun = false;
    hooks.boundary = [&](const Progress& progress) -> std::int64_t {
        hasBegun = progress.done > 0;
        return 0;
    };
    hooks.takeChanges = [&] { return hasBegun ? std::exchange(asked, {}) : Changes(); };
    told.outcome = test::trainEmpo(request, hooks, {});
    return told;
}

Changes appliedIn(const Told& told) {
    Changes changes;
    for (const AppliedChange& change : told.changes)
        if (change.problem.empty()) changes.push_back(change.change);
    return changes;
}

/// Solves again, and counts how often.
struct Solver {
    std::shared_ptr<const World> world;
    std::vector<double> betas = {};  ///< that were asked for

    Told train(test::EmpoTraining request) {
        Told told;
        TrainHooks hooks = hooksInto(told);
        request.solveAgain = [this](const EmpoSpec& spec) {
            betas.push_back(spec.beta_r);
            return std::vector{solveExactly(world, spec)};
        };
        told.outcome = test::trainEmpo(request, hooks, {});
        return told;
    }
};

}  // namespace

class LiveChangesTest : public QObject {
    Q_OBJECT

    test::Folders m_folder;

private Q_SLOTS:
    void init() { m_folder.renew(); }
    void cleanup() { setFaults(""); }

    void curiosityChangesWhatIsCollected_data() {
        QTest::addColumn<int>("ofRobots");
        QTest::addColumn<int>("ofHumans");
        const auto add = [](const char* name, Curiosity ofRobots, Curiosity ofHumans) {
            QTest::newRow(name) << static_cast<int>(ofRobots) << static_cast<int>(ofHumans);
        };
        add("robots by counts", Curiosity::Counts, Curiosity::None);
        add("humans by counts", Curiosity::None, Curiosity::Counts);
        add("robots by distillation", Curiosity::Rnd, Curiosity::None);
    }
    void curiosityChangesWhatIsCollected() {
        QFETCH(int, ofRobots);
        QFETCH(int, ofHumans);
        EmpoSpec spec = tables(400);
        spec.curiosity_r = static_cast<Curiosity>(ofRobots);
        spec.curiosity_h = static_cast<Curiosity>(ofHumans);
        spec.epsilonStart_h = spec.epsilonEnd_h = 0.5;
        spec.rndLearningRate = 1e-6;  // so that some states stay newer than others
        test::EmpoTraining request = requestFor(spec, pairRoom(4));
        request.cadence.checkpointSteps = 200;
        request.exact.clear();
        request.folder = m_folder("without");
        train(request);
        request.changes = {{.step = 100, .key = "curiosity_coef", .value = "20"}};
        request.folder = m_folder("steered");
        train(request);
        const auto whole = contentOf(m_folder("steered"), 400);
        QVERIFY(contentOf(m_folder("without"), 200).at("replay.records") !=
                contentOf(m_folder("steered"), 200).at("replay.records"));
        request.folder = m_folder("repeated");
        train(request);
        QCOMPARE(contentOf(m_folder("repeated"), 400), whole);
        // Also where the change was made in an earlier life.
        request.resumeFrom = m_folder("steered") / "step_200";
        request.folder = m_folder("resumed");
        train(request);
        QCOMPARE(contentOf(m_folder("resumed"), 400), whole);
    }

    void slowStepsAreLookedAtOneByOne() {
        setFaults("train.step:delay=20@1+");
        Told told;
        TrainHooks hooks = hooksInto(told);
        std::vector<std::int64_t> looks;
        Changes asked;
        hooks.boundary = [&](const Progress& progress) -> std::int64_t {
            looks.push_back(progress.done);
            if (progress.done == 4) asked = {{.key = "lr_q_r", .value = "0.01"}};
            return 0;
        };
        hooks.takeChanges = [&] { return std::exchange(asked, {}); };
        test::trainEmpo(requestFor(tables(12), pairRoom(4)), hooks, {});
        QCOMPARE(looks, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
        QCOMPARE(told.changes.size(), 1U);
        QCOMPARE(told.changes[0].change.step, 5);
    }

    void fastStepsAreNotHeldUp() {
        Told told;
        TrainHooks hooks = hooksInto(told);
        std::int64_t looks = 0;
        hooks.boundary = [&](const Progress&) -> std::int64_t { return ++looks, 0; };
        QElapsedTimer timer;
        timer.start();
        test::trainEmpo(requestFor(tables(3000), pairRoom(4)), hooks, {});
        QVERIFY2(looks >= 1 && looks <= timer.elapsed() / 10, std::to_string(looks).c_str());
    }

    void conditionsAreSetWhileItTrains_data() {
        QTest::addColumn<QStringList>("changes");
        QTest::addColumn<QString>("reason");
        QTest::newRow("step") << QStringList{"stop_step=700"} << "step 700 is reached";
        QTest::newRow("step that was passed") << QStringList{"stop_step=1"} << "step 1 is reached";
        QTest::newRow("seconds") << QStringList{"stop_after=0.2"} << "trained for 0.2 s";
        QTest::newRow("at most") << QStringList{"stop_metric=Exact/v_h_e", "stop_at_most=0.05"}
                                 << "Exact/v_h_e is 0.0";
        QTest::newRow("the bound first")
            << QStringList{"stop_at_most=0.05", "stop_metric=Exact/v_h_e"} << "Exact/v_h_e is 0.0";
        QTest::newRow("at least") << QStringList{"stop_metric=Exact/v_h_e", "stop_at_least=1e-9"}
                                  << "Exact/v_h_e is ";
        QTest::newRow("plateau") << QStringList{"stop_plateau=900", "stop_metric=Exact/unvisited"}
                                 << "Exact/unvisited has not fallen for ";
    }
    void conditionsAreSetWhileItTrains() {
        QFETCH(QStringList, changes);
        QFETCH(QString, reason);
        Changes asked;
        for (const QString& change : changes)
            asked.push_back({.key = change.section(u'=', 0, 0).toStdString(),
                             .value = change.section(u'=', 1).toStdString()});
        EmpoSpec spec = tables(20'000);
        spec.environmentStepsPerTrainingStep = 4;
        test::EmpoTraining request = requestFor(spec, pairRoom(4));
        const Told told = steered(request, asked);
        QCOMPARE(told.outcome.state, RunState::Finished);
        const QString summary = QString::fromStdString(told.outcome.summary);
        QVERIFY2(summary.contains(reason), qPrintable(summary));
        QVERIFY(told.outcome.steps < 20'000);
        QCOMPARE(std::ssize(told.changes), changes.size());
        for (const AppliedChange& change : told.changes) {
            QCOMPARE(change.problem, std::string());
            QCOMPARE(change.oldValue, std::string("none"));
        }
        if (changes.front().startsWith("stop_after")) return;
        request.changes = appliedIn(told);
        QCOMPARE(train(request).outcome.summary, told.outcome.summary);
    }

    void aConditionIsClearedAndUndone() {
        test::EmpoTraining request = requestFor(tables(300), pairRoom(4));
        request.stop.step = 200;
        QCOMPARE(train(request).outcome.steps, 200);
        request.changes = {{.step = 10, .key = "stop_step", .value = "100"},
                           {.step = 20, .key = "stop_step", .value = "200"},
                           {.step = 120, .key = "stop_step", .value = "none"}};
        const Told told = train(request);
        QCOMPARE(told.outcome.steps, 300);
        QCOMPARE(told.changes[0].oldValue, std::string("200"));
        QCOMPARE(told.changes[1].oldValue, std::string("100"));
        QCOMPARE(told.changes[2].oldValue, std::string("200"));
    }

    void conditionsThatCannotHoldAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("problem");
        const auto add = [](const char* key, const char* value, const char* problem) {
            QTest::addRow("%s=%s", key, value)
                << QString(key) << QString(value) << QString(problem);
        };
        add("stop_at_most", "0.1", "needs a metric to look at; set stop_metric first");
        add("stop_plateau", "100", "needs a metric to look at; set stop_metric first");
        add("stop_plateau", "0", "must be a whole number >= 1 or none, got '0'");
        add("stop_step", "1.5", "must be a whole number >= 1 or none, got '1.5'");
        add("stop_after", "0", "must be a number > 0 or none, got '0'");
        add("stop_at_least", "much", "must be a number or none, got 'much'");
        add("stop_metric", "Loss/q_r", "");
        add("stop_metric", "none", "");
        add("stop_at_most", "none", "");
    }
    void conditionsThatCannotHoldAreRefused() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, problem);
        test::EmpoTraining request = requestFor(tables(20), pairRoom(4));
        request.changes = {{.key = key.toStdString(), .value = value.toStdString()}};
        const Told told = train(request);
        QCOMPARE(told.changes.size(), 1U);
        QCOMPARE(QString::fromStdString(told.changes[0].problem),
                 problem.isEmpty() ? problem : key + ' ' + problem);
        QCOMPARE(told.outcome.steps, 20);
    }

    void aMetricThatIsLookedAtStays() {
        test::EmpoTraining request = requestFor(tables(20), pairRoom(4));
        request.stop = {.metric = "Loss/q_r", .atMost = -0.5};
        request.changes = {{.key = "stop_metric", .value = "none"},
                           {.key = "stop_at_most", .value = "none"},
                           {.key = "stop_metric", .value = "none"}};
        const Told told = train(request);
        QVERIFY(told.changes[0].problem.find("while stop_at_most looks at it") !=
                std::string::npos);
        QCOMPARE(told.changes[1].oldValue, std::string("-0.5"));
        QCOMPARE(told.changes[2].oldValue, std::string("Loss/q_r"));
    }

    void aResumedTrainingKnowsItsPlateau() {
        EmpoSpec spec = tables(10'000);
        test::EmpoTraining request = requestFor(spec, pairRoom(4));
        request.cadence.metricInterval = 100;
        request.cadence.checkpointSteps = 500;
        request.folder = m_folder("straight");
        request.stop = {.metric = "Exact/unvisited", .plateauSteps = 1200};
        const Told straight = train(request);
        QVERIFY(straight.outcome.summary.find("has not fallen for 1200") != std::string::npos);
        const std::int64_t end = straight.outcome.steps;
        QVERIFY(end < 10'000);
        const std::int64_t begin = (end - 1) / 500 * 500;
        request.resumeFrom = request.folder / ("step_" + std::to_string(begin));
        request.folder = m_folder("resumed");
        const Told resumed = train(request);
        QCOMPARE(resumed.outcome.summary, straight.outcome.summary);
        QCOMPARE(contentOf(m_folder("resumed"), end), contentOf(m_folder("straight"), end));
        // The memory is of that metric alone.
        request.stop.metric = "Warmup/stage";
        QCOMPARE(train(request).outcome.steps, begin + 100 + 1200);
    }

    void aCheckpointWithoutAPlateauIsGoneOnWith() {
        EmpoSpec spec = tables(400);
        test::EmpoTraining request = requestFor(spec, pairRoom(4));
        request.cadence.checkpointSteps = 200;
        request.folder = m_folder("plain");
        train(request);
        request.resumeFrom = request.folder / "step_200";
        request.stop = {.metric = "Exact/v_h_e", .plateauSteps = 100'000};
        QCOMPARE(train(request).outcome.steps, 400);
    }

    void errorsGoByTheSteeredBeta() {
        EmpoSpec spec = tables(2000);
        const auto world = pairRoom(4);
        test::EmpoTraining request = requestFor(spec, world);
        request.folder = m_folder("steered");
        // A slider that is drawn: only its last value is solved.
        request.changes = {{.step = 1001, .key = "beta_r", .value = "4"},
                           {.step = 1005, .key = "beta_r", .value = "3"},
                           {.step = 1009, .key = "beta_r", .value = "2"}};
        Solver solver{.world = world};
        const Told told = solver.train(request);
        QCOMPARE(solver.betas, std::vector<double>{2});
        QCOMPARE(told.curves.at("Exact/v_h_e").size(), 100U);
        QVERIFY(told.messages.empty());

        EvaluateRequest evaluate{.spec = spec, .worlds = request.worlds};
        evaluate.spec.beta_r = 2;
        evaluate.exact = {solveExactly(world, evaluate.spec)};
        evaluate.checkpoint = request.folder / "step_2000";
        const ExactError error = evaluateEmpo(evaluate, {}, {}).errors.at(0);
        QCOMPARE(told.last("Exact/v_h_e"), error.v_h_e);
        QCOMPARE(told.last("Exact/pi_r"), error.pi_r);
        QCOMPARE(told.last("Exact/v_r"), error.v_r);

        // A resumed training has the solutions of the first beta_r again.
        request.resumeFrom = evaluate.checkpoint;
        request.spec.trainingSteps = 2100;
        solver.betas.clear();
        QVERIFY(solver.train(request).last("Exact/v_h_e") > 0);
        QCOMPARE(solver.betas, std::vector<double>{2});
    }

    void aBetaThatComesBackIsComparedWithAgain() {
        const auto world = pairRoom(4);
        test::EmpoTraining request = requestFor(tables(2000), world);
        request.changes = {{.step = 600, .key = "beta_r", .value = "4"},
                           {.step = 1200, .key = "beta_r", .value = "10"}};
        Solver solver{.world = world};
        QCOMPARE(solver.train(request).curves.at("Exact/v_h_e").size(), 100U);
        QCOMPARE(solver.betas, (std::vector<double>{4, 10}));
        // Nobody solves: there are no errors in between.
        const Told told = train(request);
        QCOMPARE(told.messages.size(), 1U);
        QVERIFY(told.messages[0].find("one of beta_r 10") != std::string::npos);
        const auto& curve = told.curves.at("Exact/v_h_e");
        QCOMPARE(curve.size(), 70U);
        for (const auto& [step, value] : curve) QVERIFY(step <= 600 || step > 1200);
    }

    void aWorldThatIsNotSolvedAgainHasNoErrors() {
        test::EmpoTraining request = requestFor(tables(400), pairRoom(4));
        request.changes = {{.step = 200, .key = "beta_r", .value = "4"}};
        Told told;
        TrainHooks hooks = hooksInto(told);
        request.solveAgain = [](const EmpoSpec&) {
            return std::vector<std::shared_ptr<const Solution>>();
        };
        test::trainEmpo(request, hooks, {});
        QCOMPARE(told.curves.at("Exact/v_h_e").size(), 50U);
    }
};

ORRERY_TEST(LiveChangesTest)
#include "live_changes_test.moc"
