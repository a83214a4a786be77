#include <QTest>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/filter/read_filter.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

FilterFields fields() {
    FilterFields fields;
    fields.example = "step < 4";
    fields.hint = "names look like \"step\"";
    fields.add({.name = "step", .example = "step < 4"});
    fields.add({.name = "beta_r", .type = FilterType::Mixed, .example = "beta_r = 5"});
    fields.add({.name = "robot", .type = FilterType::Text, .example = "robot = forward"});
    fields.add({.name = "x", .type = FilterType::Whole, .example = "x = 0"});
    fields.add({.name = "open", .type = FilterType::Truth, .example = "open = yes"});
    fields.add({.name = "V_r", .type = FilterType::Real, .example = "V_r < -4"});
    fields.add({.name = "at", .type = FilterType::Condition, .hasArguments = true});
    return fields;
}

const char* signText(FilterSign sign) {
    constexpr const char* kTexts[] = {"=", "!=", "<", "<=", ">", ">=", "~", ":"};
    return kTexts[static_cast<int>(sign)];
}

/// A tree as a text that is read to the same tree.
std::string printed(const FilterNode& node) {
    switch (node.kind) {
        case FilterNode::Kind::Not:
            return "not (" + printed(node.parts[0]) + ")";
        case FilterNode::Kind::Constant:
            return node.truth ? "true" : "false";
        case FilterNode::Kind::Word:
            return "\"" + node.left.text + "\"";
        case FilterNode::Kind::Compare: {
            std::string left = node.left.text;
            if (!node.left.arguments.empty()) {
                left += '(';
                for (const FilterOperand& part : node.left.arguments) left += part.text + ',';
                left.back() = ')';
            }
            if (node.right.column == node.left.column) return left;
            const bool isBare = node.right.field >= 0 || node.right.number;
            return left + ' ' + signText(node.sign) + ' ' +
                   (isBare ? node.right.text : "'" + node.right.text + "'");
        }
        default:
            break;
    }
    std::string text;
    for (const FilterNode& part : node.parts)
        text += (text.empty()                         ? "("
                 : node.kind == FilterNode::Kind::And ? " and ("
                                                      : " or (") +
                printed(part) + ")";
    return text;
}

/// Everything of a tree but its places.
std::string shape(const FilterNode& node) {
    if (node.kind == FilterNode::Kind::Constant) return node.truth ? "true" : "false";
    std::string text = std::to_string(static_cast<int>(node.kind)) + '#' +
                       std::to_string(node.leaf) + signText(node.sign);
    for (const FilterOperand* side : {&node.left, &node.right}) {
        text += '[' + side->text + ' ' + std::to_string(side->field) + ' ' +
                (side->number ? std::to_string(*side->number) : "");
        for (const FilterOperand& part : side->arguments) text += '|' + part.text;
        text += ']';
    }
    for (const FilterNode& part : node.parts) text += '{' + shape(part) + '}';
    return text;
}

std::string shapeOf(std::string_view text, const FilterFields& known = fields()) {
    const auto tree = readFilter(text, known);
    return tree ? shape(*tree) : "";
}

/// A random text with many of the forms that the language has.
std::string randomText(Rng& rng, int depth) {
    const auto pick = [&](std::initializer_list<const char*> texts) {
        return std::string(texts.begin()[rng.below(texts.size())]);
    };
    switch (depth == 0 ? 9 : rng.below(10)) {
        case 0:
        case 1:
            return pick({"not ", "! ", "NOT ", "!"}) + "(" + randomText(rng, depth - 1) + ")";
        case 2:
        case 3:
        case 4:
            return randomText(rng, depth - 1) + pick({" and ", " && ", " ", " AND ", "&&"}) +
                   randomText(rng, depth - 1);
        case 5:
        case 6:
            return "(" + randomText(rng, depth - 1) + pick({" or ", " || ", "||", " Or "}) +
                   randomText(rng, depth - 1) + ")";
        default:
            return pick({"step < 4", "step>=1.5k", "2M != step", "Beta_R = inf", "beta_r ~ none",
                         "robot: forward", "robot!=\"left turn\"", "robot ~ 'a(b'", "x = 3",
                         "x ≤ x", "open", "open = no", "V_r < −4.5", "-4 > V_r", "at(1,2)",
                         "at( 1 , 2 )", "true", "false", "1 < 2"});
    }
}

