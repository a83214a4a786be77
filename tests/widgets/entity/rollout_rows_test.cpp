#include "widgets/entity/rollout_rows.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/rng.h"
#include "tests/support/test_program.h"
#include "tests/widgets/quiet.h"

using namespace orrery;

namespace {

/// Numbers by chance, so many rows of 100 environments.
RolloutCopy rolloutOf(std::int64_t steps) {
    RolloutCopy rollout{.steps = steps, .stepsDone = steps, .environments = 100};
    const auto rows = static_cast<std::size_t>(rollout.rows());
    Rng rng(5);
    for (auto* column : {&rollout.reward, &rollout.value, &rollout.returns, &rollout.advantage,
                         &rollout.ratio, &rollout.entropy}) {
        column->resize(rows);
        for (float& number : *column) number = static_cast<float>(rng.uniform() - 0.5);
    }
    for (auto* column : {&rollout.done, &rollout.truncated, &rollout.isFirst}) {
        column->resize(rows);
        for (std::uint8_t& flag : *column) flag = rng.below(10) == 0 ? 1 : 0;
    }
    return rollout;
}

}  // namespace

class RolloutRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFilterLeavesWhatItSays() {
        const RolloutCopy rollout = rolloutOf(30);
        const auto rows = shownRows(
            rollout, RolloutFilter(QStringLiteral("(done or env = 7) and advantage > -0.1")), {},
            {});
        std::size_t at = 0;
        for (std::uint32_t row = 0; row < rollout.rows(); ++row) {
            const bool holds =
                (rollout.done[row] != 0 || row % 100 == 7) && rollout.advantage[row] > -0.1F;
            if (holds) QCOMPARE((*rows)[at++], row);
        }
        QCOMPARE(at, rows->size());
        QVERIFY(at > 100);
        QVERIFY_THROWS_EXCEPTION(FilterError, RolloutFilter(QStringLiteral("rewrad > 1")));
    }

    void whatIsNotKnownComesLast() {
        RolloutCopy rollout = rolloutOf(3);
        rollout.ratio[11] = rollout.ratio[200] = std::numeric_limits<float>::quiet_NaN();
        for (const bool isDown : {false, true}) {
            const auto rows =
                shownRows(rollout, RolloutFilter({}), {RolloutColumn::Ratio, isDown}, {});
            QCOMPARE(rows->size(), std::size_t{300});
            QCOMPARE((*rows)[298], 11U);
            QCOMPARE((*rows)[299], 200U);
            for (std::size_t i = 1; i < 298; ++i) {
                const float before = rollout.ratio[(*rows)[i - 1]], now = rollout.ratio[(*rows)[i]];
                QVERIFY(isDown ? before >= now : before <= now);
            }
        }
        // Of an unknown number nothing holds.
        const auto rows = shownRows(rollout, RolloutFilter(QStringLiteral("ratio != 3")), {}, {});
        QCOMPARE(rows->size(), std::size_t{298});
    }

    void aMillionRowsAreFilteredAndSortedInHalfASecond() {
        const RolloutCopy rollout = rolloutOf(10'000);
        const RolloutFilter filter(QStringLiteral("advantage > -0.4 and not truncated"));
        const double before = processCpuMs();
        const auto rows = shownRows(rollout, filter, {RolloutColumn::Value, true}, {});
        const double took = processCpuMs() - before;
        QVERIFY(rows->size() > 700'000);
        QVERIFY2(took < 500, qPrintable(QStringLiteral("%1 ms").arg(took)));
    }
};

ORRERY_TEST(RolloutRowsTest)
#include "rollout_rows_test.moc"
