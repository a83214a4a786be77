// What learned planning knows without LibTorch: its spec and its schedules.

#include <QTest>
#include <cmath>
#include <set>

#include "core/empo/schedule.h"
#include "core/empo/spec.h"
#include "core/empo/spec_fields.h"
#include "core/spec/field_effect.h"
#include "tests/support/test_program.h"

using namespace orrery;

class EmpoTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaultsAreRight() { QVERIFY(validate(EmpoSpec()).empty()); }

    void everyWrongFieldIsNamedAtOnce() {
        EmpoSpec spec;
        spec.gamma_h = 1.5;
        spec.zeta = 0.5;
        spec.of(Quantity::Q_r).learningRate = 0;
        spec.of(Quantity::V_h_e).kind = Approximator::Computed;
        spec.of(Quantity::U_r).tableDefault = 1;
        spec.batchSize = 200'000;
        spec.explorationPolicy = {0.5, 0.2};
        spec.explorationPolicy_h = {2, -1};
        spec.macroSteps = 0.5;
        spec.minLivingCollectors = 2;
        spec.usesZLoss = true;
        std::set<std::string> fields;
        for (const SpecProblem& problem : validate(spec)) {
            QVERIFY(!problem.text.empty());
            fields.insert(problem.field);
        }
        const std::set<std::string> wanted = {"gamma_h",
                                              "zeta",
                                              "lr_q_r",
                                              "v_h_e_kind",
                                              "lookup_default_u_r",
                                              "batch_size",
                                              "buffer_size",
                                              "exploration_policy",
                                              "human_exploration_policy",
                                              "macro_steps",
                                              "min_living_actors",
                                              "use_z_based_loss"};
        QVERIFY(fields == wanted);
        EmpoSpec untrained;
        untrained.of(Quantity::V_h_e).kind = Approximator::Table;
        QVERIFY(validate(untrained).empty());
        untrained.ownEncoders = OwnEncoders::None;
        QCOMPARE(validate(untrained).front().field, std::string("own_encoders"));
        EmpoSpec one;
        one.gamma_h = 1.5;
        QCOMPARE(validate(one).front().text, std::string("must be in (0, 1], got '1.5'"));
    }

    void whatDoesNothingIsTold() {
        const auto fieldsOf = [](const EmpoSpec& spec) {
            std::set<std::string> fields;
            for (const SpecProblem& note : inertFields(empoFields().rows(), spec, EmpoSpec())) {
                if (!note.text.starts_with("has no effect: ")) qFatal("%s", note.text.c_str());
                fields.insert(note.field);
            }
            return fields;
        };
        using Fields = std::set<std::string>;
        QVERIFY(fieldsOf(EmpoSpec()).empty());
        EmpoSpec spec;
        spec.weightsActions = spec.rndScalesRates = spec.usesZSpace = spec.usesZLoss = true;
        spec.curiosity_r = Curiosity::Rnd;
        spec.autoClip = false;
        spec.clipNorm = 1;
        spec.weightDecay = 0;
        spec.goalsPerHuman = 2;
        QVERIFY(fieldsOf(spec).empty());  // networks take them all
        spec.clipsGradients = false;
        QVERIFY((fieldsOf(spec) == Fields{"auto_grad_clip", "grad_clip"}));
        spec.clipsGradients = true;
        spec.numSteps = 3;
        QVERIFY(fieldsOf(spec) == Fields{"weight_actions"});
        spec.numSteps = 1;
        spec.curiosity_r = Curiosity::Counts;
        QVERIFY(fieldsOf(spec) == Fields{"rnd_adaptive_lr"});
        spec.curiosity_r = Curiosity::Rnd;
        spec.of(Quantity::V_h_e).kind = Approximator::Table;
        QVERIFY(fieldsOf(spec) == Fields{"goals_per_human"});
        for (const Quantity quantity : {Quantity::X_h, Quantity::Q_r})
            spec.of(quantity).kind = Approximator::Table;
        const Fields ofTables = {"goals_per_human", "auto_grad_clip", "grad_clip",
                                 "weight_decay",    "use_z_space",    "use_z_based_loss"};
        QVERIFY(fieldsOf(spec) == ofTables);
        spec.adaptiveTables = true;
        Fields all = ofTables;
        all.insert({"weight_actions", "rnd_adaptive_lr"});
        QVERIFY(fieldsOf(spec) == all);
        // Tables as they are by default have nothing to be told.
        EmpoSpec tables;
        for (const Quantity quantity : {Quantity::V_h_e, Quantity::X_h, Quantity::Q_r})
            tables.of(quantity).kind = Approximator::Table;
        tables.adaptiveTables = true;
        QVERIFY(fieldsOf(tables).empty());
        // A network of the humans' Q_h is clipped too.
        tables.humanPrior = HumanPrior::Learned;
        tables.clipNorm = 1;
        QVERIFY(fieldsOf(tables).empty());
        // What belongs to something that is not there.
        EmpoSpec apart;
        apart.of(Quantity::V_r).learningRate = 1;
        apart.q_h.warmupSteps = apart.collectorSyncSteps = apart.gammaSteps_r = 7;
        apart.macroSteps = 9;
        QVERIFY((fieldsOf(apart) == Fields{"lr_v_r", "warmup_human_steps", "actor_sync_freq",
                                           "gamma_r_rampup_steps", "macro_steps"}));
    }

    void stagesFollowTheQuantitiesThatAreUsed() {
        // U_r and V_r are computed by default: they have no stage.
        const EmpoSchedule schedule{EmpoSpec()};
        QStringList names;
        for (const TrainingStage& stage : schedule.stages())
            names << QString::fromStdString(stage.name);
        QCOMPARE(names, QStringList({"v_h_e", "x_h", "q_r", "ramp", "full"}));
        QCOMPARE(schedule.rampBegin(), 30'000);
        QCOMPARE(schedule.rampEnd(), 50'000);
        QCOMPARE(schedule.decayBegin(), 70'000);
        QCOMPARE(schedule.stageAt(0).active, 0b00001U);
        QCOMPARE(schedule.stageAt(9'999).active, 0b00001U);
        QCOMPARE(schedule.stageAt(10'000).active, 0b00011U);
        QCOMPARE(schedule.stageAt(99'999).active, 0b01011U);
        QCOMPARE(schedule.stageShare(Quantity::X_h, 5'000), 0.0);
        QCOMPARE(schedule.stageShare(Quantity::X_h, 15'000), 0.5);
        QCOMPARE(schedule.stageShare(Quantity::X_h, 25'000), 1.0);

        EmpoSpec all;
        for (const Quantity quantity : kQuantities) all.of(quantity).kind = Approximator::Table;
        QCOMPARE(EmpoSchedule(all).rampBegin(), 40'000);
        QCOMPARE(EmpoSchedule(all).stages().size(), 7U);
    }

    void aLearnedPriorHasAStageBeforeAllOthers() {
        EmpoSpec spec;
        spec.humanPrior = HumanPrior::Learned;
        spec.q_h.warmupSteps = 4'000;
        QVERIFY(validate(spec).empty());
        const EmpoSchedule schedule(spec);
        QCOMPARE(schedule.stages().front().name, std::string("q_h"));
        QCOMPARE(schedule.stageAt(3'999).active, 0U);
        QCOMPARE(schedule.stageAt(4'000).active, 0b00001U);
        QCOMPARE(schedule.humansEnd(), 4'000);
        QCOMPARE(schedule.rampBegin(), 34'000);
        // It explores by the first epsilons, which fall after it.
        QCOMPARE(schedule.epsilon_h(3'999), 1.0);
        QVERIFY(std::abs(schedule.epsilon_r(9'000) - 0.505) < 1e-12);
        spec.epsilonSteps = 0;
        QCOMPARE(EmpoSchedule(spec).epsilon_r(3'999), 1.0);
        QCOMPARE(EmpoSchedule(spec).epsilon_r(4'000), 0.01);
        QVERIFY(!EmpoSchedule(EmpoSpec()).isOfHumans(0));

        spec.humanModel = HumanModel::Sampled;
        spec.q_h.warmupSteps = 0;
        spec.q_h.kind = Approximator::Computed;
        std::set<std::string> fields;
        for (const SpecProblem& problem : validate(spec)) fields.insert(problem.field);
        QVERIFY(fields == std::set<std::string>({"human_prior", "warmup_human_steps", "q_h_kind"}));
    }

    void discountFactorsRiseInAStraightLine() {
        EmpoSpec spec;
        QCOMPARE(EmpoSchedule(spec).gamma_r(0), 0.99);
        spec.gammaStart_r = 0.59;
        spec.gammaSteps_r = 1'000;
        spec.gammaStart_h = 0.9;
        spec.gammaSteps_h = 0;
        const EmpoSchedule schedule(spec);
        QCOMPARE(schedule.gamma_r(0), 0.59);
        QVERIFY(std::abs(schedule.gamma_r(250) - 0.69) < 1e-12);
        QCOMPARE(schedule.gamma_r(1'000), 0.99);
        QCOMPARE(schedule.gamma_h(0), 0.99);
        spec.humanPrior = HumanPrior::Learned;
        QCOMPARE(EmpoSchedule(spec).gamma_r(10'000), 0.59);
        QVERIFY(std::abs(EmpoSchedule(spec).gamma_r(10'250) - 0.69) < 1e-12);

        spec.gammaStart_r = 0.995;
        spec.gammaStart_h = 0;
        const std::vector<SpecProblem> problems = validate(spec);
        QCOMPARE(problems.size(), 2U);
        QCOMPARE(problems[0].field, std::string("gamma_h_start"));
        QCOMPARE(problems[1].field, std::string("gamma_r_start"));
        QCOMPARE(problems[1].text,
                 std::string("must be above 0 and at most gamma_r (0.99), got 0.995"));
    }

    void thePowerRampIsTheSigmoidOfTheOriginal() {
        const EmpoSchedule schedule{EmpoSpec()};
        QCOMPARE(schedule.powerFactor(0), 0.0);
        QCOMPARE(schedule.powerFactor(29'999), 0.0);
        QCOMPARE(schedule.powerFactor(30'000), 0.0);
        QCOMPARE(schedule.powerFactor(40'000), 0.5);
        // (sigmoid(-1.5) - sigmoid(-3)) / (sigmoid(3) - sigmoid(-3)), worked out by hand.
        QVERIFY(std::abs(schedule.powerFactor(35'000) - 0.14915) < 1e-5);
        QCOMPARE(schedule.powerFactor(50'000), 1.0);
    }

    void ratesAreConstantAndThenFall() {
        EmpoSpec spec;
        const EmpoSchedule inverse(spec);
        QCOMPARE(inverse.rateFactor(70'000), 1.0);
        QCOMPARE(inverse.rateFactor(140'000), 0.5);
        spec.rateDecay = RateDecay::InverseSqrt;
        QCOMPARE(EmpoSchedule(spec).rateFactor(280'000), 0.5);
        spec.rateDecay = RateDecay::None;
        QCOMPARE(EmpoSchedule(spec).rateFactor(280'000), 1.0);
        // The constant share is of all steps, whole numbers of them.
        spec.rampSteps = 0;
        for (const auto& [fraction, begin] :
             {std::pair(0.0, 30'000), std::pair(0.5, 50'000), std::pair(1.0, 100'000)}) {
            spec.constantRateFraction = fraction;
            spec.rateDecay = RateDecay::Inverse;
            QCOMPARE(EmpoSchedule(spec).decayBegin(), begin);  // 0: behind the warm-up
            QCOMPARE(EmpoSchedule(spec).rateFactor(begin), 1.0);
            QCOMPARE(EmpoSchedule(spec).rateFactor(std::int64_t{2} * begin), 0.5);
        }
        spec.constantRateFraction = 0.7;
        // A ramp that ends late puts the fall off.
        spec.rampSteps = 80'000;
        QCOMPARE(EmpoSchedule(spec).decayBegin(), 110'000);
    }

    void explorationFallsInAStraightLine() {
        const EmpoSchedule schedule{EmpoSpec()};
        QCOMPARE(schedule.epsilon_r(0), 1.0);
        QVERIFY(std::abs(schedule.epsilon_r(5'000) - 0.505) < 1e-12);
        QCOMPARE(schedule.epsilon_h(10'000), 0.01);
        QCOMPARE(schedule.epsilon_h(1'000'000), 0.01);
    }

    void whatWasCollectedBeforeTheRampFadesOut() {
        EmpoSpec spec;
        const EmpoSchedule gradual(spec);
        QCOMPARE(gradual.oldestSampled(29'999), 0);
        QCOMPARE(gradual.oldestSampled(30'000), 0);
        QCOMPARE(gradual.oldestSampled(50'000), 15'000);
        QCOMPARE(gradual.oldestSampled(70'000), 30'000);
        QCOMPARE(gradual.oldestSampled(99'000), 30'000);
        QVERIFY(!gradual.clearsBuffer(30'000));
        spec.bufferClearing = BufferClearing::Hard;
        const EmpoSchedule hard(spec);
        QCOMPARE(hard.oldestSampled(60'000), 0);
        QVERIFY(hard.clearsBuffer(30'000) && hard.clearsBuffer(50'000));
        QVERIFY(!hard.clearsBuffer(0) && !hard.clearsBuffer(30'001));
    }
};

ORRERY_TEST(EmpoTest)
#include "empo_test.moc"
