#include "widgets/frame/fuzzy_match.h"

#include <QTest>
#include <limits>

#include "core/base/cpu.h"
#include "tests/support/test_program.h"

using orrery::bestMatches;
using orrery::fuzzyScore;

class FuzzyMatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void charactersMustStandInOrderWhateverTheirCase_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("fits");
        QTest::newRow("the whole") << "Reset layout"
                                   << "Reset layout" << true;
        QTest::newRow("initials") << "rl"
                                  << "Reset layout" << true;
        QTest::newRow("other case") << "RESET"
                                    << "Reset layout" << true;
        QTest::newRow("spaces do not count") << "re lay"
                                             << "Reset layout" << true;
        QTest::newRow("wrong order") << "lr"
                                     << "Reset layout" << false;
        QTest::newRow("one too many") << "resett layout"
                                      << "Reset layout" << false;
        QTest::newRow("nothing typed") << ""
                                       << "Reset layout" << true;
        QTest::newRow("nothing to fit") << "a"
                                        << "" << false;
    }
    void charactersMustStandInOrderWhateverTheirCase() {
        QFETCH(QString, typed);
        QFETCH(QString, name);
        QTEST(fuzzyScore(typed, name).has_value(), "fits");
    }

    void beginningsOfWordsAndShortNamesWin() {
        const std::vector<QString> names = {
            QStringLiteral("Carefully revise solids"), QStringLiteral("Cancel"),
            QStringLiteral("Reset layout"), QStringLiteral("Solve"), QStringLiteral("Dissolve it")};
        QCOMPARE(bestMatches(QStringLiteral("solve"), names, 10).front(), 3);
        QCOMPARE(bestMatches(QStringLiteral("rl"), names, 10), (std::vector<int>{2, 0}));
        QCOMPARE(bestMatches(QStringLiteral("zz"), names, 10), std::vector<int>{});
        QCOMPARE(bestMatches(QString(), names, 2), (std::vector<int>{0, 1}));
        // What was used lately comes before what fits a little better.
        QCOMPARE(bestMatches(QStringLiteral("solve"), names, 10, {0, 0, 0, 0, 60}).front(), 4);
    }

    void aHundredThousandNamesAreRankedWithinATwentiethOfASecond() {
        std::vector<QString> names;
        names.reserve(100'000);
        for (int i = 0; i < 100'000; ++i)
            names.push_back(QStringLiteral("r%1 two rooms beta %2")
                                .arg(i, 5, 10, QLatin1Char('0'))
                                .arg(i % 97));
        double best = std::numeric_limits<double>::max();
        for (int round = 0; round < 5; ++round) {
            const double begin = orrery::threadCpuMs();
            QCOMPARE(bestMatches(QStringLiteral("r04711"), names, 12).front(), 4711);
            best = std::min(best, orrery::threadCpuMs() - begin);
        }
        QVERIFY2(best <= 50, QByteArray::number(best) + " ms");
    }
};

ORRERY_TEST(FuzzyMatchTest)
#include "fuzzy_match_test.moc"
