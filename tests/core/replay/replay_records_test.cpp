#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/replay/replay_buffer.h"
#include "tests/core/replay/filled_buffer.h"
#include "tests/core/replay/made_transitions.h"
#include "tests/support/test_program.h"

using namespace orrery;
using namespace orrery::test;

namespace {

using Slot = ReplayBuffer::Slot;
using Records = std::vector<std::vector<std::byte>>;

Records saved(const ReplayBuffer& buffer) {
    Records records;
    buffer.save([&](std::span<const std::byte> record) {
        records.emplace_back(record.begin(), record.end());
    });
    return records;
}

void load(ReplayBuffer& buffer, const Records& records) {
    std::size_t next = 0;
    buffer.load([&](std::span<const std::byte>& record) {
        if (next == records.size()) return false;
        record = records[next++];
        return true;
    });
}

}  // namespace

/// A buffer that is saved in records and loaded from them, and fingerprints of states.
class ReplayRecordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLoadedBufferGoesOnAsIfItHadNotBeenSaved_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<bool>("clears");
        QTest::newRow("empty") << 0 << false;
        QTest::newRow("not full") << 30 << false;
        QTest::newRow("turned around") << 123 << false;
        QTest::newRow("cleared") << 123 << true;
    }
    void aLoadedBufferGoesOnAsIfItHadNotBeenSaved() {
        QFETCH(int, before);
        QFETCH(bool, clears);
        ReplayBuffer buffer(kMadeShape, 50), again(kMadeShape, 50);
        fill(buffer, 0, before);
        if (clears) buffer.clear();
        const Records records = saved(buffer);
        fill(again, 0, 20);  // what was there is replaced
        load(again, records);
        QCOMPARE(saved(again), records);
        QCOMPARE(again.statistics().models, buffer.statistics().models);
        Rng one(3), two(3);
        std::vector<Slot> a, b;
        for (int k = 0; k < 150; ++k) {
            fill(buffer, before + k, before + k + 1);
            fill(again, before + k, before + k + 1);
            buffer.sample(8, 0, one, a);
            again.sample(8, 0, two, b);
            QCOMPARE(a, b);
            for (const Slot slot : a) {
                QCOMPARE(buffer.modelOf(slot).state, again.modelOf(slot).state);
                QVERIFY(std::ranges::equal(buffer.modelOf(slot).successors(),
                                           again.modelOf(slot).successors()));
                QCOMPARE(buffer.next(slot), again.next(slot));
            }
        }
        QCOMPARE(saved(again), saved(buffer));
        const ReplayStatistics s = buffer.statistics(), t = again.statistics();
        QVERIFY(s.states == t.states && s.models == t.models && s.sampled == t.sampled &&
                s.shared == t.shared);
    }

    void anotherCapacityKeepsTheNewestThatFit_data() {
        QTest::addColumn<int>("before");
        QTest::addColumn<std::size_t>("capacity");
        for (const int before : {0, 30, 50, 123})
            for (const std::size_t capacity : {7, 20, 49, 51, 200})
                QTest::addRow("%d in 50, then %zu", before, capacity) << before << capacity;
    }
    void anotherCapacityKeepsTheNewestThatFit() {
        QFETCH(int, before);
        QFETCH(std::size_t, capacity);
        ReplayBuffer buffer(kMadeShape, 50), other(kMadeShape, capacity);
        // What a buffer of that capacity holds of the transitions that the first one has.
        ReplayBuffer right(kMadeShape, capacity);
        fill(buffer, 0, before);
        fill(right, std::max(0, before - 50), before);
        load(other, saved(buffer));
        const auto requireEqual = [&](int newest) {
            QCOMPARE(other.size(), right.size());
            for (std::size_t i = 0; i < other.size(); ++i) {
                const Slot slot = other.slotOfAge(i), same = right.slotOfAge(i);
                const auto number = newest - static_cast<std::int64_t>(other.size() - i);
                QCOMPARE(other.at(slot).insertedAt, number);
                QVERIFY(std::ranges::equal(other.states().at(other.modelOf(slot).state),
                                           right.states().at(right.modelOf(same).state)));
                // The steps of an episode still follow each other.
                const Slot next = other.next(slot);
                QCOMPARE(next == ReplayBuffer::kNone, right.next(same) == ReplayBuffer::kNone);
                if (next != ReplayBuffer::kNone) QCOMPARE(next, other.slotOfAge(i + 1));
            }
            // What was left out took its states and models along.
            QCOMPARE(other.statistics().states, right.statistics().states);
            QCOMPARE(other.statistics().models, right.statistics().models);
            QCOMPARE(other.statistics().evicted, newest - static_cast<std::int64_t>(other.size()));
        };
        requireEqual(before);
        fill(other, before, before + 3);  // in the middle of an episode
        fill(right, before, before + 3);
        requireEqual(before + 3);
        fill(other, before + 3, before + 300);
        fill(right, before + 3, before + 300);
        requireEqual(before + 300);
        ReplayBuffer again(kMadeShape, capacity);
        load(again, saved(other));
        QCOMPARE(saved(again), saved(other));
    }

    void damagedRecordsAreRefused() {
        ReplayBuffer buffer(kMadeShape, 20);
        fill(buffer, 0, 33);
        const Records good = saved(buffer);
        QVERIFY(good.size() >= 5);
        int refused = 0;
        const auto requireRefusal = [&](const Records& bad, const char* what) {
            try {
                load(buffer, bad);
            } catch (const Error& e) {
                if (e.kind() != Error::Kind::Damaged && e.kind() != Error::Kind::BadInput)
                    QFAIL(what);
                QCOMPARE(buffer.size(), std::size_t{0});
                QCOMPARE(buffer.statistics().states, 0);
                ++refused;
                return;
            }
            QFAIL(what);
        };
        Rng rng(11);
        for (std::size_t r = 0; r < good.size(); ++r) {
            for (int k = 0; k < 60; ++k) {
                Records bad = good;
                bad[r][rng.below(bad[r].size())] ^= static_cast<std::byte>(1U << rng.below(8));
                requireRefusal(bad, "a changed bit");
            }
            Records bad = good;
            bad[r].pop_back();
            requireRefusal(bad, "a cut record");
            bad = good;
            bad.erase(bad.begin() + static_cast<std::ptrdiff_t>(r));
            requireRefusal(bad, "a missing record");
        }
        Records more = good;
        more.push_back({std::byte{1}});
        requireRefusal(more, "a record too many");
        load(buffer, good);
        QCOMPARE(saved(buffer), good);
        qInfo("%d damaged buffers refused", refused);
    }

    void whatDoesNotFitIsRefused() {
        ReplayBuffer buffer({.width = 3, .height = 3, .numAgents = 1}, 20);
        QVERIFY_THROWS_EXCEPTION(Error, buffer.add(madeTransition(0, 0), 0));
        ReplayBuffer other(kMadeShape, 20);
        fill(other, 0, 5);
        const Records records = saved(other);
        QVERIFY_THROWS_EXCEPTION(Error, load(buffer, records));
        QVERIFY_THROWS_EXCEPTION(Error, ReplayBuffer(kMadeShape, 0));
    }

    void fingerprintsTellBytesApart() {
        std::set<Fingerprint> seen;
        std::vector<std::byte> bytes(508);
        Rng rng(5);
        for (std::byte& b : bytes) b = static_cast<std::byte>(rng.below(3));
        seen.insert(fingerprintOf(bytes));
        seen.insert(fingerprintOf(bytes, 1));
        for (std::size_t i = 0; i < bytes.size(); ++i)
            for (unsigned bit = 0; bit < 8; ++bit) {
                bytes[i] ^= static_cast<std::byte>(1U << bit);
                seen.insert(fingerprintOf(bytes));
                bytes[i] ^= static_cast<std::byte>(1U << bit);
            }
        for (std::size_t n = 0; n < bytes.size(); ++n)
            seen.insert(fingerprintOf(std::span(bytes).first(n)));
        QCOMPARE(seen.size(), 2 + 508 * 9);
        // Half of the bits of each word change with a bit of the bytes.
        double high = 0, low = 0;
        const Fingerprint first = fingerprintOf(bytes);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] ^= std::byte{1};
            const Fingerprint other = fingerprintOf(bytes);
            bytes[i] ^= std::byte{1};
            high += std::popcount(first.high ^ other.high);
            low += std::popcount(first.low ^ other.low);
        }
        QVERIFY(std::abs(high / 508 - 32) < 1);
        QVERIFY(std::abs(low / 508 - 32) < 1);
    }
};

ORRERY_TEST(ReplayRecordsTest)
#include "replay_records_test.moc"
