#include <QTest>
#include <algorithm>
#include <string_view>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/train/empo/empo_memory.h"
#include "tests/core/empo/training.h"
#include "tests/core/train/told.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

double bytesOfPart(const std::vector<MemoryPart>& parts, std::string_view title) {
    const auto found = std::ranges::find(parts, title, &MemoryPart::title);
    return found == parts.end() ? 0 : static_cast<double>(found->bytes);
}

}  // namespace

/// What is said before a training against what it comes to hold.
class MemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theEstimateIsNeitherTooSmallNorFarTooLarge_data() {
        QTest::addColumn<bool>("hasNetworks");
        QTest::newRow("tables") << false;
        QTest::newRow("networks") << true;
    }
    void theEstimateIsNeitherTooSmallNorFarTooLarge() {
        QFETCH(bool, hasNetworks);
        EmpoSpec spec = hasNetworks ? test::networks(600) : test::tables(600);
        spec.bufferCapacity = 2000;
        spec.environmentStepsPerTrainingStep = 4;  // the buffer is full at the end
        const test::EmpoTraining request = test::requestFor(spec, test::pairRoom(6));
        const std::vector<MemoryPart> parts = empoMemory(spec, request.worlds, {});
        const test::Told told = test::train(request);
        const MemoryNumbers& held = told.snapshot->memory;
        const auto check = [&](std::string_view title, std::int64_t bytes, double most) {
            const double estimate = bytesOfPart(parts, title);
            qInfo("%s: estimated %.0f, held %lld", title.data(), estimate,
                  static_cast<long long>(bytes));
            QVERIFY2(estimate >= 0.99 * static_cast<double>(bytes), title.data());
            QVERIFY2(estimate <= most * static_cast<double>(bytes), title.data());
        };
        check("replay buffer", held.buffer, 4);
        if (!hasNetworks) check("tables", held.tables, 8);
        check("networks", held.parameters, 1.05);
        check("optimisers", held.optimisers, 1.05);
    }

    void whatIsTooMuchIsSaidWithItsNumbers() {
        const std::vector<MemoryPart> parts{{"replay buffer", std::int64_t{3} << 30},
                                            {"networks", std::int64_t{12} << 20},
                                            {"recording", 1 << 10}};
        QCOMPARE(bytesOf(parts), (std::int64_t{3} << 30) + (12 << 20) + 1024);
        QCOMPARE(memoryText(parts),
                 mebibytes(bytesOf(parts)) + ": replay buffer " + mebibytes(parts[0].bytes));
        requireMemory(parts, 0, "");
        requireMemory(parts, std::int64_t{4} << 30, "");
        try {
            requireMemory(parts, std::int64_t{2} << 30, "Take a smaller buffer.");
            QFAIL("3 GiB do not fit into 2");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), Error::Kind::Resource);
            const QByteArray text = error.what();
            QVERIFY2(text.contains(mebibytes(std::int64_t{2} << 30).c_str()) &&
                         text.contains("Take a smaller buffer."),
                     text);
        }
        QCOMPARE(memoryLimit(77), std::int64_t{77});
        QVERIFY(memoryLimit(0) > 0);
    }
};

ORRERY_TEST(MemoryTest)
#include "memory_test.moc"