QString problemOf(std::string_view text, const FilterFields& known = fields()) {
    try {
        readFilter(text, known);
        return "accepted";
    } catch (const FilterError& error) {
        return QString::number(error.column()) + ' ' + QString::fromStdString(error.problem());
    }
}

}  // namespace

/// The language of filters: its forms, its trees, what it says of mistakes.
class FilterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTreeThatIsPrintedAndReadAgainIsTheSame() {
        Rng rng(3);
        const FilterFields known = fields();
        std::size_t longest = 0;
        for (int round = 0; round < 5000; ++round) {
            const std::string text = randomText(rng, 5);
            const auto tree = readFilter(text, known);
            QVERIFY(tree);
            const std::string again = printed(*tree);
            QVERIFY2(shape(*tree) == shapeOf(again, known), (text + "\n" + again).c_str());
            longest = std::max(longest, text.size());
        }
        QVERIFY(longest > 200);
    }

    void formsOfTheSameAreTheSame() {
        const std::string joined = shapeOf("step < 4 and open");
        for (const char* text : {"step < 4 && open", "step < 4 open", "(step<4)AND(open)",
                                 "4 > Step open", "step<4&&open", "((step < 4) and (open))"})
            QVERIFY2(shapeOf(text).substr(0, 3) == joined.substr(0, 3), text);
        QCOMPARE(shapeOf("step < 4 || !open"), shapeOf("step < 4 or not open"));
        QCOMPARE(shapeOf("not not open"), shapeOf("open"));
        QCOMPARE(shapeOf("x ≥ 1"), shapeOf("x >= 1"));
        QCOMPARE(shapeOf("x == 1"), shapeOf("x = 1"));
        QCOMPARE(shapeOf("  "), std::string());
        const auto tree = readFilter("beta_r = 1.5k and step < 2M and step < 1G", fields());
        QCOMPARE(tree->parts[0].right.number, 1500.0);
        QCOMPARE(tree->parts[1].right.number, 2e6);
        QCOMPARE(tree->parts[2].right.number, 1e9);
    }

    void wordsAloneAreLookedForWhereTheTableSaysSo() {
        FilterFields known = fields();
        known.findsWords = true;
        const auto tree = readFilter("hedge 'R & D' R & D true robot = or", known);
        QCOMPARE(tree->parts.size(), std::size_t{7});
        QCOMPARE(tree->parts[1].left.text, std::string("R & D"));
        QVERIFY(tree->parts[5].kind == FilterNode::Kind::Word);
        QCOMPARE(tree->parts[6].right.text, std::string("or"));
        QCOMPARE(tree->parts[6].column, 26);
        QCOMPARE(tree->parts[6].end, 36);
    }

    void aMistakeIsToldWithItsColumnAndWhatToDo() {
        QCOMPARE(problemOf("step = 1 and stpe < 3"),
                 "14 unknown name \"stpe\"; did you mean \"step\"?");
        QCOMPARE(problemOf("zzzzzzzz"), "1 unknown name \"zzzzzzzz\"; names look like \"step\"");
        QCOMPARE(problemOf("robot"),
                 "1 a comparison for robot is missing; write for example \"robot = forward\"");
        QCOMPARE(problemOf("robot < b"), "7 robot is no number; use = != ~ or :");
        QCOMPARE(problemOf("beta_r < b"), "10 beta_r needs a number here, not \"b\"");
        QCOMPARE(problemOf("step =< 4"), "6 \"=<\" is no comparison; use = != < <= > >= ~ or :");
        QCOMPARE(problemOf("robot = \"le"), "9 the quote is not closed");
        QCOMPARE(problemOf("open = maybe"), "8 open is yes or no");
        QCOMPARE(problemOf("V_r = 3"), "5 numbers like V_r are compared by < <= > >=");
        QCOMPARE(problemOf("at(1,2) = 3"), "9 \"at\" holds or does not; leave \"=\" out");
        QCOMPARE(problemOf("open and"),
                 "9 expected a condition such as \"step < 4\" before the end");
        QCOMPARE(problemOf("robot = ä and\u00A0$"), "15 \"$\" has no meaning here");
        QCOMPARE(problemOf("step = 1 | open"), "10 a single \"|\" has no meaning; write \"or\"");
        QCOMPARE(problemOf("1 < x < 3"), "7 a comparison has two sides; write \"a < b and b < c\"");
    }
};

ORRERY_TEST(FilterTest)
#include "filter_test.moc"
