// Runs that learn the humans' policies first, raise their discount factors, or explore by macros.

#include <QTest>
#include <filesystem>
#include <map>
#include <stop_token>

#include "core/files/world_file.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/told.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

using test::contentOf;
using test::hooksInto;
using test::requestFor;
using test::Told;
using test::train;

namespace {

std::shared_ptr<const World> oracleWorld(const std::string& name) {
    return makeWorld(
        requireSpec(readWorldFile(sourcePath("tests/data/worlds/oracle/") + name + ".yaml")));
}

/// Tables; the humans learned first.
EmpoSpec tables(std::int64_t humanSteps, std::int64_t steps) {
    EmpoSpec spec = test::tabularSpec();
    spec.humanPrior = HumanPrior::Learned;
    spec.q_h = {.kind = Approximator::Table,
                .tableDefault = 0.5,
                .targetCopySteps = 1,
                .warmupSteps = humanSteps};
    spec.trainingSteps = humanSteps + steps;
    spec.tableRateFloor = 0.2;
    spec.rateDecay = RateDecay::None;
    spec.epsilonStart_r = spec.epsilonEnd_r = 1;
    spec.epsilonStart_h = 1;
    spec.epsilonEnd_h = 0;
    return spec;
}

EmpoSpec networks(std::int64_t humanSteps, std::int64_t steps) {
    EmpoSpec spec = test::networkSpec();
    spec.humanPrior = HumanPrior::Learned;
    spec.q_h.warmupSteps = humanSteps;
    spec.q_h.targetCopySteps = 3;
    spec.trainingSteps = humanSteps + steps;
    return spec;
}

}  // namespace

class LearnedPriorTest : public QObject {
    Q_OBJECT

    test::Folders m_folder;

private Q_SLOTS:
    void init() { m_folder.renew(); }

    void bothPhasesComeToTheExactValues_data() {
        QTest::addColumn<QByteArray>("world");
        QTest::addColumn<int>("humanSteps");
        QTest::addColumn<int>("steps");
        QTest::newRow("p01, a rock") << QByteArray("p01") << 9'000 << 7'000;
        QTest::newRow("p02, two humans") << QByteArray("p02") << 3'000 << 9'000;
    }
    void bothPhasesComeToTheExactValues() {
        QFETCH(QByteArray, world);
        QFETCH(int, humanSteps);
        QFETCH(int, steps);
        EmpoSpec spec = tables(humanSteps, steps);
        spec.batchSize = 64;
        spec.bufferCapacity = 100'000;
        spec.environmentStepsPerTrainingStep = 8;
        test::EmpoTraining request = requestFor(spec, oracleWorld(world.toStdString()));
        const Told told = train(request);
        qInfo("pi_h %.3g (first %.3g), V_h^e %.3g, pi_r %.3g, %g of %lld states unvisited",
              told.last("Exact/pi_h"), told.curves.at("Exact/pi_h").front().second,
              told.last("Exact/v_h_e"), told.last("Exact/pi_r"), told.last("Exact/unvisited"),
              static_cast<long long>(told.snapshot->errors.at(0)->states));
        QVERIFY(told.last("Exact/pi_h") <= 0.02);
        QVERIFY(told.last("Exact/v_h_e") <= 0.03);
        QVERIFY(told.last("Exact/pi_r") <= 0.05);
        QVERIFY(told.curves.at("Exact/pi_h").front().second > 0.02);
        // The policies stand still once phase 2 begins.
        for (const auto& [step, error] : told.curves.at("Exact/pi_h"))
            if (step >= humanSteps) QCOMPARE(error, told.last("Exact/pi_h"));
    }

    void theHumansStageIsShown() {
        const Told told = train(requestFor(tables(100, 200), test::pairRoom(4)));
        QCOMPARE(told.snapshot->stages.front().name, std::string("q_h"));
        QCOMPARE(told.snapshot->stages.front().begin, 0);
        QCOMPARE(told.snapshot->stages.front().end, 100);
        QCOMPARE(told.curves.at("Loss/q_h").size(), 4U);  // none at 20: no batch yet
        QCOMPARE(told.curves.at("Loss/q_h").back().first, 100);
        QVERIFY(told.curves.at("Loss/v_h_e").front().first > 100);
        QVERIFY(told.curves.at("LookupTable/q_h_size").back().second > 100);
        QVERIFY(std::ranges::any_of(told.messages, [](const std::string& text) {
            return text.find("stand still from step 100 on") != std::string::npos;
        }));
        // Nothing of what was collected before stays.
        QCOMPARE(told.snapshot->environmentSteps, 300);
        QCOMPARE(told.snapshot->replay.size, 200);
        QCOMPARE(told.snapshot->replay.oldestStep, 100);
        QVERIFY(told.snapshot->errors.at(0)->pi_h.has_value());
    }

