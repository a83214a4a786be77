#include <QTest>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/nn/learned_table.h"
#include "core/nn/state_rows.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

using Row = StateRows::Row;
using Rows = std::vector<Row>;
using Columns = std::vector<std::int32_t>;
using Gradients = std::vector<float>;

Fingerprint print(std::uint64_t n) {
    return fingerprintOf(std::as_bytes(std::span(&n, 1)));
}

/// Adam as it is published, in double.
struct DenseAdam {
    double m = 0, v = 0, value = 0;
    int t = 0;

    void step(double gradient, double rate) {
        ++t;
        m = 0.9 * m + 0.1 * gradient;
        v = 0.999 * v + 0.001 * gradient * gradient;
        value -=
            rate * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    }
};

std::vector<float> allValues(LearnedTable& table) {
    return table.arrays().values;
}

}  // namespace

class TablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreNumberedInTheOrderOfFirstAddition() {
        StateRows rows;
        QCOMPARE(rows.find(print(7)), StateRows::kNone);
        QCOMPARE(rows.add(print(7)), 0);
        QCOMPARE(rows.add(print(3)), 1);
        QCOMPARE(rows.add(print(7)), 0);
        QCOMPARE(rows.find(print(3)), 1);
        QCOMPARE(rows.size(), 2);
    }

    void manyRowsStayAndAreRestored() {
        StateRows rows;
        constexpr Row kCount = 300'000;
        for (Row n = 0; n < kCount; ++n)
            QCOMPARE(rows.add(print(static_cast<std::uint64_t>(n))), n);
        for (Row n = 0; n < kCount; ++n)
            QCOMPARE(rows.find(print(static_cast<std::uint64_t>(n))), n);
        QCOMPARE(rows.find(print(kCount)), StateRows::kNone);
        QVERIFY2(rows.allocatedBytes() < std::size_t{kCount} * 200,
                 qPrintable(QString::number(rows.allocatedBytes())));

        StateRows again;
        for (const Fingerprint& state : rows.fingerprints()) again.add(state);
        for (Row n = 0; n < kCount; n += 1000)
            QCOMPARE(again.find(print(static_cast<std::uint64_t>(n))), n);
    }

    void whatIsAddedIsFoundByOthersMeanwhile() {
        StateRows rows;
        constexpr Row kCount = 60'000;
        constexpr int kReaders = 2;
        std::atomic<int> wrong{0};
        {
            std::vector<std::jthread> readers;
            readers.reserve(kReaders);
            for (int reader = 0; reader < kReaders; ++reader)
                readers.emplace_back([&rows, &wrong, reader] {
                    Rng rng(1, static_cast<std::uint64_t>(reader));
                    for (Row known = 0; known < kCount; known = rows.size()) {
                        if (known == 0) continue;
                        const auto n = rng.below(static_cast<std::uint64_t>(known));
                        if (rows.find(print(n)) != static_cast<Row>(n)) ++wrong;
                    }
                });
            for (Row n = 0; n < kCount; ++n) rows.add(print(static_cast<std::uint64_t>(n)));
        }
        QCOMPARE(wrong.load(), 0);
    }

    void whatNoUpdateReachedHoldsTheDefault() {
        LearnedTable table({.columns = 3, .defaultValue = -1});
        QCOMPARE(table.at(StateRows::kNone, 2), -1.0F);
        QCOMPARE(table.at(5, 0), -1.0F);
        table.growTo(600);
        QCOMPARE(table.rows(), 600);
        QCOMPARE(table.at(599, 2), -1.0F);
        table.apply(Rows{4}, Columns{1}, Gradients{2}, 0.5);
        QCOMPARE(table.updates(4, 1), 1U);
        QCOMPARE(table.updates(4, 0), 0U);
        QCOMPARE(table.updates(9999, 0), 0U);
        QCOMPARE(table.visitedEntries(), std::size_t{1});
        QCOMPARE(table.at(4, 0), -1.0F);
        QCOMPARE(table.at(4, 1), -1.5F);  // Adam's first step is the rate, whatever the gradient
        std::vector<float> gathered(6);
        table.gather(Rows{4, StateRows::kNone}, gathered);
        QVERIFY((gathered == std::vector<float>{-1, table.at(4, 1), -1, -1, -1, -1}));
    }

    void anEntryThatEachStepTouchesGetsTheDenseAdam() {
        LearnedTable table({.columns = 2});
        table.growTo(3);
        std::vector<DenseAdam> dense(6);
        Rng rng(5);
        double greatest = 0;
        for (int step = 0; step < 3000; ++step) {
            Gradients gradients(6);
            for (std::size_t i = 0; i < 6; ++i) {
                gradients[i] = static_cast<float>(rng.uniform() - 0.4);
                dense[i].step(gradients[i], 1e-2);
            }
            table.applyRows(Rows{0, 1, 2}, gradients, 1e-2);
            for (std::size_t i = 0; i < 6; ++i) {
                const double value = table.at(static_cast<Row>(i / 2), static_cast<int>(i % 2));
                // Values grow to 6; a float rounds each of 3,000 steps at them.
                greatest = std::max(greatest, std::abs(value - dense[i].value) /
                                                  std::max(1.0, std::abs(dense[i].value)));
                if (step < 100) QVERIFY(std::abs(value - dense[i].value) < 1e-6);
            }
        }
        qInfo("greatest relative difference in 3,000 steps %.1e", greatest);
        QVERIFY(greatest < 1e-5);
    }

    void momentsStandStillWhileNoGradientComes() {
        LearnedTable often({.columns = 1});
        LearnedTable rarely({.columns = 1});
        often.growTo(2);
        rarely.growTo(2);
        for (int step = 0; step < 20; ++step) {
            if (step % 5 == 0) {
                rarely.apply(Rows{0}, Columns{0}, Gradients{0.5F + static_cast<float>(step)}, 0.1);
                often.apply(Rows{0}, Columns{0}, Gradients{0.5F + static_cast<float>(step)}, 0.1);
            } else {
                rarely.apply(Rows{1}, Columns{0}, Gradients{1}, 0.1);
            }
        }
        QCOMPARE(rarely.at(0, 0), often.at(0, 0));
        QCOMPARE(rarely.updates(0, 0), 4U);
    }

    void gradientsOfOneEntryCountAsTheirSum() {
        for (const auto rule : {TableSpec::Rule::Adam, TableSpec::Rule::Sgd}) {
            LearnedTable parts({.columns = 2, .rule = rule});
            LearnedTable sums({.columns = 2, .rule = rule});
            parts.growTo(8);
            sums.growTo(8);
            for (int step = 0; step < 5; ++step) {
                parts.apply(Rows{3, 7, 3, 3}, Columns{1, 0, 1, 0}, Gradients{0.25F, 4, 0.5F, 1},
                            0.1);
                sums.apply(Rows{3, 7, 3}, Columns{1, 0, 0}, Gradients{0.75F, 4, 1}, 0.1);
            }
            QVERIFY(allValues(parts) == allValues(sums));
            QCOMPARE(parts.updates(3, 1), 5U);
        }
    }

    void theAdaptiveStepGivesTheMeanOfAllTargets() {
        LearnedTable table({.columns = 1,
                            .defaultValue = 100,
                            .rule = TableSpec::Rule::Adaptive,
                            .rateFloor = 0.125});
        table.growTo(1);
        const auto teach = [&](std::initializer_list<float> targets) {
            Gradients gradients;
            for (const float target : targets) gradients.push_back(table.at(0, 0) - target);
            table.apply(Rows(targets.size(), 0), Columns(targets.size(), 0), gradients, 1);
        };
        teach({4});
        QCOMPARE(table.at(0, 0), 4.0F);
        teach({1, 7, 0});  // three of one batch count as three
        QCOMPARE(table.at(0, 0), 3.0F);
        QCOMPARE(table.updates(0, 0), 4U);
        for (int k = 0; k < 100; ++k) teach({3});
        teach({11});
        QCOMPARE(table.at(0, 0), 4.0F);  // an eighth of the way: the floor, not 1 / 105
    }

    void manyTargetsOfOneCallNeverCarryPastTheirMean() {
        LearnedTable table({.columns = 1, .rule = TableSpec::Rule::Adaptive, .rateFloor = 0.25});
        table.growTo(1);
        for (int k = 0; k < 100; ++k) table.apply(Rows{0}, Columns{0}, Gradients{0}, 1);
        // A quarter of the way for each of twelve would be three times the way.
        table.apply(Rows(12, 0), Columns(12, 0), Gradients(12, -6), 1);
        QCOMPARE(table.at(0, 0), 6.0F);
    }

    void plainStepsFollowTheGradient() {
        LearnedTable table({.columns = 1, .rule = TableSpec::Rule::Sgd});
        table.growTo(1);
        table.apply(Rows{0}, Columns{0}, Gradients{2}, 0.25);
        QCOMPARE(table.at(0, 0), -0.5F);
    }

    void aVersionKeepsItsValues() {
        LearnedTable table({.columns = 4, .defaultValue = 1, .rule = TableSpec::Rule::Sgd});
        table.growTo(1000);
        const auto first = table.version();
        QVERIFY(table.version() == first);
        table.apply(Rows{10, 900}, Columns{2, 0}, Gradients{1, 1}, 1);
        const auto second = table.version();
        QVERIFY(second != first);
        table.growTo(3000);
        table.set(10, 2, 9);
        table.set(2999, 0, 5);
        QCOMPARE(first->at(10, 2), 1.0F);
        QCOMPARE(second->at(10, 2), 0.0F);
        QCOMPARE(second->at(900, 0), 0.0F);
        QCOMPARE(table.at(10, 2), 9.0F);
        QCOMPARE(second->at(2999, 0), 1.0F);
        QCOMPARE(second->rows(), 1000);
        QCOMPARE(table.version()->at(2999, 0), 5.0F);
        // Rows of blocks without a change are the same memory.
        QVERIFY(first->row(500) == second->row(500));
        QVERIFY(first->row(10) != second->row(10));
    }

    void memoryOfOldVersionsIsUsedAgain() {
        LearnedTable table({.columns = 4, .rule = TableSpec::Rule::Sgd});
        table.growTo(1000);
        const auto kept = table.version();  // as a collector that pauses for long
        std::size_t after10 = 0;
        for (int round = 1; round <= 300; ++round) {
            Rows all(1000);
            for (Row row = 0; row < 1000; ++row) all[static_cast<std::size_t>(row)] = row;
            table.applyRows(all, Gradients(4000, 1), 1);
            const auto passing = table.version();
            QCOMPARE(passing->at(999, 3), static_cast<float>(-round));
            if (round == 10) after10 = table.allocatedBytes();
        }
        QCOMPARE(table.allocatedBytes(), after10);
        for (Row row = 0; row < 1000; ++row) QCOMPARE(kept->at(row, 2), 0.0F);
    }

    void aVersionOutlivesItsTable() {
        std::shared_ptr<const TableVersion> version;
        {
            LearnedTable table({.columns = 2, .defaultValue = 3});
            table.growTo(500);
            table.set(499, 1, 7);
            version = table.version();
            table.set(499, 1, 8);
        }
        QCOMPARE(version->at(499, 1), 7.0F);
        QCOMPARE(version->at(0, 0), 3.0F);
        QCOMPARE(version->at(500, 0), 3.0F);
    }

    void versionsAreReadWhileTheTableChanges() {
        LearnedTable table({.columns = 2, .rule = TableSpec::Rule::Sgd});
        table.growTo(512);
        std::atomic<int> wrong{0};
        for (int round = 0; round < 20; ++round) {
            const auto version = table.version();
            const std::jthread reader([version, round, &wrong] {
                for (Row row = 0; row < 512; ++row)
                    if (version->at(row, 1) != static_cast<float>(-round)) ++wrong;
            });
            for (Row row = 0; row < 512; ++row) table.apply(Rows{row}, Columns{1}, Gradients{1}, 1);
        }
        QCOMPARE(wrong.load(), 0);
    }

    void aRestoredTableGoesOnAlike_data() {
        QTest::addColumn<int>("rule");
        QTest::newRow("Adam") << 0;
        QTest::newRow("adaptive") << 1;
        QTest::newRow("plain") << 2;
    }
    void aRestoredTableGoesOnAlike() {
        QFETCH(int, rule);
        const TableSpec spec{
            .columns = 5, .defaultValue = 0.5F, .rule = static_cast<TableSpec::Rule>(rule)};
        LearnedTable table(spec);
        Rng rng(3);
        const auto train = [&rng](LearnedTable& which) {
            for (int step = 0; step < 200; ++step)
                which.apply(
                    Rows{static_cast<Row>(rng.below(300)), static_cast<Row>(rng.below(300))},
                    Columns{static_cast<int>(rng.below(5)), 0},
                    Gradients{static_cast<float>(rng.uniform()), 1}, 0.1);
        };
        table.growTo(300);
        train(table);
        LearnedTable copy(spec);
        copy.restore(table.arrays());
        QCOMPARE(copy.visitedEntries(), table.visitedEntries());
        const Rng middle = rng;
        train(table);
        rng = middle;
        train(copy);
        QVERIFY(allValues(table) == allValues(copy));

        LearnedTable::Arrays broken = table.arrays();
        broken.updates.pop_back();
        QVERIFY_THROWS_EXCEPTION(Error, copy.restore(broken));
    }

    void anUpdateCostsItsEntriesNotTheRows() {
        const auto millisecondsAt = [](Row rows) {
            LearnedTable table({.columns = 4});
            table.growTo(rows);
            Rng rng(11);
            double best = 1e9;
            for (int round = 0; round < 5; ++round) {
                Rows touched(64);
                const Gradients gradients(touched.size() * 4, 0.5F);
                const double start = threadCpuMs();
                for (int step = 0; step < 200; ++step) {
                    for (Row& row : touched)
                        row = static_cast<Row>(rng.below(static_cast<std::uint64_t>(rows)));
                    table.applyRows(touched, gradients, 1e-3);
                    if (step == 100) (void)table.version();
                }
                best = std::min(best, threadCpuMs() - start);
            }
            return best;
        };
        const double small = millisecondsAt(1000);
        const double large = millisecondsAt(1'000'000);
        qInfo("200 steps of 64 rows: %.2f ms among 10^3 rows, %.2f ms among 10^6: ratio %.1f",
              small, large, large / small);
        // What remains is memory that is not in a cache; following the rows it would be 1,000.
        QVERIFY(large < 20 * small);
    }
};

ORRERY_TEST(TablesTest)
#include "tables_test.moc"
