// What tells whether a network can still learn.

#include "core/empo/learner/plasticity.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>
#include <map>

#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

bool isNear(double a, double b) {
    return std::abs(a - b) < 1e-9;
}

}  // namespace

class PlasticityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void theEffectiveRankCountsDirections() {
        QVERIFY(isNear(effectiveRankOf(at::full({5}, 3.0, at::kDouble)), 5));
        at::Tensor one = at::zeros({5}, at::kDouble);
        QVERIFY(effectiveRankOf(one) == 0);
        one[1] = 7;
        QVERIFY(isNear(effectiveRankOf(one), 1));
        // Of 3 and 1: entropy of (3/4, 1/4).
        at::Tensor two = at::zeros({2}, at::kDouble);
        two[0] = 3, two[1] = 1;
        QVERIFY(isNear(effectiveRankOf(two), 4 / std::pow(3, 0.75)));
    }

    void unitsSleepOrAreDead() {
        PlasticityListener listener;
        at::Tensor output = at::zeros({2, 4}, at::kFloat);
        output[0][0] = 2, output[1][0] = 0;          // 1 on average
        output[0][1] = 0.01F, output[1][1] = 0.01F;  // less than 0.025 of the layer's mean
        output[0][3] = 1, output[1][3] = 1;
        listener.take("q_r.head.0", output);
        // Maps of a convolution are one unit each.
        at::Tensor maps = at::ones({2, 2, 3, 3}, at::kFloat);
        maps.select(1, 1).zero_();
        listener.take("q_r.own_state_encoder.conv1", maps);
        // A last layer may be below 0 and does not count, nor do other networks.
        listener.take("q_r.head.2", at::zeros({2, 4}, at::kFloat));
        listener.take("x_h.head.0", at::zeros({2, 4}, at::kFloat));
        const PlasticityNumbers numbers = listener.numbersOf("q_r.", {});
        QVERIFY(isNear(numbers.dormantUnits, 3.0 / 6));
        QVERIFY(isNear(numbers.deadUnits, 2.0 / 6));
    }

    void ranksAreSharesOfWhatWeightsCouldHave() {
        PlasticityListener listener;
        // Two of four directions, alike.
        at::Tensor features = at::zeros({8, 4}, at::kFloat);
        for (int row = 0; row < 8; ++row) features[row][row % 2] = 1;
        listener.take("v_h_e.head.1", features);
        const at::Tensor lone = at::ones({3, 5}, at::kFloat);  // of rank 1
        const PlasticityNumbers numbers = listener.numbersOf(
            "v_h_e.", {{"v_h_e.a", at::eye(3)}, {"v_h_e.b", lone}, {"v_h_e.bias", at::ones({2})}});
        QVERIFY(isNear(numbers.featureRank, 2.0 / 4));
        QVERIFY(std::abs(numbers.effectiveRank - (1 + 1.0 / 3) / 2) < 1e-6);
        QVERIFY(std::abs(numbers.stableRank - (1 + 1.0 / 3) / 2) < 1e-6);
        QVERIFY(isNear(numbers.weightNorm, std::sqrt(3 + 15 + 2)));
    }

    void aLearnerTellsThemOfItsNetworksAndStaysAsItIs() {
        EmpoSpec spec = networkSpec();
        spec.of(Quantity::X_h).kind = Approximator::Table;
        Training training(spec, {pairRoom(4)});
        QVERIFY(training.learner().plasticity(training.buffer()).empty());
        for (int i = 0; i < 30; ++i) training.step();
        const NamedArrays before = training.learner().save();
        std::map<std::string, double> metrics;
        for (const MetricValue& metric : training.learner().plasticity(training.buffer()))
            metrics[metric.name] = metric.value;
        QVERIFY(training.learner().save() == before);
        QCOMPARE(metrics.size(), 12U);  // of V_h^e and Q_r
        for (const char* net : {"v_h_e", "q_r"}) {
            const std::string start = std::string("Plasticity/") + net + "/";
            for (const char* share : {"effective_rank", "stable_rank", "feature_rank"})
                QVERIFY(metrics.at(start + share) > 0.01 && metrics.at(start + share) <= 1);
            QVERIFY(metrics.at(start + "weight_norm") > 1);
            QVERIFY(metrics.at(start + "dead_units") <= metrics.at(start + "dormant_units"));
            QVERIFY(metrics.at(start + "dormant_units") < 1);
        }
        const std::vector<std::string> known = allMetricNames();
        for (const auto& [name, value] : metrics) QVERIFY(std::ranges::count(known, name) == 1);
    }
};

ORRERY_TEST(PlasticityTest)
#include "plasticity_test.moc"
