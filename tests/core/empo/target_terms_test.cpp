// A target term by term against the batched target of the learner.

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <QTest>
#include <cmath>

#include "core/empo/learner/state_batches.h"
#include "core/empo/learner/targets.h"
#include "core/empo/target_terms.h"
#include "core/replay/replay_snapshot.h"
#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

std::vector<const std::byte*> placesOf(const std::vector<std::byte>& states, std::size_t bytes) {
    std::vector<const std::byte*> places;
    for (std::size_t i = 0; i < states.size(); i += bytes) places.push_back(states.data() + i);
    return places;
}

}  // namespace

class TargetTermsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void termsAddUpToTheLearnersTarget_data() {
        QTest::addColumn<bool>("isTable");
        QTest::addColumn<bool>("isSampled");
        QTest::addColumn<bool>("originalRules");
        QTest::addColumn<int>("world");
        for (const bool isTable : {true, false})
            for (const bool isSampled : {false, true})
                for (const bool originalRules : {false, true})
                    for (const int world : {0, 1})
                        QTest::addRow("%s, %s%s, %s", isTable ? "tables" : "networks",
                                      isSampled ? "sampled" : "expected",
                                      originalRules ? ", original" : "", world ? "four" : "pair")
                            << isTable << isSampled << originalRules << world;
    }
    void termsAddUpToTheLearnersTarget() {
        QFETCH(bool, isTable);
        QFETCH(bool, isSampled);
        QFETCH(bool, originalRules);
        QFETCH(int, world);
        EmpoSpec spec = isTable ? tabularSpec() : networkSpec();
        spec.humanModel = isSampled ? HumanModel::Sampled : HumanModel::Expected;
        spec.originalRules = originalRules;
        spec.stepsPerEpisode = 3;
        spec.beta_r = 3;
        spec.of(Quantity::U_r).kind = spec.of(Quantity::V_r).kind = Approximator::Computed;
        Training training(spec, Worlds{world == 0 ? pairRoom(4) : fourInRoom(4)});
        training.collect(60);
        for (int i = 0; i < 7; ++i) QVERIFY(training.step().hasTrained);

        Learner& learner = training.learner();
        ReplayBuffer& buffer = training.buffer();
        const auto replay = buffer.snapshot();
        const WorldFacts& facts = training.facts().front();
        const QuantityValues& values = learner.targetValues();
        const TargetRequest request{
            .active = learner.schedule().stageAt(learner.stepsDone()).active,
            .beta_eff = learner.beta_eff()};
        QVERIFY(request.isActive(Quantity::V_h_e) && request.isActive(Quantity::Q_r));
        Flattener flattener(values.facts->worlds, values.facts->goals, spec);
        Rng rng(3);
        for (const std::size_t row : {std::size_t{0}, replay->size() / 2, replay->size() - 1}) {
            const ReplayBuffer::Slot slot = buffer.slotOfAge(row);
            const FlatBatch& batch =
                flattener.flatten(buffer, {&slot, 1}, {}, needsOf(request, spec), rng);
            std::vector<const std::byte*> places;
            std::vector<StateRows::Row> rows;
            for (std::size_t i = 0; i < batch.states.size(); ++i) {
                const auto bytes = buffer.states().at(batch.states[i]);
                places.push_back(bytes.data());
                if (values.rows)
                    rows.push_back(values.rows->find(fingerprintOf(bytes, batch.layouts[i])));
            }
            StateBatcher batcher(values.facts);
            StageClock profile;
            const Targets targets =
                computeTargets(batch, batcher.make(places, batch.layouts, rows, values.nets.get()),
                               values, request, profile);

            const std::vector<std::byte> states = statesOfTarget(*replay, row);
            const auto asked = placesOf(states, facts.shape.bytes());
            const LearnedValues live = learner.evaluate(0, asked);
            const LearnedValues target = learner.evaluate(0, asked, ValueCopy::Target);
            const float* v_h_e = targets.v_h_e.const_data_ptr<float>();
            for (std::size_t h = 0; h < facts.humans.size(); ++h) {
                const TargetSum sum =
                    targetOfGoal(*replay, row, facts, spec, live, target, static_cast<int>(h),
                                 static_cast<int>(batch.goalColumn[h]));
                QVERIFY(!sum.terms.empty());
                double total = 0;
                for (const TargetTerm& term : sum.terms) total += term.term;
                QCOMPARE(total, sum.target);
                QVERIFY2(std::abs(sum.target - double{v_h_e[h]}) < 1e-5,
                         qPrintable(QString("V_h^e of human %1: %2, the learner %3")
                                        .arg(h)
                                        .arg(sum.target)
                                        .arg(v_h_e[h])));
            }
            const float* q_r = targets.q_r.const_data_ptr<float>();
            for (int action = 0; action < facts.numRobotActions(); ++action) {
                const TargetSum sum =
                    targetOfAction(*replay, row, facts, spec, live, target, action);
                QVERIFY2(std::abs(sum.target - double{q_r[action]}) <
                             1e-5 * std::max(1.0, std::abs(sum.target)),
                         qPrintable(QString("Q_r of action %1: %2, the learner %3")
                                        .arg(action)
                                        .arg(sum.target)
                                        .arg(q_r[action])));
                QCOMPARE(float(sum.prediction), live.q_r[static_cast<std::size_t>(action)]);
            }
        }
    }

    void sharesOfEveryActionSumToOne() {
        Training training(tabularSpec(), Worlds{fourInRoom(4)});
        training.collect(20);
        const auto replay = training.buffer().snapshot();
        const WorldFacts& facts = training.facts().front();
        const EmpoSpec spec = tabularSpec();
        for (const int own : {-1, 0, 1}) {
            std::vector<double> sums(static_cast<std::size_t>(facts.numRobotActions()), 0.0);
            for (const SuccessorShare& share : successorShares(*replay, 5, facts, spec, own, 1))
                sums[static_cast<std::size_t>(share.robotAction)] += share.probability;
            for (const double sum : sums) QVERIFY(std::abs(sum - 1) < 1e-6);
        }
    }
};

ORRERY_TEST(TargetTermsTest)
#include "target_terms_test.moc"
