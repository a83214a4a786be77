#include "core/replay/replay_buffer.h"

#include <QTest>
#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include "core/replay/replay_snapshot.h"
#include "tests/core/replay/filled_buffer.h"
#include "tests/core/replay/made_transitions.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

using Slot = ReplayBuffer::Slot;

bool isState(std::span<const std::byte> bytes, std::uint32_t number) {
    return std::ranges::equal(bytes, madeState(number));
}

/// Sum of (found - expected)^2 / expected over cells of one expectation.
double chiSquare(const std::vector<int>& found, double expected) {
    double sum = 0;
    for (const int n : found) sum += (n - expected) * (n - expected) / expected;
    return sum;
}

}  // namespace

/// What a buffer keeps, forgets, samples and counts.
class ReplayBufferTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTransitionComesBackAsItWas() {
        ReplayBuffer buffer(kMadeShape, 10);
        Transition given = madeTransition(3, 4, 2);
        given.reached = 1;
        given.endsEpisode = true;
        given.goals[0] = 0;
        auto model = madeModel(304);
        model->duration = {1, 2, 1, 0.5F};
        model->endsWorld = true;
        given.model = model;
        const Slot slot = buffer.add(given, 17);
        const StoredTransition& row = buffer.at(slot);
        QCOMPARE(row.episode, 3);
        QCOMPARE(row.insertedAt, 17);
        QCOMPARE(row.step, 4);
        QCOMPARE(row.collector, std::uint16_t{2});
        QCOMPARE(row.humanActions[0], std::uint8_t{1});
        QCOMPARE(row.goalWeights[0], 1.5F);
        QVERIFY(row.endsEpisode);
        const StoredModel& stored = buffer.modelOf(slot);
        QVERIFY(stored.endsWorld);
        QCOMPARE(stored.numRows(), 4U);
        QVERIFY(std::ranges::equal(stored.rowBegin(), model->rowBegin));
        QVERIFY(std::ranges::equal(stored.probability(), model->probability));
        QVERIFY(std::ranges::equal(stored.successor(), model->successor));
        QVERIFY(std::ranges::equal(stored.duration(), model->duration));
        QVERIFY(std::ranges::equal(stored.prior(), model->prior));
        QVERIFY(isState(buffer.states().at(stored.state), 304));
        QVERIFY(isState(buffer.states().at(stored.successors()[0]), 305));
        QVERIFY(isState(buffer.states().at(buffer.reachedState(slot)), 306));
    }

    void whatIsEqualIsKeptOnce() {
        ReplayBuffer buffer(kMadeShape, 1000);
        for (int i = 0; i < 100; ++i) buffer.add(madeTransition(0, 0), i);
        QCOMPARE(buffer.size(), std::size_t{100});
        QCOMPARE(buffer.statistics().models, 1);
        QCOMPARE(buffer.statistics().states, 3);
        QCOMPARE(buffer.statistics().shared, 99);
        // Its state is the successor of another, which adds one model and one state.
        auto before = madeModel(0);
        before->state = madeState(77);
        Transition other = madeTransition(0, 0);
        other.model = before;
        buffer.add(other, 100);
        QCOMPARE(buffer.statistics().models, 2);
        QCOMPARE(buffer.statistics().states, 4);
        // The same in another layout is another model of the same states.
        other.layout = 1;
        buffer.add(other, 101);
        QCOMPARE(buffer.statistics().models, 3);
        QCOMPARE(buffer.statistics().states, 4);
    }

    void modelsThatDifferInOneNumberAreTwo() {
        ReplayBuffer buffer(kMadeShape, 100);
        Transition transition = madeTransition(0, 0);
        buffer.add(transition, 0);
        const auto addOther = [&](auto&& change) {
            auto model = madeModel(0);
            change(*model);
            transition.model = model;
            buffer.add(transition, 0);
            return buffer.statistics().models;
        };
        QCOMPARE(addOther([](StepModel& m) { m.prior[1] = 0.25F; }), 2);
        QCOMPARE(addOther([](StepModel& m) { m.probability[3] = 0.5F; }), 3);
        QCOMPARE(addOther([](StepModel& m) { m.successor[0] = 1; }), 4);
        QCOMPARE(addOther([](StepModel& m) { m.profile = 2; }), 5);
        QCOMPARE(addOther([](StepModel& m) { m.endsWorld = true; }), 6);
        QCOMPARE(addOther([](StepModel& m) { m.duration = {1, 1, 1, 2}; }), 7);
        QCOMPARE(addOther([](StepModel& m) { m.successors[0] = std::byte{9}; }), 8);
        QCOMPARE(addOther([](StepModel&) {}), 8);
    }

    void theOldestMakesRoomAndTakesItsStatesAlong() {
        ReplayBuffer buffer(kMadeShape, 7);
        fill(buffer, 0, 70);
        QCOMPARE(buffer.size(), std::size_t{7});
        QCOMPARE(buffer.statistics().added, 70);
        QCOMPARE(buffer.statistics().evicted, 63);
        QCOMPARE(buffer.statistics().models, 7);
        QCOMPARE(buffer.statistics().states, 9);  // 900 to 906 and two that follow
        for (std::size_t i = 0; i < 7; ++i) {
            const Slot slot = buffer.slotOfAge(i);
            QCOMPARE(buffer.at(slot).insertedAt, 63 + static_cast<std::int64_t>(i));
            QVERIFY(isState(buffer.states().at(buffer.modelOf(slot).state),
                            900 + static_cast<std::uint32_t>(i)));
        }
        buffer.clear();
        QCOMPARE(buffer.size(), std::size_t{0});
        QCOMPARE(buffer.statistics().states, 0);
        QCOMPARE(buffer.statistics().models, 0);
        fill(buffer, 70, 75);
        QCOMPARE(buffer.size(), std::size_t{5});
        QCOMPARE(buffer.at(buffer.slotOfAge(0)).insertedAt, 70);
    }

    void theNextStepIsFoundWhileItIsThere() {
        ReplayBuffer buffer(kMadeShape, 8);
        // Two collectors take turns; the second loses its step 2.
        std::vector<Slot> a, b;
        for (int step = 0; step < 4; ++step) {
            a.push_back(buffer.add(madeTransition(0, step, 0), step));
            if (step != 2) b.push_back(buffer.add(madeTransition(0, step, 1), step));
        }
        QCOMPARE(buffer.next(a[0]), a[1]);
        QCOMPARE(buffer.next(a[2]), a[3]);
        QCOMPARE(buffer.next(a[3]), ReplayBuffer::kNone);
        QCOMPARE(buffer.next(b[0]), b[1]);
        QCOMPARE(buffer.next(b[1]), ReplayBuffer::kNone);
        const Slot newEpisode = buffer.add(madeTransition(1, 0, 0), 9);
        QCOMPARE(buffer.next(a[3]), ReplayBuffer::kNone);
        // The ring turns: what follows a step that was overwritten is no continuation of it.
        for (int step = 1; step < 20; ++step) {
            const Slot slot = buffer.add(madeTransition(1, step, 0), 9);
            if (step == 1) QCOMPARE(buffer.next(newEpisode), slot);
            QCOMPARE(buffer.next(slot), ReplayBuffer::kNone);
        }
    }

    void aSampleHasNoTransitionTwice() {
        ReplayBuffer buffer(kMadeShape, 50);
        fill(buffer, 0, 120);
        Rng rng(1);
        std::vector<Slot> out;
        for (const std::size_t count : {1U, 10U, 49U, 50U}) {
            buffer.sample(count, 0, rng, out);
            QCOMPARE(out.size(), count);
            QCOMPARE(std::set<Slot>(out.begin(), out.end()).size(), count);
        }
        buffer.sample(99, 0, rng, out);
        QCOMPARE(out.size(), std::size_t{50});
        buffer.sample(99, 110, rng, out);  // training steps 110 to 119
        QCOMPARE(out.size(), std::size_t{10});
        for (const Slot slot : out) QVERIFY(buffer.at(slot).insertedAt >= 110);
        QCOMPARE(buffer.numSince(110), std::size_t{10});
        QCOMPARE(buffer.numSince(0), std::size_t{50});
        QCOMPARE(buffer.numSince(200), std::size_t{0});
        buffer.sample(5, 200, rng, out);
        QVERIFY(out.empty());
    }

    void allTransitionsAreEquallyLikely_data() {
        QTest::addColumn<int>("count");
        for (const int count : {1, 8, 30}) QTest::addRow("%d of 40", count) << count;
    }
    void allTransitionsAreEquallyLikely() {
        QFETCH(int, count);
        ReplayBuffer buffer(kMadeShape, 50);
        fill(buffer, 0, 120);
        Rng rng(7);
        std::vector<Slot> out;
        std::vector<int> drawn(40);
        std::vector<int> pairs(40);  // drawn together with the oldest
        constexpr int kDraws = 40'000;
        for (int k = 0; k < kDraws; ++k) {
            buffer.sample(static_cast<std::size_t>(count), 80, rng, out);
            const bool hasFirst = std::ranges::any_of(
                out, [&](Slot slot) { return buffer.at(slot).insertedAt == 80; });
            for (const Slot slot : out) {
                const auto i = static_cast<std::size_t>(buffer.at(slot).insertedAt - 80);
                ++drawn[i];
                pairs[i] += hasFirst ? 1 : 0;
            }
        }
        // 39 degrees of freedom: above 72.1 with a chance of 0.001 (less, as sets hold no doubles).
        QVERIFY(chiSquare(drawn, kDraws * count / 40.0) < 72.1);
        if (count == 1) return;
        pairs.erase(pairs.begin());
        QVERIFY(chiSquare(pairs, kDraws * count * (count - 1) / (40.0 * 39.0)) < 70.7);
    }

    void equalCallsGiveEqualSamples() {
        ReplayBuffer first(kMadeShape, 50), second(kMadeShape, 50);
        Rng one(3), two(3);
        std::vector<Slot> a, b;
        for (int k = 0; k < 200; ++k) {
            fill(first, k, k + 1);
            fill(second, k, k + 1);
            first.sample(8, k / 2, one, a);
            second.sample(8, k / 2, two, b);
            QCOMPARE(a, b);
        }
    }

    void aNoteStaysWithItsStateAndGoesWithIt() {
        ReplayBuffer buffer(kMadeShape, 3);
        fill(buffer, 0, 3);
        const auto state = buffer.modelOf(buffer.slotOfAge(0)).state;
        QCOMPARE(buffer.note(state), StateStore::kNoNote);
        buffer.note(state) = 42;
        fill(buffer, 3, 4);  // the first state is gone, its place is taken again
        std::set<std::uint32_t> notes;
        for (std::size_t i = 0; i < 3; ++i)
            notes.insert(buffer.note(buffer.modelOf(buffer.slotOfAge(i)).state));
        QCOMPARE(notes, std::set<std::uint32_t>{StateStore::kNoNote});
        const auto kept = buffer.modelOf(buffer.slotOfAge(2)).state;
        buffer.note(kept) = 7;
        buffer.add(madeTransition(0, 3), 9);
        QCOMPARE(buffer.note(kept), 7U);
    }

    void aSnapshotDoesNotChange() {
        ReplayBuffer buffer(kMadeShape, 5000);
        fill(buffer, 0, 6000);
        const auto snapshot = buffer.snapshot();
        const auto expect = [&](std::size_t i) {
            const std::int64_t number = 1000 + static_cast<std::int64_t>(i);
            const auto state = static_cast<std::uint32_t>(number / 7 * 100 + number % 7);
            return snapshot->at(i).insertedAt == number &&
                   isState(snapshot->stateBefore(i), state) &&
                   isState(snapshot->stateAfter(i), state + 1) &&
                   snapshot->modelOf(i).numEntries() == 5;
        };
        fill(buffer, 6000, 17'000);  // every place is written anew
        QCOMPARE(snapshot->size(), std::size_t{5000});
        QCOMPARE(snapshot->statistics().newestStep, 5999);
        for (std::size_t i = 0; i < 5000; ++i)
            if (!expect(i)) QFAIL(qPrintable(QString("transition %1").arg(i)));
        const auto later = buffer.snapshot();
        QCOMPARE(later->at(0).insertedAt, 12'000);
    }

    void anotherThreadReadsSnapshotsWhileTheBufferGoesOn() {
        ReplayBuffer buffer(kMadeShape, 3000);
        fill(buffer, 0, 3000);
        for (int round = 0; round < 8; ++round) {
            std::vector<std::int64_t> found;
            std::jthread reader([snapshot = buffer.snapshot(), &found] {
                for (std::size_t i = 0; i < snapshot->size(); ++i) {
                    const std::int64_t number = snapshot->at(i).insertedAt;
                    const auto state = static_cast<std::uint32_t>(number / 7 * 100 + number % 7);
                    if (isState(snapshot->stateBefore(i), state) &&
                        isState(snapshot->stateAfter(i), state + 1))
                        found.push_back(number);
                }
            });
            fill(buffer, 3000 + 4000 * round, 7000 + 4000 * round);
            reader.join();
            QCOMPARE(found.size(), std::size_t{3000});
            QCOMPARE(found.front(), round == 0 ? 0 : 4000 * round);
        }
    }

    void statisticsCountAges() {
        ReplayBuffer buffer(kMadeShape, 100);
        for (int i = 0; i < 100; ++i) buffer.add(madeTransition(0, 0), i < 50 ? 0 : 200);
        ReplayStatistics s = buffer.statistics();
        QCOMPARE(s.oldestStep, 0);
        QCOMPARE(s.newestStep, 200);
        QCOMPARE(s.byAge.size(), std::size_t{20});
        QCOMPARE(s.byAge.front(), 50);
        QCOMPARE(s.byAge.back(), 50);
        QCOMPARE(s.bytes(), static_cast<std::int64_t>(buffer.allocatedBytes()));
        buffer.clear();
        fill(buffer, 300, 340);
        s = buffer.statistics();
        std::int64_t all = 0;
        for (const std::int64_t n : s.byAge) all += n;
        QCOMPARE(all, 40);
        QCOMPARE(s.byAge.front(), 2);
    }
};

ORRERY_TEST(ReplayBufferTest)
#include "replay_buffer_test.moc"