    void aResumedTrainingIsTheSameBitForBit_data() {
        QTest::addColumn<bool>("hasNetworks");
        QTest::addColumn<int>("humanSteps");
        QTest::newRow("tables, while the humans are learned") << false << 150;
        QTest::newRow("tables, where their stage ends") << false << 100;
        QTest::newRow("tables, after it") << false << 60;
        QTest::newRow("networks, while the humans are learned") << true << 150;
        QTest::newRow("networks, after it") << true << 60;
    }
    void aResumedTrainingIsTheSameBitForBit() {
        QFETCH(bool, hasNetworks);
        QFETCH(int, humanSteps);
        EmpoSpec spec = hasNetworks ? networks(humanSteps, 200 - humanSteps)
                                    : tables(humanSteps, 200 - humanSteps);
        spec.numCollectors = 2;
        spec.exploration_r = RobotExploration::Macro;
        spec.epsilonStart_r = spec.epsilonEnd_r = 0.7;
        spec.gammaStart_h = 0.5;
        spec.gammaSteps_h = 90;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.cadence.checkpointSteps = 100;
        request.folder = m_folder("straight");
        train(request);

        // Interrupted as soon as the first checkpoint is there.
        request.folder = m_folder("broken");
        std::stop_source source;
        Told broken;
        TrainHooks hooks = hooksInto(broken);
        hooks.saved = [&](const TrainCheckpoint&, const NewestMetrics&) { source.request_stop(); };
        broken.outcome = test::trainEmpo(request, hooks, source.get_token());
        QCOMPARE(broken.outcome.steps, 100);
        request.resumeFrom = request.folder / "step_100";
        const Told resumed = train(request);
        QCOMPARE(resumed.outcome.steps, 200);
        QCOMPARE(contentOf(m_folder("broken"), 100), contentOf(m_folder("straight"), 100));
        QCOMPARE(contentOf(m_folder("broken"), 200), contentOf(m_folder("straight"), 200));
    }

    void actorsOnThreadsTakeTheLearnedPolicies() {
        EmpoSpec spec = tables(3'000, 6'000);
        spec.isAsync = true;
        spec.numCollectors = 2;
        spec.minBufferSize = 200;
        test::EmpoTraining request = requestFor(spec, test::pairRoom(4));
        request.changes = {{.step = 2'500, .key = "actor.1", .value = "paused"}};
        const Told told = train(request);
        qInfo("pi_h %.3g, V_h^e %.3g", told.last("Exact/pi_h"), told.last("Exact/v_h_e"));
        QVERIFY(told.last("Exact/pi_h") <= 0.02);
        QVERIFY(told.last("Exact/v_h_e") <= 0.03);
        // Who rested goes on resting.
        QCOMPARE(told.snapshot->collectors.at(1).environmentSteps, 0);
        QVERIFY(told.snapshot->collectors.at(0).environmentSteps > 500);
    }

    void discountFactorsRiseToTheirEnd() {
        EmpoSpec spec = tables(0, 8'000);
        spec.humanPrior = HumanPrior::Exact;
        spec.environmentStepsPerTrainingStep = 8;
        spec.gammaStart_h = 0.5;
        spec.gammaSteps_h = 1'000;
        spec.gammaStart_r = 0.8;
        spec.gammaSteps_r = 2'000;
        const Told told = train(requestFor(spec, test::pairRoom(4)));
        const auto& ofHumans = told.curves.at("Warmup/gamma_h");
        const auto& ofRobot = told.curves.at("Warmup/gamma_r");
        // Of the training step itself, which is one less than those done.
        QCOMPARE(ofHumans.front().first, 20);
        QVERIFY(std::abs(ofHumans.front().second - (0.5 + 0.49 * 19 / 1'000)) < 1e-12);
        QVERIFY(std::abs(ofRobot.at(49).second - (0.8 + 0.19 * 999 / 2'000)) < 1e-12);
        QCOMPARE(ofHumans.back().second, 0.99);
        QCOMPARE(ofRobot.back().second, 0.99);
        QCOMPARE(told.snapshot->learner.gamma_r, 0.99);
        qInfo("V_h^e %.3g, pi_r %.3g", told.last("Exact/v_h_e"), told.last("Exact/pi_r"));
        QVERIFY(told.last("Exact/v_h_e") <= 0.01);
        QVERIFY(told.last("Exact/pi_r") <= 0.02);
        // While they rise the values are those of shorter sight.
        const auto& errors = told.curves.at("Exact/v_h_e");
        const auto early = std::ranges::find(errors, 480, &std::pair<std::int64_t, double>::first);
        QVERIFY(early != errors.end() && early->second > 0.02);
    }
};

ORRERY_TEST(LearnedPriorTest)
#include "learned_prior_test.moc"
