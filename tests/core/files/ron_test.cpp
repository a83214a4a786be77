#include <QTest>
#include <string>

#include "core/files/ron_tree.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// A tree in one line: scalars as they are, texts in quotes, maps and lists in brackets.
std::string told(const YamlNode& node) {
    std::string text;
    switch (node.kind) {
        case YamlNode::Kind::Null:
            return "null";
        case YamlNode::Kind::Scalar:
            return node.isQuoted ? '"' + node.text + '"' : node.text;
        case YamlNode::Kind::Sequence:
            for (const YamlNode& element : node.elements)
                text += (text.empty() ? "" : ", ") + told(element);
            return '[' + text + ']';
        case YamlNode::Kind::Map:
            for (const YamlMember& member : node.members)
                text += (text.empty() ? "" : ", ") + member.name + ": " + told(member.value);
            return '{' + text + '}';
    }
    return {};
}

std::string readTold(const std::string& ron) {
    Diagnostics out("x.ron");
    const LineIndex lines(ron);
    const auto root = readRon(lines, out);
    return root ? told(*root) : diagnosticLine(out.sorted().front());
}

}  // namespace

class RonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesAreRead_data() {
        QTest::addColumn<QString>("ron");
        QTest::addColumn<QString>("tree");
        const auto row = [](const char* ron, const char* tree) {
            QTest::newRow(ron) << QString::fromUtf8(ron) << QString::fromUtf8(tree);
        };
        row("Config(a: 1, b: -2.5e-3,)", "{a: 1, b: -2.5e-3}");
        row("(a: Some(3), b: None, c: (x: [1, 2]))", "{a: 3, b: null, c: {x: [1, 2]}}");
        row("{\"k\": true, 3: Unit}", "{k: true, 3: Unit}");
        row("(1, \"two\", [3,],)", "[1, \"two\", [3]]");
        row("()", "{}");
        row("Some(Net(d: 16))", "{d: 16}");
        row("[1_000u32, +7, 0x1F, inf, -inf, .5, 2.0f64]", "[1000, 7, 0x1F, inf, -inf, .5, 2.0]");
        row("\"a\\n\\\"b\\\" \\u{e9} \\x41 \\\\\"", "\"a\n\"b\" \u00e9 A \\\"");
        row("r#\"raw \"text\"\"#", "\"raw \"text\"\"");
        row("'c'", "\"c\"");
        row("#![enable(implicit_some)]\n( // a comment\n a /* one /* two */ more */ : 1)",
            "{a: 1}");
        row("  Name ( a : Other ( b : 2 ) )  ", "{a: {b: 2}}");
    }
    void valuesAreRead() {
        QFETCH(const QString, ron);
        QFETCH(const QString, tree);
        QCOMPARE(QString::fromStdString(readTold(ron.toStdString())), tree);
    }

    void mistakesAreToldAtTheirPlace_data() {
        QTest::addColumn<QString>("ron");
        QTest::addColumn<QString>("line");
        const auto row = [](const char* ron, const char* line) {
            QTest::newRow(ron) << QString::fromUtf8(ron) << QString::fromUtf8(line);
        };
        row("", "x.ron:1:1");
        row("(a: 1", "x.ron:1:6");
        row("(a: 1, a: 2)", "x.ron:1:8");
        row("(a 1)", "x.ron:1:4");
        row("(a:\n \"open", "x.ron:2:2");
        row("[1 2]", "x.ron:1:4");
        row("(a: 1) more", "x.ron:1:8");
        row("\"\\q\"", "x.ron:1:2");
        row("\"\\u{d800}\"", "x.ron:1:5");
        row("/* never", "x.ron:1:9");
        row("Some(1, 2)", "x.ron:1:9");
        row("{[1]: 2}", "x.ron:1:2");
    }
    void mistakesAreToldAtTheirPlace() {
        QFETCH(const QString, ron);
        QFETCH(const QString, line);
        const QString told = QString::fromStdString(readTold(ron.toStdString()));
        QVERIFY2(told.startsWith(line + ": error"), qPrintable(told));
    }

    void depthAndSizeAreLimited() {
        QVERIFY(readTold(std::string(60, '[') + std::string(60, ']')).starts_with("[["));
        QVERIFY(readTold(std::string(70, '(') + std::string(70, ')')).find("E105") !=
                std::string::npos);
        std::string many = "[";
        for (int i = 0; i < 200'001; ++i) many += "1,";
        QVERIFY(readTold(many + "]").find("E102") != std::string::npos);
    }
};

ORRERY_TEST(RonTest)
#include "ron_test.moc"
