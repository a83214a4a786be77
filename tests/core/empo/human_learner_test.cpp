// Learning the humans' policies: targets one by one, and what tables come to.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/base/error.h"
#include "core/collect/facts.h"
#include "core/dag/state_graph.h"
#include "core/empo/learner/human_learner.h"
#include "core/encode/state_encoder.h"
#include "core/grid/grid_world.h"
#include "tests/core/empo/training.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Two humans on ground that makes them stumble, and two robots.
std::shared_ptr<const World> unsteadyYard() {
    GridWorldSpec spec;
    spec.metadata.name = "unsteady yard";
    spec.map = {"WeWeWeWeWeWe", "WeAyUn..AeWe", "We..UnAyAeWe", "WeWeWeWeWeWe"};
    spec.maxSteps = 4;
    spec.possibleGoals = {Goal{1, 1, 1, 1}, Goal{3, 1, 3, 2}, Goal{1, 2, 2, 2}};
    spec.goalWeights = {0.5, 1.0, 0.25};
    return makeWorld(spec);
}

EmpoSpec learnedPrior(Approximator kind) {
    EmpoSpec spec = kind == Approximator::Table ? tabularSpec() : networkSpec();
    spec.humanPrior = HumanPrior::Learned;
    spec.q_h.kind = kind;
    spec.q_h.targetCopySteps = 2;
    return spec;
}

/// Phase 1 alone: a learner of the humans and a buffer that was filled by chance.
struct Humans {
    std::vector<WorldFacts> worlds;
    std::shared_ptr<const ValueFacts> facts;
    std::shared_ptr<StateRows> rows = std::make_shared<StateRows>();
    ReplayBuffer buffer;
    HumanLearner learner;
    StateBatcher batcher;
    std::vector<ReplayBuffer::Slot> slots;
    std::vector<StateRows::Row> stateRows;

