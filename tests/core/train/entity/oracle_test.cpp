#include "core/train/entity/driver/oracle.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

class OracleTest : public QObject {
    Q_OBJECT

    static bool agrees(const OracleValue& value) {
        if (value.inFile == value.computed) return true;
        const double most = std::max(std::abs(value.inFile), std::abs(value.computed));
        return std::abs(value.inFile - value.computed) <= value.relative * most + value.absolute;
    }

private Q_SLOTS:
    void allNumbersAreTheOriginals_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("least");  // numbers, so that none goes missing
        QTest::newRow("35 nets, 19 gradients, 4 norms") << "rogue_net.json" << 50'000;
        QTest::newRow("50 cases of PPO") << "ppo.json" << 1'000;
    }
    void allNumbersAreTheOriginals() {
        QFETCH(const QString, file);
        QFETCH(const int, least);
        const std::string text =
            readFile(sourcePath("tests/data/entity/" + file.toStdString()), 256 << 20);
        std::int64_t compared = 0, failed = 0;
        std::string first;
        compareWithOracle(text,
                          [&](const OracleValue& value) {
                              ++compared;
                              if (agrees(value)) return;
                              if (failed++ == 0)
                                  first = value.where + ": " + std::to_string(value.inFile) +
                                          " in the file, " + std::to_string(value.computed) +
                                          " computed";
                          },
                          {});
        qInfo("%lld numbers", static_cast<long long>(compared));
        QVERIFY2(failed == 0, first.c_str());
        QVERIFY(compared >= least);
    }

    void otherFilesAreRefused() {
        for (const char* text : {"", "{}", "[1]", R"({"cases": [{}]})"})
            QVERIFY_THROWS_EXCEPTION(Error, compareWithOracle(text, [](const OracleValue&) {}, {}));
    }
};

ORRERY_TEST(OracleTest)
#include "oracle_test.moc"
