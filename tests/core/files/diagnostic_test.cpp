#include "core/files/diagnostic.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <string>

#include "tests/support/test_program.h"

using orrery::Diagnostic;
using orrery::Diagnostics;
using orrery::Severity;

class DiagnosticTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLineHasPlaceCodeMessageAndHint() {
        const Diagnostic diagnostic{.file = "goal.yaml",
                                    .line = 12,
                                    .column = 7,
                                    .code = "E113",
                                    .message = "'beta' must be >= 0, got -1",
                                    .hint = "write 0 or more"};
        QCOMPARE(orrery::diagnosticLine(diagnostic),
                 std::string("goal.yaml:12:7: error E113: 'beta' must be >= 0, got -1; "
                             "write 0 or more"));
        Diagnostic warning = diagnostic;
        warning.severity = Severity::Warning;
        warning.hint.clear();
        QCOMPARE(orrery::diagnosticLine(warning),
                 std::string("goal.yaml:12:7: warning E113: 'beta' must be >= 0, got -1"));
    }

    void dangerousTextIsEscaped() {
        const Diagnostic diagnostic{
            .file = "a\n\x1b[2J.yaml", .code = "E1", .message = "got '\xE2\x80\xAE' and '\xFF'"};
        QCOMPARE(orrery::diagnosticLine(diagnostic),
                 std::string("a\\n\\x1b[2J.yaml:1:1: error E1: got '\\u{202e}' and '\\xff'"));
    }

    void theLineIsNeverLongerThan300Bytes() {
        const Diagnostic diagnostic{.file = std::string(5000, 'd') + "/end.yaml",
                                    .line = 2000000000,
                                    .column = 2000000000,
                                    .code = "E100",
                                    .message = std::string(5000, '\x01')};
        const std::string line = orrery::diagnosticLine(diagnostic);
        QVERIFY2(line.size() <= 300, std::to_string(line.size()).c_str());
        QVERIFY(line.starts_with("...ddd"));
        QVERIFY(line.find("/end.yaml:2000000000:2000000000: error E100: \\x01") !=
                std::string::npos);
    }

    void jsonKeepsTheTextsAsTheyAre() {
        const Diagnostic diagnostic{.file = "a\"b.yaml",
                                    .line = 3,
                                    .column = 4,
                                    .code = "E9",
                                    .message = "tab\there",
                                    .hint = "no"};
        const QJsonObject object =
            QJsonDocument::fromJson(QByteArray::fromStdString(orrery::diagnosticJson(diagnostic)))
                .object();
        QCOMPARE(object.size(), 7);
        QCOMPARE(object["file"].toString(), QString("a\"b.yaml"));
        QCOMPARE(object["line"].toInt(), 3);
        QCOMPARE(object["column"].toInt(), 4);
        QCOMPARE(object["severity"].toString(), QString("error"));
        QCOMPARE(object["code"].toString(), QString("E9"));
        QCOMPARE(object["message"].toString(), QString("tab\there"));
        QCOMPARE(object["hint"].toString(), QString("no"));
    }

    void twentyAreKeptAndErrorsPushOutWarnings() {
        Diagnostics out("f");
        for (int i = 1; i <= 30; ++i) out.warning({i, 1}, "W1", "w");
        QVERIFY(!out.hasErrors());
        for (int i = 5; i > 0; --i) out.error({i, 1}, "E1", "e");
        const std::vector<Diagnostic> list = out.sorted();
        QCOMPARE(list.size(), std::size_t{20});
        QCOMPARE(out.omitted(), 15);
        QCOMPARE(out.numErrors(), 5);
        for (int i = 0; i < 5; ++i) {
            QVERIFY(list[i].severity == Severity::Error);
            QCOMPARE(list[i].line, i + 1);
        }
        QVERIFY(list[5].severity == Severity::Warning);
    }
};

ORRERY_TEST(DiagnosticTest)
#include "diagnostic_test.moc"
