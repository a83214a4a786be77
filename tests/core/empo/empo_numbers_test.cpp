// What learned planning tells of itself without LibTorch: its clock, its visits and its metrics.

#include <QTest>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "core/base/cpu.h"
#include "core/empo/batch_profile.h"
#include "core/empo/schedule.h"
#include "core/empo/snapshot.h"
#include "core/empo/spec.h"
#include "tests/support/test_program.h"
#include "tests/support/wait_until.h"

using namespace orrery;

class EmpoNumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theProfileIsPrintedAsTheSeedPrintsIt() {
        StageSums sums;
        sums.calls = 100;
        const auto set = [&](SpanKind stage, double milliseconds) {
            sums.ns[static_cast<std::size_t>(stage)] =
                static_cast<std::int64_t>(std::llround(milliseconds * 1e8));
        };
        set(ProfileStage::kForward, 45.123);
        set(ProfileStage::kEncode, 25.456);
        set(ProfileStage::kVhE, 10.234);
        set(ProfileStage::kCollect, 3.567);
        set(ProfileStage::kScatter, 1.234);
        set(ProfileStage::kConversion, 0.789);
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
        profile.enter(ProfileStage::kCollect);
        QTest::qSleep(20);
        profile.enter(ProfileStage::kBackward);
        QTest::qSleep(5);
        profile.enter(ProfileStage::kIdle);
        const auto took = std::chrono::steady_clock::now() - begin;
        profile.countCall();
        QVERIFY(profile.sums().milliseconds(ProfileStage::kCollect) >= 20);
        QVERIFY(profile.sums().milliseconds(ProfileStage::kBackward) >= 5);
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
        profile.enter(ProfileStage::kForward);
        QTest::qSleep(5);
        {
            const InStage conversion(&profile, ProfileStage::kConversion);
            QCOMPARE(profile.stage(), ProfileStage::kConversion);
            QTest::qSleep(20);
            const InStage nobody(nullptr, ProfileStage::kBackward);
        }
        QCOMPARE(profile.stage(), ProfileStage::kForward);
        profile.enter(ProfileStage::kIdle);
        profile.countCall();
        const std::chrono::duration<double, std::milli> all =
            std::chrono::steady_clock::now() - begin;
        const double conversion = profile.sums().milliseconds(ProfileStage::kConversion);
        QVERIFY2(conversion >= 20, qPrintable(QString::number(conversion)));
        const double forward = profile.sums().milliseconds(ProfileStage::kForward);
        // Together no longer than it took: no time counts twice, however long it was held up.
        QVERIFY2(forward >= 5 && forward + conversion <= all.count(),
                 qPrintable(QString("%1 of %2").arg(forward).arg(all.count())));
        QCOMPARE(profile.sums().milliseconds(ProfileStage::kBackward), 0.0);
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
                profile.enter(ProfileStage::kIdle);
            }
            least = std::min(least, (threadCpuMs() - begin) * 1e6 / (kSteps * kProbes));
        }
        qInfo("%.0f ns a probe; %.0f ns by the clock", least, StageClock::probeNs());
        // A tabular step takes 100 us and about ten probes: one hundredth of it is 100 ns each.
        QVERIFY(least < 100 * test::kSlowdown);
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

ORRERY_TEST(EmpoNumbersTest)
#include "empo_numbers_test.moc"
