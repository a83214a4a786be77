#include "core/replay/state_store.h"

#include <QTest>
#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "tests/support/test_program.h"

using namespace orrery;

namespace {

constexpr std::size_t kBytes = 508;

/// A state that only its number tells from others, in the way that most states differ: by little.
std::vector<std::byte> state(std::uint32_t number, std::size_t bytes = kBytes) {
    std::vector<std::byte> result(bytes, std::byte{0x1d});
    std::memcpy(result.data() + bytes - 4, &number, 4);
    return result;
}

}  // namespace

class StateStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEqualStateIsKeptOnce() {
        StateStore store(kBytes);
        const auto first = store.add(state(1));
        const auto second = store.add(state(2));
        QCOMPARE(store.add(state(1)), first);
        QVERIFY(first != second);
        QCOMPARE(store.size(), std::size_t{2});
        QVERIFY(std::ranges::equal(store.at(first), state(1)));
        QVERIFY(std::ranges::equal(store.at(second), state(2)));
    }

    void aStateGoesWithItsLastHolder() {
        StateStore store(kBytes);
        const auto index = store.add(state(1));
        store.add(state(1));
        store.hold(index);
        store.release(index);
        store.release(index);
        QCOMPARE(store.size(), std::size_t{1});
        store.release(index);
        QCOMPARE(store.size(), std::size_t{0});
        const std::size_t before = store.allocatedBytes();
        QCOMPARE(store.add(state(7)), index);  // its place is used again
        QCOMPARE(store.allocatedBytes(), before);
        QVERIFY(std::ranges::equal(store.at(index), state(7)));
    }

    void anyOrderOfAddingAndReleasingAgreesWithAMap_data() {
        QTest::addColumn<int>("bytes");
        for (const int bytes : {4, 12, 36, 508}) QTest::addRow("%d", bytes) << bytes;
    }
    void anyOrderOfAddingAndReleasingAgreesWithAMap() {
        QFETCH(int, bytes);
        StateStore store(static_cast<std::size_t>(bytes));
        std::map<std::uint32_t, std::vector<StateStore::Index>> held;
        std::mt19937 random(5);
        for (int i = 0; i < 200'000; ++i) {
            // It fills in the first half and drains in the second.
            const bool adds = random() % 100 < (i < 100'000 ? 65U : 35U);
            const auto number = static_cast<std::uint32_t>(random() % 20'000);
            auto& holders = held[number];
            if (adds) {
                const auto index = store.add(state(number, static_cast<std::size_t>(bytes)));
                if (!holders.empty()) QCOMPARE(index, holders.front());
                holders.push_back(index);
            } else if (!holders.empty()) {
                store.release(holders.back());
                holders.pop_back();
            }
        }
        std::size_t expected = 0;
        for (const auto& [number, holders] : held) {
            if (holders.empty()) continue;
            ++expected;
            const auto wanted = state(number, static_cast<std::size_t>(bytes));
            QVERIFY(std::ranges::equal(store.at(holders.front()), wanted));
            QCOMPARE(store.add(wanted), holders.front());
        }
        QVERIFY(expected > 100);
        QCOMPARE(store.size(), expected);
    }

    void aStateCostsAtMostTwelveBytesMore() {
        StateStore store(kBytes);
        double worst = 0;
        for (std::uint32_t i = 0; i < 200 * 1024; ++i) {
            store.add(state(i));
            if ((i + 1) % 1024 == 0 && i > 50 * 1024)
                worst = std::max(worst, static_cast<double>(store.allocatedBytes()) / (i + 1));
        }
        qInfo("%.2f bytes a state of %zu at most", worst, kBytes);
        QVERIFY(worst <= 520);
    }
};

ORRERY_TEST(StateStoreTest)
#include "state_store_test.moc"
