#include "core/files/yaml_tree.h"

#include <QTest>
#include <optional>
#include <string>

#include "core/base/cpu.h"
#include "test_files.h"
#include "tests/support/test_program.h"

using orrery::Diagnostics;
using orrery::LineIndex;
using orrery::YamlNode;

namespace {

/// The tree in one line: scalars as line:column'text', "q" before a quoted one.
std::string shown(const YamlNode& node) {
    const std::string place = std::to_string(node.line) + ":" + std::to_string(node.column);
    std::string text;
    switch (node.kind) {
        case YamlNode::Kind::Null:
            return "null";
        case YamlNode::Kind::Scalar:
            return place + (node.isQuoted ? "q'" : "'") + node.text + "'";
        case YamlNode::Kind::Sequence:
            for (const YamlNode& element : node.elements)
                text += (text.empty() ? "" : " ") + shown(element);
            return "[" + text + "]";
        case YamlNode::Kind::Map:
            for (const auto& member : node.members)
                text += (text.empty() ? "" : " ") + std::to_string(member.line) + ":" +
                        std::to_string(member.column) + member.name + "=" + shown(member.value);
            return "{" + text + "}";
    }
    return "";
}

/// The tree, or the first error.
std::string read(const std::string& text) {
    const LineIndex lines(text);
    Diagnostics out("f");
    const std::optional<YamlNode> root = orrery::readYaml(lines, out);
    return root ? shown(*root) : diagnosticLine(out.sorted().at(0));
}

std::string repeated(const std::string& part, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += part;
    return text;
}

}  // namespace

class YamlTreeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesHaveTheirPlaces_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("tree");
        using S = std::string;
        QTest::newRow("block") << S("a: 1\nb:\n  - x\n  - 'y'\n")
                               << S("{1:1a=1:4'1' 2:1b=[3:5'x' 4:5q'y']}");
        QTest::newRow("flow") << S("{a: [1, \"b c\"], d: }")
                              << S("{1:2a=[1:6'1' 1:9q'b c'] 1:17d=null}");
        QTest::newRow("JSON") << S("{\"a\":{\"b\":[true,null]},\n \"c\":-1.5e3}")
                              << S("{1:2a={1:7b=[1:12'true' null]} 2:2c=2:6'-1.5e3'}");
        QTest::newRow("text block") << S("m: |\n  x y\n\n  z\nn: >\n  p\n  q\n")
                                    << S("{1:1m=1:4q'x y\n\nz\n' 5:1n=5:4q'p q\n'}");
        QTest::newRow("characters, not bytes")
            << S("{ä: ö, 漢: x}") << S("{1:2ä=1:5'ö' 1:8漢=1:11'x'}");
        QTest::newRow("byte order mark") << S("\xEF\xBB\xBF"
                                              "a: 1")
                                         << S("{1:1a=1:4'1'}");
        QTest::newRow("CR LF") << S("a: 1\r\nb: 2\r\n") << S("{1:1a=1:4'1' 2:1b=2:4'2'}");
        QTest::newRow("CR") << S("a: 1\rb: 2") << S("{1:1a=1:4'1' 2:1b=2:4'2'}");
        QTest::newRow("JSON surrogates")
            << S("{\"a\": \"\\ud83d\\ude00\", \"b\": 1}") << S("{1:2a=1:7q'😀' 1:23b=1:28'1'}");
        QTest::newRow("JSON escapes")
            << S("{\"a\": \"\\\\ud83d\\/\\u00e9\"}") << S("{1:2a=1:7q'\\ud83d/é'}");
        QTest::newRow("YAML's short escapes") << S("[\"a\\Nb\\_c\", \"\\x85é\\Lö\"]")
                                              << S("[1:2q'a\u0085b\u00A0c' 1:13q'\u0085é\u2028ö']");
        QTest::newRow("a value alone") << S("x") << S("1:1'x'");
    }
    void valuesHaveTheirPlaces() {
        QFETCH(std::string, text);
        QFETCH(std::string, tree);
        QCOMPARE(read(text), tree);
    }

    void limitsAreKept() {
        const auto nested = [](int depth) {
            return std::string(depth, '[') + std::string(depth, ']');
        };
        QVERIFY(read(nested(64)).starts_with("[["));
        QVERIFY(read(nested(65)).starts_with("f:1:65: error E105: nested deeper"));
        QVERIFY(
            read(std::string(200'000, '[')).starts_with("f:1:1001: error E105: more than 1000"));
        QVERIFY(read(repeated("- ", 200'000)).starts_with("f:1:129: error E105: nested deeper"));
        QVERIFY(read(std::string(orrery::kMaxYamlBytes + 1, ' ')).starts_with("f:1:1: error E102"));
        QVERIFY(read("[" + repeated("1,", 399'990) + "]").starts_with("["));
        QVERIFY(read("[" + repeated("1,", 400'000) + "]").starts_with("f:1:400000: error E102"));
        QVERIFY(read("a: 1" + repeated("\n", 1'000'001)).find("E102") != std::string::npos);
    }

    void hostileTextsEndQuickly_data() {
        QTest::addColumn<std::string>("text");
        constexpr std::size_t kBytes = 500'000;
        const std::string bomb = "a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]\n";
        QTest::newRow("alias bomb") << bomb;
        for (const char* part :
             {"[",    "{",     "- ",     "? ", "a: ",  "!!x ", "&a ", "*a ", "\"",    "'",     "\n",
              " ",    "\t",    "#",      ":",  ",",    "|\n",  ">\n", "%",   "---\n", "...\n", "[]",
              "{a: ", "[[a],", "a: |\n", "\\", "\"\\", "a\n",  "]",   "@",   "`"})
            QTest::newRow(part) << repeated(part, kBytes);
        QTest::newRow("long key") << repeated("x", kBytes) + ": 1";
        QTest::newRow("open quote") << "a: \"" + repeated("x\n", kBytes);
        QTest::newRow("many open quotes") << "[" + repeated("'a', ", kBytes) + "'";
    }
    void hostileTextsEndQuickly() {
        QFETCH(std::string, text);
        const double begin = (1e-3 * orrery::threadCpuMs());
        const LineIndex lines(text);
        Diagnostics out("f");
        const std::optional<YamlNode> root = orrery::readYaml(lines, out);
        QVERIFY(root.has_value() || out.hasErrors());
        const double seconds = (1e-3 * orrery::threadCpuMs()) - begin;
        QVERIFY2(seconds < 2, std::to_string(seconds).c_str());
    }

    void aRangeCanBeLeftOut() {
        const std::string text = "a: |\n  \xFF secret\nb: [1\n";
        const LineIndex lines(text);
        Diagnostics out("f");
        QVERIFY(!orrery::readYaml(lines, out, {5, 16}).has_value());
        QCOMPARE(diagnosticLine(out.sorted().at(0)).substr(0, 16), std::string("f:4:1: error E10"));
    }

    void linesAndColumnsOfOffsets() {
        const std::string text = repeated("äb\r\n\n", 6000);
        const LineIndex lines(text);
        for (const std::size_t block : {0, 1, 100, 999}) {
            const std::size_t begin = block * 6;
            const int line = static_cast<int>(block) * 2 + 1;
            QCOMPARE(lines.at(begin).line, line);
            QCOMPARE(lines.at(begin).column, 1);
            QCOMPARE(lines.at(begin + 2).column, 2);
            QCOMPARE(lines.at(begin + 5).line, line + 1);
            QCOMPARE(lines.at(begin + 5).column, 1);
        }
        QCOMPARE(lines.at(text.size() + 100).line, 2001);
    }
};

ORRERY_TEST(YamlTreeTest)
#include "yaml_tree_test.moc"
