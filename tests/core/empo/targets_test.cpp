// Batched targets against the same numbers computed one by one.

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <QTest>

#include "core/empo/learner/state_batches.h"
#include "core/empo/learner/targets.h"
#include "tests/core/empo/training.h"
#include "tests/support/naive_targets.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

using Kinds = std::array<Approximator, kNumQuantities>;
constexpr auto kNet = Approximator::Network;
constexpr auto kTable = Approximator::Table;
constexpr auto kNone = Approximator::Computed;

struct Mode {
    QByteArray name;
    Kinds kinds;
};
const Mode kModes[] = {{"networks", {kNet, kNet, kNet, kNet, kNet}},
                       {"networks, robot's rest computed", {kNet, kNet, kNone, kNet, kNone}},
                       {"networks, all that can be computed", {kNet, kNone, kNone, kNet, kNone}},
                       {"tables", {kTable, kTable, kTable, kTable, kTable}},
                       {"tables, robot's rest computed", {kTable, kTable, kNone, kTable, kNone}},
                       {"tables, all that can be computed", {kTable, kNone, kNone, kTable, kNone}},
                       {"mixed", {kNet, kTable, kNone, kTable, kNet}},
                       {"mixed the other way", {kTable, kNet, kTable, kNet, kNone}}};

/// Both ways on one sampled batch of a training.
/// @param xCount  transitions in a batch of X_h's own; 0: it has none
std::vector<std::string> mismatches(Training& training, std::size_t xCount = 0) {
    const QuantityValues& target = training.learner().targetValues();
    const EmpoSpec& spec = target.facts->spec;
    const TargetRequest request{
        .active = training.learner().schedule().stageAt(training.learner().stepsDone()).active,
        .beta_eff = training.learner().beta_eff()};
    ReplayBuffer& buffer = training.buffer();
    Rng rng(7);
    std::vector<ReplayBuffer::Slot> slots;
    // Two humans and two robots have 256 rows a state: few transitions say enough.
    buffer.sample(spec.numSteps == 1 && target.facts->numHumans > 1 ? 2 : 8, 0, rng, slots);
    std::vector<ReplayBuffer::Slot> xSlots;
    buffer.sample(xCount, 0, rng, xSlots);
    Flattener flattener(target.facts->worlds, target.facts->goals, spec);
    const FlatBatch& batch = flattener.flatten(buffer, slots, xSlots, needsOf(request, spec), rng);

    std::vector<const std::byte*> places;
    std::vector<StateRows::Row> rows;
    for (std::size_t i = 0; i < batch.states.size(); ++i) {
        const auto bytes = buffer.states().at(batch.states[i]);
        places.push_back(bytes.data());
        rows.push_back(target.rows->find(fingerprintOf(bytes, batch.layouts[i])));
    }
    StateBatcher batcher(target.facts);
    StageClock profile;
    const Targets batched =
        computeTargets(batch, batcher.make(places, batch.layouts, rows, target.nets.get()), target,
                       request, profile);
    NaiveTargets naive = naiveTargets(buffer, slots, batch.goalColumn, target, request);
    if (!xSlots.empty()) {
        const std::vector<std::int64_t> anyGoal(xSlots.size() * target.facts->numHumans);
        const TargetRequest ofX{.active = 1U << static_cast<unsigned>(Quantity::X_h),
                                .beta_eff = request.beta_eff};
        naive.x_h = naiveTargets(buffer, xSlots, anyGoal, target, ofX).x_h;
        if (naive.x_h.size() != anyGoal.size()) return {"X_h was not computed"};
    }
    if (naive.v_h_e.empty() || naive.q_r.empty()) return {"nothing was computed"};
    return differences(naive, batched, 1e-6);
}

}  // namespace

class TargetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void batchedTargetsEqualTheNaiveOnes_data() {
        QTest::addColumn<int>("world");
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("isSampled");
        QTest::addColumn<bool>("usesZSpace");
        QTest::addColumn<bool>("originalRules");
        QTest::addColumn<int>("numSteps");
        const char* worlds[] = {"pair", "four", "both layouts"};
        for (int world = 0; world < 3; ++world)
            for (int mode = 0; mode < std::ssize(kModes); ++mode)
                for (const bool isSampled : {false, true})
                    for (const bool usesZSpace : {false, true})
                        for (const bool originalRules : {false, true})
                            for (const int numSteps : {1, 3, 0}) {
                                // Large rooms take long: they are tried in fewer ways.
                                if (world == 1 && (numSteps == 0 || mode % 3 == 1)) continue;
                                // z-space is of networks, n-step targets are tried without it.
                                if (usesZSpace &&
                                    (numSteps != 1 || mode == 3 || mode == 4 || mode == 5))
                                    continue;
                                QTest::addRow("%s, %s%s%s%s, %d steps", worlds[world],
                                              kModes[mode].name.constData(),
                                              isSampled ? ", sampled" : ", expected",
                                              usesZSpace ? ", z" : "",
                                              originalRules ? ", original" : "", numSteps)
                                    << world << mode << isSampled << usesZSpace << originalRules
                                    << numSteps;
                            }
    }
    void batchedTargetsEqualTheNaiveOnes() {
        QFETCH(int, world);
        QFETCH(int, mode);
        QFETCH(bool, isSampled);
        QFETCH(bool, usesZSpace);
        QFETCH(bool, originalRules);
        QFETCH(int, numSteps);
        EmpoSpec spec = networkSpec();
        for (const Quantity quantity : kQuantities)
            spec.of(quantity).kind = kModes[mode].kinds[static_cast<std::size_t>(quantity)];
        spec.adaptiveTables = true;
        spec.humanModel = isSampled ? HumanModel::Sampled : HumanModel::Expected;
        spec.usesZSpace = usesZSpace;
        spec.originalRules = originalRules;
        spec.numSteps = numSteps;
        spec.stepsPerEpisode = 3;
        spec.goalsPerHuman = 100;
        spec.beta_r = 3;
        spec.zeta = 1.5;
        spec.xi = 0.7;
        const Worlds both[] = {{pairRoom(4)}, {fourInRoom(4)}, {pairRoom(4), pairRoomWithWall(5)}};
        Training training(spec, both[world]);
        training.collect(60);
        for (int i = 0; i < 7; ++i) QVERIFY(training.step().hasTrained);
        const std::vector<std::string> found = mismatches(training);
        for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 5); ++i)
            qWarning("%s", found[i].c_str());
        QCOMPARE(found.size(), 0U);
    }

    void aBatchOfItsOwnGivesX_hItsTargets_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("isSampled");
        QTest::addColumn<int>("count");
        for (const int mode : {0, 3, 6})
            for (const bool isSampled : {false, true})
                for (const int count : {3, 20})
                    QTest::addRow("%s, %s, %d of X_h", kModes[mode].name.constData(),
                                  isSampled ? "sampled" : "expected", count)
                        << mode << isSampled << count;
    }
    void aBatchOfItsOwnGivesX_hItsTargets() {
        QFETCH(int, mode);
        QFETCH(bool, isSampled);
        QFETCH(int, count);
        EmpoSpec spec = networkSpec();
        for (const Quantity quantity : kQuantities)
            spec.of(quantity).kind = kModes[mode].kinds[static_cast<std::size_t>(quantity)];
        spec.adaptiveTables = true;
        spec.humanModel = isSampled ? HumanModel::Sampled : HumanModel::Expected;
        spec.xhBatchSize = count;
        spec.goalsPerHuman = 100;
        spec.zeta = 1.5;
        Training training(spec, {pairRoom(4), pairRoomWithWall(5)});
        training.collect(60);
        for (int i = 0; i < 7; ++i) QVERIFY(training.step().hasTrained);
        const auto found = mismatches(training, static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 5); ++i)
            qWarning("%s", found[i].c_str());
        QCOMPARE(found.size(), 0U);
    }
};

ORRERY_TEST(TargetsTest)
#include "targets_test.moc"