    Humans(const EmpoSpec& spec, const Worlds& of, int transitions)
        : worlds(factsOf(of)),
          facts(std::make_shared<ValueFacts>(spec, worlds, at::kCPU)),
          buffer(worlds.front().shape, 2'000),
          learner(spec, facts, facts, at::kCPU, rows),
          batcher(facts) {
        std::vector<CollectorWorld> list;
        for (std::size_t i = 0; i < of.size(); ++i)
            list.push_back(
                {.world = of[i], .facts = worlds[i], .policy = makeUniformPolicy(*of[i])});
        Collector collector({.seed = 3}, std::move(list));
        for (int i = 0; i < transitions; ++i) buffer.add(collector.step({}), 0);
    }

    const HumanBatch& flatten(std::size_t size, Rng& rng) {
        buffer.sample(size, 0, rng, slots);
        return learner.flatten(buffer, slots, rng);
    }
    const StateBatch& read(const HumanBatch& batch) {
        std::vector<const std::byte*> places;
        stateRows.clear();
        for (std::size_t i = 0; i < batch.states.size(); ++i) {
            const auto bytes = buffer.states().at(batch.states[i]);
            places.push_back(bytes.data());
            stateRows.push_back(rows->add(fingerprintOf(bytes, batch.layouts[i])));
        }
        learner.growTo(rows->size());
        return batcher.make(places, batch.layouts, stateRows, learner.nets());
    }
    void train(int steps, double rate) {
        for (int i = 0; i < steps; ++i) {
            Rng rng(11, static_cast<std::uint64_t>(i));
            const HumanBatch& batch = flatten(8, rng);
            if (batch.questions.size() == 0) continue;
            const double norm = learner.differ(batch, read(batch), i, rate, nullptr);
            QVERIFY(std::isfinite(norm) && norm > 0);
            learner.apply(rate);
            if (i % 2 == 0) learner.copyTarget();
        }
    }
};

/// Q_h of one state, human and goal, read by itself.
std::vector<double> readQ_h(const HumanValues& values, std::span<const std::byte> state, int layout,
                            int human, int goal) {
    const GoalList& goals = values.facts->goals;
    FlatBatch::Pairs pair;
    pair.add(0, human,
             goals.humans[static_cast<std::size_t>(layout)][static_cast<std::size_t>(human)].first +
                 goal,
             std::int64_t{human} * goals.maxGoals + goal);
    const std::byte* place = state.data();
    const auto number = static_cast<std::uint16_t>(layout);
    const StateRows::Row row =
        values.rows->find(fingerprintOf(state, static_cast<std::uint64_t>(layout)));
    StateBatcher batcher(values.facts);
    const at::Tensor q_h =
        q_hOf(values, batcher.make({&place, 1}, {&number, 1}, {&row, 1}, values.nets.get()), pair)
            .contiguous();
    const float* from = q_h.const_data_ptr<float>();
    return {from, from + q_h.numel()};
}

bool holds(const WorldFacts& facts, std::span<const std::byte> state, int human, int goal) {
    const auto& own = facts.humans[static_cast<std::size_t>(human)];
    const GoalRectangle& box = own.goals[static_cast<std::size_t>(goal)];
    const auto agents = partsOf(facts.shape, state).agents;
    const int x = agents[static_cast<std::size_t>(own.slot) * EncodingShape::kAgentNumbers];
    const int y = agents[static_cast<std::size_t>(own.slot) * EncodingShape::kAgentNumbers + 1];
    return x >= box.x1 && x <= box.x2 && y >= box.y1 && y <= box.y2;
}

double v_hOf(const std::vector<double>& q_h, double beta_h) {
    const double best = *std::ranges::max_element(q_h);
    double sum = 0, mass = 0;
    for (const double q : q_h) {
        const double weight =
            beta_h == kInfinity ? (q >= best - 1e-5 ? 1 : 0) : std::exp(beta_h * (q - best));
        sum += weight * q;
        mass += weight;
    }
    return sum / mass;
}

/// V_h of a state, human and goal, each read once.
using KnownValues = std::map<std::tuple<StateStore::Index, int, int, int>, double>;

/// The target of one own action by plain loops.
double naiveTarget(KnownValues& known, const Humans& humans, const EmpoSpec& spec,
                   const StoredModel& model, int human, int goal, int ownAction) {
    const WorldFacts& facts = humans.worlds[model.layout];
    const int numRobotActions = facts.numRobotActions();
    double sum = 0;
    int profiles = 0;
    for (int profile = 0; profile < facts.numHumanProfiles(); ++profile) {
        int rest = profile, action = -1;
        for (int h = static_cast<int>(facts.humans.size()) - 1; h >= 0; --h) {
            const int count = facts.humans[static_cast<std::size_t>(h)].numActions;
            if (h == human) action = rest % count;
            rest /= count;
        }
        if (action != ownAction) continue;
        ++profiles;
        double chosen = spec.optimistic ? -1 : 2;
        for (int r = 0; r < numRobotActions; ++r) {
            const auto row = static_cast<std::size_t>(profile) * numRobotActions + r;
            double value = 0;
            for (auto k = model.rowBegin()[row]; k < model.rowBegin()[row + 1]; ++k) {
                const StateStore::Index index = model.successors()[model.successor()[k]];
                const auto state = humans.buffer.states().at(index);
                const double p = model.probability()[k];
                if (holds(facts, state, human, goal)) {
                    value += p;
                    continue;
                }
                if (model.endsWorld) continue;
                const auto [at, isNew] = known.try_emplace({index, model.layout, human, goal});
                if (isNew)
                    at->second =
                        v_hOf(readQ_h(humans.learner.target(), state, model.layout, human, goal),
                              spec.beta_h);
                value += p * spec.gamma_h * at->second;
            }
            chosen = spec.optimistic ? std::max(chosen, value) : std::min(chosen, value);
        }
        sum += chosen;
    }
    return sum / profiles;
}

}  // namespace

class HumanLearnerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void batchedTargetsEqualTheNaiveOnes_data() {
        QTest::addColumn<int>("world");
        QTest::addColumn<bool>("isTable");
        QTest::addColumn<bool>("optimistic");
        QTest::addColumn<double>("beta_h");
        const char* worlds[] = {"pair", "two humans and robots", "both layouts"};
        for (int world = 0; world < 3; ++world)
            for (const bool isTable : {true, false})
                for (const bool optimistic : {false, true})
                    for (const double beta_h : {7.0, 0.0, kInfinity})
                        QTest::addRow("%s, %s%s, beta %g", worlds[world],
                                      isTable ? "table" : "network",
                                      optimistic ? ", optimistic" : "", beta_h)
                            << world << isTable << optimistic << beta_h;
    }
    void batchedTargetsEqualTheNaiveOnes() {
        QFETCH(int, world);
        QFETCH(bool, isTable);
        QFETCH(bool, optimistic);
        QFETCH(double, beta_h);
        EmpoSpec spec = learnedPrior(isTable ? Approximator::Table : Approximator::Network);
        spec.optimistic = optimistic;
        spec.beta_h = beta_h;
        spec.gamma_h = 0.9;
        const Worlds list[] = {{pairRoom(4)}, {unsteadyYard()}, {pairRoom(4), pairRoomWithWall(5)}};
        Humans humans(spec, list[world], 80);
        humans.train(isTable ? 12 : 60, 1e-2);
        Rng rng(5);
        const HumanBatch& batch = humans.flatten(world == 1 ? 6 : 40, rng);
        QVERIFY(batch.questions.size() > 0);
        const at::Tensor targets =
            humanTargets(batch, humans.read(batch), humans.learner.target()).contiguous();
        const float* at = targets.const_data_ptr<float>();
        std::size_t question = 0;
        KnownValues known;
        double most = 0, greatest = 0;
        for (const ReplayBuffer::Slot slot : humans.slots) {
            const StoredModel& model = humans.buffer.modelOf(slot);
            const WorldFacts& facts = humans.worlds[model.layout];
            for (int h = 0; h < std::ssize(facts.humans); ++h) {
                const auto& own = facts.humans[static_cast<std::size_t>(h)];
                for (int g = 0; g < std::ssize(own.goals); ++g) {
                    if (holds(facts, humans.buffer.states().at(model.state), h, g)) continue;
                    const std::int64_t column = std::int64_t{h} * humans.facts->goals.maxGoals + g;
                    // A network is asked about one goal of each human, which chance chose.
                    if (question >= batch.questions.size() ||
                        batch.questions.column[question] != column ||
                        batch.states[static_cast<std::size_t>(batch.questions.state[question])] !=
                            model.state)
                        continue;
                    for (int a = 0; a < own.numActions; ++a) {
                        const double naive = naiveTarget(known, humans, spec, model, h, g, a);
                        greatest = std::max(greatest, naive);
                        most = std::max(most, std::abs(naive - double{*at++}));
                    }
                    ++question;
                }
            }
        }
        QCOMPARE(question, batch.questions.size());
        QVERIFY(greatest > 0.05);
        QVERIFY2(most < 1e-6, qPrintable(QString::number(most)));
    }

    void aTableFindsTheExactPrior_data() {
        QTest::addColumn<double>("beta_h");
        QTest::newRow("beta_h 10") << 10.0;
        QTest::newRow("the best actions") << kInfinity;
    }
    void aTableFindsTheExactPrior() {
        QFETCH(double, beta_h);
        EmpoSpec spec = learnedPrior(Approximator::Table);
        spec.beta_h = beta_h;
        spec.tableRateFloor = 0.2;
        spec.q_h.targetCopySteps = 1;
        spec.q_h.warmupSteps = 3'000;
        spec.epsilonStart_r = spec.epsilonStart_h = 1;
        const auto world = pairRoom(4);
        const auto exact = solveExactly(world, spec);
        Training training(spec, {world});
        QVERIFY(training.learner().humanPolicies() == nullptr);
        for (int i = 0; i < 3'000; ++i) {
            const StepReport report = training.step();
            QCOMPARE(report.hasHumans, i == 2'999);
        }
        const auto humans = training.learner().humanPolicies();
        QVERIFY(humans != nullptr);

        const StateGraph& graph = exact->graph();
        const WorldFacts& facts = training.facts().front();
        StateEncoder encoder(*world, {.shape = facts.shape});
        std::vector<std::int32_t> encoded(facts.shape.bytes() / sizeof(std::int32_t));
        const auto bytes = std::as_writable_bytes(std::span(encoded));
        std::vector<float> learned(facts.priorNumbers());
        HumanReader reader(humans);
        double sum = 0, worst = 0;
        int count = 0, attained = 0;
        for (int step = 0; step < world->maxSteps(); ++step)
            for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c) {
                if (!graph.inLevel(step, c)) continue;
                encoder.encode(graph.configuration(c), step, bytes);
                reader.pi_h(bytes, 0, learned);
                const StateValues values = exact->values({step, c});
                for (std::size_t g = 0; g < values.pi_h[0].size(); ++g) {
                    double variation = 0, mass = 0;
                    for (std::size_t a = 0; a < 4; ++a) {
                        mass += double{learned[g * 4 + a]};
                        variation += std::abs(values.pi_h[0][g][a] - learned[g * 4 + a]) / 2;
                    }
                    QVERIFY(std::abs(mass - 1) < 1e-5);
                    sum += variation;
                    worst = std::max(worst, variation);
                    ++count;
                    if (holds(facts, bytes, 0, static_cast<int>(g))) {
                        ++attained;
                        QVERIFY(variation == 0);
                    }
                }
            }
        qInfo("%d policies, %d of them at the goal: total variation %.2g, at most %.2g", count,
              attained, sum / (count - attained), worst);
        QVERIFY(sum / (count - attained) < 0.02);
    }

    void aLearnerGoesOnWhereItWasSaved_data() {
        QTest::addColumn<bool>("isTable");
        QTest::newRow("table") << true;
        QTest::newRow("network") << false;
    }
    void aTableThatNothingReachedIsReadBack() {
        EmpoSpec spec = learnedPrior(Approximator::Table);
        spec.adaptiveTables = false;
        Training early(spec, {pairRoom(4)}), other(spec, {pairRoom(4)});
        early.step();
        other.load(early.save());
        for (int i = 0; i < 40; ++i) early.step(), other.step();
        QVERIFY(other.save().learner == early.save().learner);
    }

    void aLearnerGoesOnWhereItWasSaved() {
        QFETCH(bool, isTable);
        EmpoSpec spec = learnedPrior(isTable ? Approximator::Table : Approximator::Network);
        spec.adaptiveTables = false;
        spec.q_h.warmupSteps = 40;
        spec.batchSize = 8;
        Training straight(spec, {pairRoom(4)}), other(spec, {pairRoom(4)});
        for (int i = 0; i < 25; ++i) straight.step();
        other.load(straight.save());
        for (int i = 0; i < 30; ++i) straight.step(), other.step();
        QVERIFY(other.save().learner == straight.save().learner);
        // And once more after the humans' stage.
        Training later(spec, {pairRoom(4)});
        later.load(straight.save());
        QVERIFY(later.learner().humanPolicies() != nullptr);
        for (int i = 0; i < 10; ++i) straight.step(), later.step();
        QVERIFY(later.save().learner == straight.save().learner);
    }

    void aCheckpointWithoutHumansIsRefusedInOneLine() {
        EmpoSpec spec = learnedPrior(Approximator::Table);
        Training with(spec, {pairRoom(4)});
        spec.humanPrior = HumanPrior::Auto;
        Training without(spec, {pairRoom(4)});
        without.collect(50);
        without.step();
        try {
            with.load(without.save());
            QFAIL("went on without what it needs");
        } catch (const Error& error) {
            QVERIFY(QByteArray(error.what()).contains("human_prior"));
            QVERIFY(!QByteArray(error.what()).contains('\n'));
        }
    }
};

ORRERY_TEST(HumanLearnerTest)
#include "human_learner_test.moc"
