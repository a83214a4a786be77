#include "core/base/text.h"

#include <QRegularExpression>
#include <QTest>
#include <bit>
#include <clocale>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "tests/support/test_program.h"

class TextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dangerousCharactersAreEscaped_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("safe");
        QTest::newRow("plain") << QByteArray("a b 'c' ü 漢 🙂")
                               << QByteArray("a b 'c' ü 漢 🙂");
        QTest::newRow("control") << QByteArray("a\n\t\r\x1b[31m\x7f")
                                 << QByteArray("a\\n\\t\\r\\x1b[31m\\x7f");
        QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
        QTest::newRow("right-to-left override")
            << QByteArray("\xE2\x80\xAEgpj") << QByteArray("\\u{202e}gpj");
        QTest::newRow("C1") << QByteArray("\xC2\x9B") << QByteArray("\\u{009b}");
        QTest::newRow("not UTF-8") << QByteArray("\xFFz\xC3") << QByteArray("\\xffz\\xc3");
        QTest::newRow("overlong") << QByteArray("\xC0\xAF") << QByteArray("\\xc0\\xaf");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\\xed\\xa0\\x80");
    }
    void dangerousCharactersAreEscaped() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, safe);
        QCOMPARE(QByteArray::fromStdString(orrery::escaped(text.toStdString())), safe);
    }

    void longTextIsCutBetweenCharacters() {
        QCOMPARE(orrery::escaped("abcdefghij", 10), std::string("abcdefghij"));
        QCOMPARE(orrery::escaped("abcdefghijk", 10), std::string("abcdefg..."));
        QCOMPARE(orrery::escaped("üüüüüü", 10), std::string("üüü..."));
        QCOMPARE(orrery::escaped(std::string(100000, '\x01'), 11), std::string("\\x01\\x01..."));
    }
    void aLongNameGivesWayInTheMiddle() {
        QCOMPARE(orrery::escapedName("abcdefghij", 10), std::string("abcdefghij"));
        QCOMPARE(orrery::escapedName("abcdefghijk", 10), std::string("abc...hijk"));
        QCOMPARE(orrery::escapedName("a\tb", 10), std::string("a\\tb"));
        // Characters stay whole.
        QCOMPARE(orrery::escapedName("üüüüüüü", 10), std::string("ü...üü"));
        QVERIFY(orrery::escapedName("tables, slow decay of the learning rate, seed 1", 40) !=
                orrery::escapedName("tables, slow decay of the learning rate, seed 2", 40));
    }

    void theNearestNameIsSuggested_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("case") << "max_Steps"
                              << "max_steps";
        QTest::newRow("swap") << "goasl"
                              << "goals";
        QTest::newRow("missing letter") << "bet_h"
                                        << "beta_h";
        QTest::newRow("extra letter") << "zetaa"
                                      << "zeta";
        QTest::newRow("too far") << "colour"
                                 << "";
        QTest::newRow("one letter is like any other") << "q"
                                                      << "";
        QTest::newRow("empty") << ""
                               << "";
    }
    void theNearestNameIsSuggested() {
        QFETCH(QString, name);
        QFETCH(QString, nearest);
        const std::vector<std::string> names{"max_steps", "goals", "beta_h", "beta_r", "zeta", "x"};
        const auto found = orrery::closestName(name.toStdString(), names);
        QCOMPARE(QString::fromStdString(found.value_or("")), nearest);
    }

    void numbersTakeTheWholeToken_data() {
        QTest::addColumn<QString>("token");
        QTest::addColumn<bool>("isDouble");
        QTest::addColumn<bool>("isInt");
        QTest::newRow("int") << "-12" << true << true;
        QTest::newRow("double") << "0.5" << true << false;
        QTest::newRow("exponent") << "1e-3" << true << false;
        QTest::newRow("largest int") << "9223372036854775807" << true << true;
        QTest::newRow("int overflow") << "9223372036854775808" << true << false;
        for (const char* const bad : {"", " 1", "1 ", "+1", "0,5", "0x10", "nan", "inf", "1e999",
                                      "1.5.2", "--1", "1_000", "٣"})
            QTest::addRow("'%s'", bad) << bad << false << false;
    }
    void numbersTakeTheWholeToken() {
        QFETCH(QString, token);
        QFETCH(bool, isDouble);
        QFETCH(bool, isInt);
        QCOMPARE(orrery::parseDouble(token.toStdString()).has_value(), isDouble);
        QCOMPARE(orrery::parseInt(token.toStdString()).has_value(), isInt);
    }

    void doublesAreShortAndReadBackToTheSameBits() {
        QCOMPARE(orrery::formatDouble(0.1), std::string("0.1"));
        QCOMPARE(orrery::formatDouble(-1e300), std::string("-1e+300"));
        QCOMPARE(orrery::formatDouble(std::nan("")), std::string("nan"));
        QCOMPARE(orrery::formatDouble(-std::numeric_limits<double>::infinity()),
                 std::string("-inf"));
        orrery::Rng rng(5);
        for (int i = 0; i < 20000; ++i) {
            const auto value = std::bit_cast<double>(rng.next());
            if (!std::isfinite(value)) continue;
            const auto back = orrery::parseDouble(orrery::formatDouble(value));
            QVERIFY(back &&
                    std::bit_cast<std::uint64_t>(*back) == std::bit_cast<std::uint64_t>(value));
        }
    }

    // NOLINTBEGIN(concurrency-mt-unsafe): the test has one thread
    void theLocaleDoesNotMatter() {
        const std::string before = std::setlocale(LC_ALL, nullptr);
        std::setlocale(LC_ALL, "de_DE.UTF-8");
        QCOMPARE(orrery::formatDouble(1234.5), std::string("1234.5"));
        QCOMPARE(orrery::parseDouble("0.5").value(), 0.5);
        QVERIFY(!orrery::parseDouble("0,5"));
        std::setlocale(LC_ALL, before.c_str());
    }
    // NOLINTEND(concurrency-mt-unsafe)

    void csvCellsAreQuotedWhereNeeded_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        QTest::newRow("plain") << "human0"
                               << "human0";
        QTest::newRow("comma") << "a,b"
                               << "\"a,b\"";
        QTest::newRow("quote") << "say \"hi\""
                               << "\"say \"\"hi\"\"\"";
        QTest::newRow("line") << "a\nb"
                              << "\"a\nb\"";
        QTest::newRow("formula") << "=1+1"
                                 << "\"'=1+1\"";
        QTest::newRow("at") << "@SUM(A1)"
                            << "\"'@SUM(A1)\"";
        QTest::newRow("minus text") << "-cmd"
                                    << "\"'-cmd\"";
        QTest::newRow("minus number") << "-1.5"
                                      << "-1.5";
        QTest::newRow("empty") << ""
                               << "";
    }
    void csvCellsAreQuotedWhereNeeded() {
        QFETCH(QString, text);
        QFETCH(QString, cell);
        QCOMPARE(QString::fromStdString(orrery::csvCell(text.toStdString())), cell);
    }

    void timeIsUtcWithMilliseconds() {
        const QString now = QString::fromStdString(orrery::utcNow());
        QVERIFY(QRegularExpression("^20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\dZ$")
                    .match(now)
                    .hasMatch());
    }
};

ORRERY_TEST(TextTest)
#include "text_test.moc"
