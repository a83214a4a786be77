// A training step as a whole: what it repeats, keeps, refuses and reports.

#include <ATen/Parallel.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "core/base/error.h"
#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

EmpoSpec specOf(const QByteArray& name) {
    EmpoSpec spec = name.startsWith("networks") ? networkSpec() : tabularSpec();
    spec.batchSize = 8;
    spec.goalsPerHuman = 2;
    spec.epsilonSteps = 50;
    for (const Quantity quantity : kQuantities) {
        spec.of(quantity).targetCopySteps = quantity == Quantity::V_h_e ? 3 : 7;
        spec.of(quantity).warmupSteps = 5;
    }
    spec.rampSteps = 40;
    spec.trainingSteps = 100;
    spec.stepsPerEpisode = 6;
    if (name == "tables, Adam") spec.adaptiveTables = false;
    if (name == "networks of everything, z-space, attached encoders") {
        for (const Quantity quantity : {Quantity::U_r, Quantity::V_r})
            spec.of(quantity).kind = Approximator::Network;
        spec.usesZSpace = spec.usesZLoss = true;
        spec.ownEncoders = OwnEncoders::Attached;
    }
    if (name == "networks and tables") spec.of(Quantity::X_h).kind = Approximator::Table;
    if (name == "networks, as sampled, larger batches of X_h") {
        spec.humanModel = HumanModel::Sampled;
        spec.xhBatchSize = 12;
        spec.bufferClearing = BufferClearing::Hard;
    }
    if (name.endsWith("novelty")) {
        spec.curiosity_r = spec.curiosity_h = Curiosity::Rnd;
        spec.rndScalesRates = true;
    }
    return spec;
}

void addSpecs() {
    QTest::addColumn<QByteArray>("name");
    for (const char* name :
         {"tables, adaptive", "tables, Adam", "tables, novelty", "networks",
          "networks of everything, z-space, attached encoders", "networks and tables",
          "networks, as sampled, larger batches of X_h", "networks, novelty"})
        QTest::newRow(name) << QByteArray(name);
}

/// The name of the first array that differs; empty if none does.
QByteArray firstDifference(const NamedArrays& a, const NamedArrays& b) {
    if (a == b) return {};
    for (const auto& [name, array] : a.floats)
        if (!b.floats.contains(name) || !(b.floats.at(name) == array))
            return QByteArray::fromStdString(name);
    for (const auto& [name, array] : a.integers)
        if (!b.integers.contains(name) || !(b.integers.at(name) == array))
            return QByteArray::fromStdString(name);
    return "an array is there only once";
}

}  // namespace

class LearnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void stoppingInTheMiddleChangesNothing_data() { addSpecs(); }
    void stoppingInTheMiddleChangesNothing() {
        QFETCH(QByteArray, name);
        const EmpoSpec spec = specOf(name);
        const Worlds worlds = {pairRoom(5)};
        const int half = name == "networks" || name == "tables, Adam" ? 100 : 32;
        Training whole(spec, worlds);
        for (int i = 0; i < 2 * half; ++i) whole.step();
        Training first(spec, worlds);
        for (int i = 0; i < half; ++i) first.step();
        Training second(spec, worlds);
        second.load(first.save());
        for (int i = 0; i < half; ++i) second.step();
        QCOMPARE(second.learner().stepsDone(), 2 * half);
        QCOMPARE(firstDifference(whole.save().learner, second.save().learner), QByteArray());
        // Learning did take place.
        const NamedArrays fresh = Training(spec, worlds).save().learner;
        QVERIFY(!firstDifference(fresh, whole.save().learner).isEmpty());
    }

    void everyLossFallsAndEveryNumberIsThere_data() { addSpecs(); }
    void everyLossFallsAndEveryNumberIsThere() {
        QFETCH(QByteArray, name);
        EmpoSpec spec = specOf(name);
        spec.dropout = 0;
        for (const Quantity quantity : kQuantities) spec.of(quantity).learningRate = 3e-3;
        Training training(spec, {pairRoom(5)});
        training.collect(100);
        int trained = 0;
        for (int i = 0; i < 70; ++i) trained += training.step(true).hasTrained;
        // A buffer that was cleared needs some steps to hold a batch again.
        QVERIFY(trained == 70 || (spec.bufferClearing == BufferClearing::Hard && trained >= 45));
        const LearnerNumbers& numbers = training.learner().numbers();
        QCOMPARE(numbers.step, 70);
        for (const Quantity quantity : kQuantities) {
            if (!spec.isUsed(quantity)) continue;
            const QuantityNumbers& own = numbers.quantities[static_cast<std::size_t>(quantity)];
            QVERIFY2(own.isActive && std::isfinite(own.loss) && std::isfinite(own.mean) &&
                         std::isfinite(own.targetMean) && own.gradientNorm > 0,
                     nameOf(quantity));
            QVERIFY(own.updates >= 40);
            const bool isTable = spec.of(quantity).kind == Approximator::Table;
            QCOMPARE(own.tableRows > 0, isTable);
            QCOMPARE(own.parameterNorm > 0, !isTable);
        }
        EmpoSnapshot snapshot;
        snapshot.learner = numbers;
        QVERIFY(metricsOf(spec, snapshot).size() > 30);
    }

    void theSameSeedGivesTheSameNumbers() {
        const EmpoSpec spec = specOf("networks");
        EmpoSpec other = spec;
        other.seed = 2;
        Training a(spec, {pairRoom(5)}), b(spec, {pairRoom(5)}), c(other, {pairRoom(5)});
        for (int i = 0; i < 30; ++i) a.step(), b.step(i % 2 == 0), c.step();
        QCOMPARE(firstDifference(a.save().learner, b.save().learner), QByteArray());
        QVERIFY(!firstDifference(a.save().learner, c.save().learner).isEmpty());
    }

    void stepsWithoutNumbersAreSkippedAndTheThirdInARowIsDivergence_data() { addSpecs(); }
    void stepsWithoutNumbersAreSkippedAndTheThirdInARowIsDivergence() {
        QFETCH(QByteArray, name);
        EmpoSpec spec = specOf(name);
        for (const Quantity quantity : kQuantities) spec.of(quantity).warmupSteps = 0;
        spec.curiosity_r = spec.curiosity_h = Curiosity::None;
        Training training(spec, {pairRoom(5)});
        training.collect(40);
        for (int i = 0; i < 5; ++i) QVERIFY(training.learner().step(training.buffer()).hasTrained);
        const NamedArrays before = training.learner().save();

        // Chances that are not numbers reach the targets of all that follows them.
        Transition broken = training.collector().step({});
        auto model = std::make_shared<StepModel>(*broken.model);
        std::ranges::fill(model->probability, std::numeric_limits<float>::quiet_NaN());
        model->fingerprint = {};
        model->endsWorld = false;
        broken.model = model;
        training.buffer().clear();
        for (int i = 0; i < spec.batchSize + 12; ++i) training.buffer().add(broken, 5);
        for (int i = 0; i < 3; ++i) {
            const StepReport report = training.learner().step(training.buffer());
            QVERIFY(report.wasSkipped && !report.hasTrained);
            QVERIFY(!report.trouble.empty());
            QCOMPARE(report.hasDiverged, i == 2);
        }
        const NamedArrays after = training.learner().save();
        for (const auto& [array, values] : before.floats)
            if (array.starts_with("model.") || array.ends_with(".updates"))
                QVERIFY2(after.floats.at(array) == values, array.c_str());
        QCOMPARE(after.integers.at("skipped_steps").values.front(), 3);
    }

    void nothingIsTrainedBeforeThereIsABatch() {
        Training training(specOf("tables, adaptive"), {pairRoom(5)});
        for (int i = 0; i < 7; ++i) QVERIFY(!training.step().hasTrained);
        QVERIFY(training.step().hasTrained);
        QCOMPARE(training.learner().stepsDone(), 8);
    }

    void liveFieldsActFromTheNextStepOn() {
        const EmpoSpec spec = specOf("tables, Adam");
        Training a(spec, {pairRoom(5)}), b(spec, {pairRoom(5)});
        for (int i = 0; i < 20; ++i) a.step(), b.step();
        EmpoSpec changed = spec;
        changed.of(Quantity::V_h_e).learningRate = 0.05;
        changed.beta_r = 2;
        changed.hiddenSize = 99;  // not live
        b.learner().setLive(changed);
        QCOMPARE(b.learner().spec().of(Quantity::V_h_e).learningRate, 0.05);
        QCOMPARE(b.learner().spec().hiddenSize, spec.hiddenSize);
        for (int i = 0; i < 40; ++i) a.step(), b.step();
        QVERIFY(b.learner().beta_eff() < a.learner().beta_eff());
        QVERIFY(!firstDifference(a.save().learner, b.save().learner).isEmpty());
    }

    void collectorsReadTheTargetCopyOfQ_r() {
        for (const char* name : {"tables, adaptive", "networks"}) {
            Training training(specOf(name), {pairRoom(5)});
            training.collect(50);
            for (int i = 0; i < 63; ++i) training.step();
            const Transition transition = training.collector().step({});
            ActingReader reader(training.facts());
            reader.use(training.learner().actingWeights());
            std::vector<float> q_r(4);
            reader.q_r(transition.model->state, 0, q_r);
            // 63 is a multiple of 7: the copy has just been made.
            const std::byte* place = transition.model->state.data();
            const LearnedValues values = training.learner().evaluate(0, {&place, 1});
            for (int a = 0; a < 4; ++a) QVERIFY(std::abs(q_r[a] - values.q_r[a]) < 1e-6);
            QVERIFY(q_r[0] < 0);
        }
    }

    void whatIsNewIsMoreNovel() {
        EmpoSpec spec = specOf("networks, novelty");
        spec.rndLearningRate = 1e-3;
        Training training(spec, {pairRoom(5)});
        training.collect(100);
        for (int i = 0; i < 150; ++i) training.step(true);
        const LearnerNumbers numbers = training.learner().numbers();
        QVERIFY(numbers.rndLoss > 0 && std::isfinite(numbers.rndLoss));
        const Transition transition = training.collector().step({});
        ActingReader reader(training.facts());
        reader.use(training.learner().actingWeights());
        // A state that no episode can hold: everybody is far away, with many steps left.
        std::vector<std::byte> states = transition.model->state;
        const std::size_t bytes = states.size();
        states.insert(states.end(), transition.model->state.begin(), transition.model->state.end());
        const auto parts =
            partsOf(training.facts().front().shape, std::span(states).subspan(bytes, bytes));
        for (std::int16_t& number : parts.agents) number = static_cast<std::int16_t>(number + 40);
        std::vector<float> novelty(2);
        reader.novelty(states, 0, novelty);
        QVERIFY2(novelty[1] > novelty[0] + 1,
                 qPrintable(
                     QStringLiteral("%1 and %2").arg(double{novelty[0]}).arg(double{novelty[1]})));
    }

    void theNoveltyToldIsWhatCollectorsAreDrawnBy_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"tables, novelty", "networks, novelty"})
            QTest::newRow(name) << QByteArray(name);
    }
    void theNoveltyToldIsWhatCollectorsAreDrawnBy() {
        QFETCH(QByteArray, name);
        EmpoSpec spec = specOf(name);
        spec.curiosityScale = 2;
        spec.rndLearningRate = 1e-6;  // else all errors are soon below their running mean
        Training training(spec, {pairRoom(5)});
        training.collect(100);
        for (int i = 0; i < 40; ++i) training.step();
        // Collectors have just got what the next step measures its batch by.
        ActingReader reader(training.facts());
        reader.use(training.learner().actingWeights());
        QCOMPARE(reader.weights().step, 40);
        training.step(true);
        std::set<StateStore::Index> states;
        for (const ReplayBuffer::Slot slot : training.learner().lastBatch())
            states.insert(training.buffer().modelOf(slot).state);
        double sum = 0;
        for (const StateStore::Index state : states) {
            float novelty = 0;
            reader.novelty(training.buffer().states().at(state), 0, {&novelty, 1});
            sum += 2 * double{novelty};
        }
        const LearnerNumbers& numbers = training.learner().numbers();
        const double wanted = sum / static_cast<double>(states.size());
        QVERIFY2(std::abs(numbers.rndNovelty - wanted) < 1e-4 * std::max(1.0, wanted),
                 qPrintable(QStringLiteral("%1, not %2").arg(numbers.rndNovelty).arg(wanted)));
        QVERIFY(wanted > 0 && numbers.rndLoss > 0 && numbers.rndLoss != numbers.rndNovelty);
        QVERIFY(numbers.rndScale >= 0.1 && numbers.rndScale <= 10 && numbers.rndScale != 1);
    }

    void numbersOfU_rAreThoseOfU_r_data() {
        QTest::addColumn<bool>("isNetwork");
        QTest::newRow("network") << true;
        QTest::newRow("table") << false;
    }
    void numbersOfU_rAreThoseOfU_r() {
        QFETCH(bool, isNetwork);
        EmpoSpec spec = isNetwork ? networkSpec() : tabularSpec();
        spec.of(Quantity::U_r) = spec.of(Quantity::X_h);
        spec.of(Quantity::U_r).tableDefault = -1;
        Training training(spec, {pairRoom(5)});
        training.collect(100);
        for (int i = 0; i < 5; ++i) training.step(true);
        EmpoSnapshot snapshot;
        snapshot.learner = training.learner().numbers();
        std::map<std::string, double> told;
        for (const MetricValue& metric : metricsOf(spec, snapshot))
            told[metric.name] = metric.value;
        // y is 1 or more, U_r = -y^eta.
        QVERIFY(told.at("Predictions/u_r_mean") < 0 && told.at("Targets/u_r_mean") <= -1);
        QVERIFY(told.contains("Loss/u_r"));
        for (const char* name :
             {"Predictions/u_r_y_mean", "Predictions/u_r_y_std", "Targets/u_r_y_mean"})
            QCOMPARE(told.contains(name), isNetwork);
        if (!isNetwork) return;
        QVERIFY(told.at("Predictions/u_r_y_mean") >= 1 && told.at("Targets/u_r_y_mean") >= 1);
        // The mean of -y^eta is at most that of the mean y.
        QVERIFY(told.at("Targets/u_r_mean") <=
                -std::pow(told.at("Targets/u_r_y_mean"), spec.eta) + 1e-4);
    }

    void everyStageOfTheSeedTakesTime() {
        Training training(networkSpec(), {pairRoom(5)});
        training.collect(20);
        for (int i = 0; i < 5; ++i) QVERIFY(training.step().hasTrained);
        const StageSums& stats = training.learner().profile().sums();
        for (const SpanKind stage : std::span(kProfileStages).first(kNumBatchingStages))
            QVERIFY2(stats.milliseconds(stage) > 0, profileName(stage).c_str());
        // The clock is looked at too seldom to matter: 100 ns each.
        QVERIFY2(stats.probes <= 20 * stats.calls, qPrintable(QString::number(stats.probes)));
    }

    void clippingNormsFollowTheRates() {
        for (const bool isAuto : {false, true}) {
            EmpoSpec spec = networkSpec();
            spec.weightDecay = 0;
            spec.autoClip = isAuto;
            spec.clipNorm = 1e-5;
            spec.of(Quantity::V_h_e).learningRate = 1e-3;
            spec.of(Quantity::Q_r).learningRate = 3e-4;
            Training training(spec, {pairRoom(5)});
            training.collect(20);
            QVERIFY(training.step(true).hasTrained);
            const NamedArrays saved = training.learner().save();
            // After one step Adam's first moment is a tenth of the clipped gradient.
            const auto clippedNorm = [&](const std::string& name) {
                double squares = 0;
                for (const auto& [array, values] : saved.floats)
                    if (array.starts_with("optimiser/" + name + ".") && array.ends_with(".exp_avg"))
                        for (const float x : values.values) squares += double{x} * x;
                return 10 * std::sqrt(squares);
            };
            const auto requireNorm = [&](Quantity quantity, double wanted) {
                const auto i = static_cast<std::size_t>(quantity);
                QVERIFY(training.learner().numbers().quantities[i].gradientNorm > 10 * wanted);
                const double norm = clippedNorm(nameOf(quantity));
                QVERIFY2(std::abs(norm / wanted - 1) < 0.01,
                         qPrintable(QStringLiteral("%1, not %2").arg(norm).arg(wanted)));
            };
            requireNorm(Quantity::V_h_e, isAuto ? 1e-4 : 1e-5);
            requireNorm(Quantity::Q_r, isAuto ? 3e-5 : 1e-5);
        }
    }

    void aCheckpointOfOtherNetworksIsRefused() {
        Training small(specOf("networks"), {pairRoom(5)});
        EmpoSpec spec = specOf("networks");
        spec.hiddenSize = 24;
        Training large(spec, {pairRoom(5)});
        try {
            large.learner().load(small.learner().save());
            QFAIL("taken");
        } catch (const Error& error) {
            QVERIFY(error.kind() == Error::Kind::Damaged);
            QVERIFY(QByteArray(error.what()).contains("another shape"));
        }
    }

    void worldsThatDoNotGoTogetherAreRefused() {
        const std::vector<WorldFacts> facts = factsOfAll({pairRoom(5), pairRoom(5)});
        std::vector<WorldFacts> other = facts;
        other[1].robotActions = {4, 4};
        try {
            const Learner learner(tabularSpec(), other);
            QFAIL("taken");
        } catch (const Error& error) {
            QVERIFY(QByteArray(error.what()).contains("joint robot actions"));
        }
    }
};

ORRERY_TEST(LearnerTest)
#include "learner_test.moc"
