// What counting draws robots to, by its formulas.

#include <QTest>
#include <cmath>
#include <vector>

#include "core/collect/collector.h"
#include "tests/core/collect/collect_worlds.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

using CuriosityKind = CuriositySpec::Kind;
constexpr double kScale = 0.7;
constexpr ActingRates kRates{.epsilon_r = 1, .epsilon_h = 1, .curiosity = 3};

/// scale / sqrt(n + 1) or scale sqrt(ln N / (n + 1)). Source: spec empo 6.3.
double novelty(CuriosityKind kind, const VisitCounts& visits, const Fingerprint& state) {
    const double share =
        kind == CuriosityKind::Counts ? 1 : std::log(static_cast<double>(visits.total()));
    return kScale * std::sqrt(share / (visits.countOf(state) + 1.0));
}

/// How far the robot actions of a collector are from those that a formula draws: the sum over steps
/// of the novelty of what was taken less its mean under the formula, in standard deviations.
struct Score {
    CuriosityKind kind;
    double sum = 0, variance = 0;

    explicit Score(CuriosityKind theKind) : kind(theKind) {}

    void add(const Transition& transition, const WorldFacts& facts, const VisitCounts& visits) {
        const StepModel& model = *transition.model;
        const int actions = facts.numRobotActions();
        const auto first =
            static_cast<std::size_t>(facts.humanProfile(transition.humanActions)) * actions;
        std::vector<double> bonus(static_cast<std::size_t>(actions));
        double weights = 0, mean = 0, square = 0;
        for (std::size_t a = 0; a < bonus.size(); ++a) {
            for (auto e = model.rowBegin[first + a]; e < model.rowBegin[first + a + 1]; ++e)
                bonus[a] += double{model.probability[e]} *
                            novelty(kind, visits,
                                    fingerprintOf(model.successorBytes(model.successor[e]), 0));
            // All explore alike, so that novelty alone weighs.
            const double weight = std::exp(kRates.curiosity * bonus[a]);
            weights += weight;
            mean += weight * bonus[a];
            square += weight * bonus[a] * bonus[a];
        }
        mean /= weights;
        sum += bonus[static_cast<std::size_t>(transition.robotAction)] - mean;
        variance += square / weights - mean * mean;
    }
    double deviations() const { return sum / std::sqrt(variance); }
};

}  // namespace

class CuriosityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void robotsAreDrawnByTheFormula_data() {
        QTest::addColumn<bool>("isUcb");
        QTest::newRow("counts") << false;
        QTest::newRow("counts_ucb") << true;
    }
    void robotsAreDrawnByTheFormula() {
        QFETCH(bool, isUcb);
        CollectorSpec spec{.seed = 3, .stepsPerEpisode = 10};
        spec.curiosity_r = {.kind = isUcb ? CuriosityKind::CountsUcb : CuriosityKind::Counts,
                            .scale = kScale};
        const auto world = smallRoom(10);
        Collector collector(spec, collectorWorlds({world}), std::make_shared<MadeValues>());
        const WorldFacts facts = collector.modeller(0).facts();
        Score own(isUcb ? CuriosityKind::CountsUcb : CuriosityKind::Counts);
        Score other(isUcb ? CuriosityKind::Counts : CuriosityKind::CountsUcb);
        VisitCounts visits;
        for (int k = 0; k < 6000; ++k) {
            const Transition transition = collector.step(kRates);
            const StepModel& model = *transition.model;
            // An episode's first state is visited before its first action.
            if (transition.step == 0) visits.visit(fingerprintOf(model.state, 0));
            own.add(transition, facts, visits);
            other.add(transition, facts, visits);
            visits.visit(fingerprintOf(model.successorBytes(transition.reached), 0));
        }
        QCOMPARE(collector.visits().total(), visits.total());
        QCOMPARE(collector.visits().numStates(), visits.numStates());
        qInfo("%.1f standard deviations from its formula, %.1f from the other", own.deviations(),
              other.deviations());
        QVERIFY(std::abs(own.deviations()) < 4);
        QVERIFY(std::abs(other.deviations()) > 8);
    }
};

ORRERY_TEST(CuriosityTest)
#include "curiosity_test.moc"
