// What learned planning knows without LibTorch: its spec, schedules, clock and metrics.

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/cpu.h"
#include "core/empo/batch_profile.h"
#include "core/empo/schedule.h"
#include "core/empo/snapshot.h"
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

    void theProfileIsPrintedAsTheSeedPrintsIt() {
        StageSums sums;
        sums.calls = 100;
        const auto set = [&](SpanKind stage, double milliseconds) {
            sums.ns[static_cast<std::size_t>(stage)] =
                static_cast<std::int64_t>(std::llround(milliseconds * 1e8));
        };
        set(ProfileStage::Forward, 45.123);
        set(ProfileStage::Encode, 25.456);
        set(ProfileStage::V_h_e, 10.234);
        set(ProfileStage::Collect, 3.567);
        set(ProfileStage::Scatter, 1.234);
        set(ProfileStage::Conversion, 0.789);
        // Seed 000's example, its shares computed from its own numbers.
        QCOMPARE(QByteArray::fromStdString(batchingTable(sums)),
                 QByteArray("=== Batching Profile (100 calls) ===\n"
                            "  stage3_forward      :   45.123 ms (52.2%)\n"
                            "  stage2_encode       :   25.456 ms (29.5%)\n"
                            "  stage5_v_h_e        :   10.234 ms (11.8%)\n"
                            "  stage1_collect      :    3.567 ms ( 4.1%)\n"
                            "  stage4_scatter      :    1.234 ms ( 1.4%)\n"
                            "  tensor_conversion   :    0.789 ms ( 0.9%)\n"
                            "  TOTAL               :   86.403 ms\n"));
    }

    void theClockIsAlwaysInOneStage() {
        StageClock profile;
        const auto begin = std::chrono::steady_clock::now();
        // Must wait for time: a clock is tested.
        profile.enter(ProfileStage::Collect);
        QTest::qSleep(20);
        profile.enter(ProfileStage::Backward);
        QTest::qSleep(5);
        profile.enter(ProfileStage::Idle);
        const auto took = std::chrono::steady_clock::now() - begin;
        profile.countCall();
        QVERIFY(profile.sums().milliseconds(ProfileStage::Collect) >= 20);
        QVERIFY(profile.sums().milliseconds(ProfileStage::Backward) >= 5);
        QVERIFY(profile.sums().totalNs() >= 25'000'000);
        QVERIFY(profile.sums().totalNs() <= took.count() + 50'000'000);
        QCOMPARE(profile.sums().probes, 3);
        profile.reset();
        QCOMPARE(profile.sums().totalNs(), 0);
        QCOMPARE(profile.sums().calls, 0);
    }

    void aVisitToAnotherStageCountsForThatStageAlone() {
        StageClock profile;
        const auto begin = std::chrono::steady_clock::now();
        // Must wait for time: a clock is tested.
        profile.enter(ProfileStage::Forward);
        QTest::qSleep(5);
        {
            const InStage conversion(&profile, ProfileStage::Conversion);
            QCOMPARE(profile.stage(), ProfileStage::Conversion);
            QTest::qSleep(20);
            const InStage nobody(nullptr, ProfileStage::Backward);
        }
        QCOMPARE(profile.stage(), ProfileStage::Forward);
        profile.enter(ProfileStage::Idle);
        profile.countCall();
        const std::chrono::duration<double, std::milli> all =
            std::chrono::steady_clock::now() - begin;
        const double conversion = profile.sums().milliseconds(ProfileStage::Conversion);
        QVERIFY2(conversion >= 20, qPrintable(QString::number(conversion)));
        const double forward = profile.sums().milliseconds(ProfileStage::Forward);
        // Together no longer than it took: no time counts twice, however long it was held up.
        QVERIFY2(forward >= 5 && forward + conversion <= all.count(),
                 qPrintable(QString("%1 of %2").arg(forward).arg(all.count())));
        QCOMPARE(profile.sums().milliseconds(ProfileStage::Backward), 0.0);
    }

    void aLookAtTheClockIsCheap() {
        constexpr int kSteps = 10'000, kProbes = 12;  // as many a step as a learner in tables makes
        double least = 1e9;
        for (int i = 0; i < 5; ++i) {
            StageClock profile;
            const double begin = threadCpuMs();
            for (int step = 0; step < kSteps; ++step) {
                for (int k = 0; k + 1 < kProbes; ++k) profile.enter(ownSpan(k % kMostOwnSpans));
                profile.countCall();
                profile.enter(ProfileStage::Idle);
            }
            least = std::min(least, (threadCpuMs() - begin) * 1e6 / (kSteps * kProbes));
        }
        qInfo("%.0f ns a probe; %.0f ns by the clock", least, StageClock::probeNs());
        // A tabular step takes 100 us and about ten probes: one hundredth of it is 100 ns each.
        QVERIFY(least < 100);
    }

    void visitsAreSummedUpByTheirSpread() {
        QCOMPARE(visitNumbersOf({}).states, 0);
        const VisitNumbers one = visitNumbersOf({7});
        QVERIFY(one.median == 7 && one.percentile90 == 7 && one.most == 7 && one.revisited == 1);
        // 1 to 11 times, in no order.
        const VisitNumbers visits = visitNumbersOf({11, 3, 1, 5, 2, 9, 4, 8, 10, 6, 7});
        QCOMPARE(visits.states, 11);
        QCOMPARE(visits.total, 66);
        QCOMPARE(visits.median, 6);
        QCOMPARE(visits.percentile90, 10);
        QCOMPARE(visits.most, 11);
        QCOMPARE(visits.revisited, 10);
        double sum = 0;
        for (int n = 1; n <= 11; ++n) sum += 1 / std::sqrt(n + 1.0);
        QVERIFY(std::abs(visits.meanRoot - sum / 11) < 1e-12);
    }

    void explorationIsToldByWhatIsOn() {
        EmpoSpec spec;
        EmpoSnapshot snapshot;
        snapshot.learner.step = 100;
        snapshot.visitedStates = 12;
        snapshot.replay.uniqueStates = 5;  // of the buffer, which forgets
        for (QuantityNumbers& own : snapshot.learner.quantities) own.updates = 3;
        const auto told = [&] {
            std::map<std::string, double> values;
            for (const MetricValue& metric : metricsOf(spec, snapshot))
                values[metric.name] = metric.value;
            return values;
        };
        const auto numNamed = [](const std::map<std::string, double>& values, const char* part) {
            return std::ranges::count_if(values, [&](const auto& item) {
                return item.first.find(part) != std::string::npos;
            });
        };
        QCOMPARE(told().at("Exploration/unique_states_seen"), 12.0);
        QCOMPARE(numNamed(told(), "rnd"), 0);
        QCOMPARE(numNamed(told(), "_count_"), 0);
        snapshot.visits = visitNumbersOf({1, 3});
        QCOMPARE(told().at("Exploration/visit_count_median"), 1.0);
        QCOMPARE(told().at("Exploration/visit_count_max"), 3.0);
        QCOMPARE(numNamed(told(), "count_curiosity"), 0);
        spec.curiosity_h = Curiosity::Counts;
        spec.curiosityScale = 2;
        const double meanRoot = (1 / std::sqrt(2.0) + 0.5) / 2;
        QVERIFY(std::abs(told().at("Exploration/count_curiosity_mean_bonus") - 2 * meanRoot) <
                1e-12);
        QCOMPARE(told().at("Exploration/count_curiosity_unique_states"), 2.0);
        QCOMPARE(told().at("Exploration/count_curiosity_total_visits"), 4.0);
        QCOMPARE(told().at("Exploration/count_curiosity_mean_visits"), 2.0);
        QCOMPARE(told().at("Exploration/count_curiosity_coverage_ratio"), 0.5);
        spec.curiosity_r = Curiosity::CountsUcb;
        QVERIFY(std::abs(told().at("Exploration/count_curiosity_mean_bonus") -
                         2 * std::sqrt(std::log(4.0)) * meanRoot) < 1e-12);

        spec.curiosity_r = Curiosity::Rnd;
        spec.curiosity_h = Curiosity::None;
        QCOMPARE(numNamed(told(), "rnd"), 0);  // not trained yet
        snapshot.learner.rndLoss = 0.25;
        snapshot.learner.rndNovelty = 1.5;
        snapshot.learner.rndScale = 0.5;
        QCOMPARE(told().at("Exploration/rnd_loss"), 0.25);
        QCOMPARE(told().at("Exploration/rnd_novelty_mean"), 1.5);
        QCOMPARE(numNamed(told(), "human_rnd"), 0);
        QCOMPARE(numNamed(told(), "AdaptiveLR"), 0);
        spec.curiosity_h = Curiosity::Rnd;
        spec.rndScalesRates = spec.adaptiveTables = true;
        spec.of(Quantity::X_h).kind = Approximator::Table;
        QCOMPARE(told().at("Exploration/human_rnd_loss"), 0.25);
        QCOMPARE(told().at("AdaptiveLR/rnd_q_r_scale_mean"), 0.5);
        QCOMPARE(told().at("AdaptiveLR/rnd_v_h_e_mse_mean"), 0.25);
        QCOMPARE(numNamed(told(), "AdaptiveLR"), 4);  // no table that steps by its counts, no U_r
    }

    void aNewStageIsMarkedOnce() {
        const EmpoSpec spec;
        const EmpoSchedule schedule(spec);
        EmpoSnapshot snapshot;
        snapshot.metricInterval = 4'000;
        snapshot.stages = schedule.stages();
        int marks = 0;
        for (std::int64_t step = 4'000; step <= 100'000; step += 4'000) {
            snapshot.learner.step = step;
            snapshot.learner.stage = schedule.stageIndex(step - 1);
            for (const MetricValue& metric : metricsOf(spec, snapshot))
                if (metric.name == "Warmup/stage_transition" && metric.value == 1) {
                    ++marks;
                    // Stages begin at 10 000, 20 000, 30 000 and 50 000.
                    QVERIFY(step == 12'000 || step == 24'000 || step == 32'000 || step == 52'000);
                }
        }
        QCOMPARE(marks, 4);
    }

    void metricsCarryTheOriginalsNames() {
        std::set<std::string> names;
        for (const std::string& name : allMetricNames()) QVERIFY(names.insert(name).second);
        for (const char* wanted : {"Loss/v_h_e",
                                   "Loss/q_r_all_actions",
                                   "Loss/q_r_taken_action",
                                   "GradNorm/q_r",
                                   "ParamNorm/x_h",
                                   "Predictions/v_h_e_mean",
                                   "Predictions/u_r_y_std",
                                   "Targets/u_r_y_mean",
                                   "Targets/u_r_mean",
                                   "LearningRate/v_h_e",
                                   "LearningRate/decay_phase_start",
                                   "Exploration/epsilon_r",
                                   "Exploration/epsilon_h",
                                   "Exploration/unique_states_seen",
                                   "Warmup/effective_beta_r",
                                   "Warmup/is_warmup",
                                   "Warmup/stage",
                                   "Warmup/stage_transition",
                                   "Exploration/rnd_novelty_mean",
                                   "Exploration/human_rnd_loss",
                                   "Exploration/count_curiosity_mean_visits",
                                   "Exploration/visit_count_p90",
                                   "AdaptiveLR/rnd_q_r_scale_mean",
                                   "Warmup/active_networks_mask",
                                   "Progress/environment_steps",
                                   "LookupTable/q_r_size",
                                   "Loss/q_h",
                                   "Warmup/gamma_h",
                                   "Warmup/gamma_r",
                                   "LookupTable/total_entries",
                                   "ZSpace/q_r_z_pred",
                                   "ZSpace/in_decay_phase",
                                   "Supervision/q_r_taken_action_only"})
            QVERIFY2(names.contains(wanted), wanted);
        // A fresh run has no loss yet, but its rates and stage.
        EmpoSnapshot snapshot;
        snapshot.stages = EmpoSchedule(EmpoSpec()).stages();
        for (const MetricValue& metric : metricsOf(EmpoSpec(), snapshot)) {
            QVERIFY(names.contains(metric.name));
            QVERIFY(!metric.name.starts_with("Loss/"));
            QVERIFY(!metric.name.starts_with("Exploration/epsilon"));
        }
    }
};

ORRERY_TEST(EmpoTest)
#include "empo_test.moc"
