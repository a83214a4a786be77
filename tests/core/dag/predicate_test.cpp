#include "core/dag/predicate.h"

#include <QTest>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/bush/bush_world.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// robot0 at 0,0 and human0 at 3,1 of a 4 x 2 field; densities 1 at 1,0 and 3 at 2,1.
const BushWorld& world() {
    static const BushWorld kMade = [] {
        BushWorldSpec spec;
        spec.map = {{"Ro", "1", "0", "0"}, {"0", "0", "3", "Hu"}};
        spec.capacity = 4;
        return BushWorld(spec);
    }();
    return kMade;
}

/// robot0.x robot0.y human0.x human0.y density_1_0 density_2_1
bool holdsAt(const std::string& text, int step, std::vector<int> values) {
    return Predicate(world(), text).holds(step, values);
}

QString errorOf(const std::string& text) {
    try {
        const Predicate accepted(world(), text);
    } catch (const Error& e) {
        if (e.kind() != Error::Kind::BadInput) return "wrong kind";
        return QString::fromUtf8(e.what());
    }
    return "accepted";
}

}  // namespace

class PredicateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTextHoldsOrNot_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<bool>("expected");
        // In step 3 of robot0 2,1; human0 3,0; density_1_0 = 1; density_2_1 = 2.
        const std::pair<const char*, bool> cases[] = {
            {"true", true},
            {"false", false},
            {"step = 3", true},
            {"step == 3", true},
            {"step != 3", false},
            {"step < 3", false},
            {"step <= 3", true},
            {"step > 2", true},
            {"step >= 4", false},
            {"3 = step", true},
            {"-1 < step", true},
            {"2 < 1", false},
            {"step = -3", false},
            {"robot0.x = 2", true},
            {"human0.x > robot0.x", true},
            {"human0.y = robot0.y", false},
            {"human0.x = step", true},
            {"density_1_0", true},
            {"not density_1_0", false},
            {"!density_1_0", false},
            {"!!density_1_0", true},
            {"not not not density_1_0", false},
            {"density_1_0 = true", true},
            {"density_1_0 = false", false},
            {"robot0.at(2,1)", true},
            {"robot0.at( 2 , 0 )", false},
            {"robot0.at(1,1)", false},
            {"human0.in(2,0,3,0)", true},
            {"human0.in(3,1,2,0)", true},
            {"human0.in(0,0,2,1)", false},
            {"human0.in(0,1,3,1)", false},
            {"robot0.at(2,1) and human0.at(3,0) and step<4", true},
            {"robot0.at(2,1)&&human0.at(3,0)&&step<3", false},
            {"step = 1 or step = 2 or step = 3", true},
            {"step = 1 || step = 2", false},
            {"true or false and false", true},
            {"(true or false) and false", false},
            {"false and false or true", true},
            {"false and (false or true)", false},
            {"not false and false", false},
            {"not (false and false)", true},
            {"not step = 2", true},
            {"not true or true", true},
            {"((step = 3))", true},
            {"step = 3 robot0.at(2,1)", true},
            {"step < 0.004k AND STEP: 3 && Robot0.x ~ 2", true},
            {"step ≥ 4 Or step ≠ 3", false},
            {"step > −1 and step < 2M and step != 1G", true},
            {"true and not (robot0.at(2,1) and (step = 4 or not density_1_0)) or false", true},
        };
        for (const auto& [text, expected] : cases)
            QTest::newRow(text) << std::string(text) << expected;
        QTest::newRow("any blanks") << std::string("\tstep\n=\r3 ") << true;
    }
    void aTextHoldsOrNot() {
        QFETCH(std::string, text);
        QFETCH(bool, expected);
        QCOMPARE(holdsAt(text, 3, {2, 1, 3, 0, 1, 2}), expected);
        QCOMPARE(Predicate(world(), text).text(), text);
    }

    void aMistakeIsNamedWithItsColumn_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("message");
        const std::pair<const char*, const char*> cases[] = {
            {"", "column 1: the predicate is empty; write for example \"step < 4\"."},
            {"  ", "column 1: the predicate is empty; write for example \"step < 4\"."},
            {"step < 4 and robto0.x = 1",
             "column 14: unknown name \"robto0.x\"; did you mean \"robot0.x\"?"},
            {"human.at(1,1)", "column 1: unknown name \"human.at\"; did you mean \"human0.at\"?"},
            {"stpe < 4", "column 1: unknown name \"stpe\"; did you mean \"step\"?"},
            {"human0.on(1,1)", "column 1: unknown name \"human0.on\"; did you mean \"human0.in\"?"},
            {"zzzzzzzzzzzz",
             "column 1: unknown name \"zzzzzzzzzzzz\"; names look like \"robot0.x\"."},
            {"human0.x",
             "column 1: \"human0.x\" is a number from 0 to 3; compare it, as in "
             "\"human0.x = 0\"."},
            {"step", "column 1: \"step\" is a number; compare it, as in \"step < 4\"."},
            {"true and 1", "column 10: \"1\" is a number; compare it, as in \"step < 4\"."},
            {"1 < step < 3", "column 10: a comparison has two sides; write \"a < b and b < c\"."},
            {"step <", "column 7: a value for step is missing before the end."},
            {"step < )", "column 8: a value for step is missing before \")\"."},
            {"step < 3 and",
             "column 13: expected a condition such as \"step < 4\" before the end."},
            {"(step < 3",
             "column 10: expected \")\" before the end; it would close the \"(\" in "
             "column 1."},
            {"step < 3)", "column 9: this \")\" closes nothing."},
            {"step < 3 step", "column 10: \"step\" is a number; compare it, as in \"step < 4\"."},
            {"step = \"3", "column 8: the quote is not closed."},
            {"step < 3 &", "column 10: a single \"&\" has no meaning; write \"and\"."},
            {"step < 3 | true", "column 10: a single \"|\" has no meaning; write \"or\"."},
            {"step < 2.5", "column 8: only whole numbers can be compared."},
            {"step < 99999999999", "column 8: the number 99999999999 is too large."},
            {"step < 3000000000", "column 8: the number 3000000000 is too large."},
            {"step $ 3", "column 6: \"$\" has no meaning here."},
            {"human0.at(4,0)",
             "column 11: the cell 4,0 is outside the world of 4 x 2 cells, "
             "counted from 0."},
            {"human0.in(0,0,1,2)",
             "column 15: the cell 1,2 is outside the world of 4 x 2 cells, "
             "counted from 0."},
            {"human0.at(1)", "column 12: expected \",\" before \")\"; at(x,y) takes two numbers."},
            {"human0.at(1,1,1)", "column 15: at(x,y) takes two numbers; leave \"1\" out."},
            {"human0.in(1,1,1,1,1)",
             "column 19: in(x1,y1,x2,y2) takes four numbers; leave \"1\" out."},
            {"human0.at(step,1)",
             "column 11: expected a whole number, not \"step\": at(x,y) takes two numbers."},
            {"density_1_0(1)",
             "column 12: \"density_1_0\" takes no arguments; \".at(x,y)\" and "
             "\".in(x1,y1,x2,y2)\" do."},
        };
        for (const auto& [text, message] : cases)
            QTest::newRow(text) << std::string(text) << QString(message);
        QTest::newRow("columns count characters")
            << std::string("/* \xC3\xA4 */") << QString("column 1: \"/\" has no meaning here.");
        QTest::newRow("a letter of two bytes")
            << std::string("step < 3 \xC3\xA4")
            << QString::fromUtf8("column 10: \"\xC3\xA4\" has no meaning here.");
    }
    void aMistakeIsNamedWithItsColumn() {
        QFETCH(std::string, text);
        QFETCH(QString, message);
        QCOMPARE(errorOf(text), message);
    }

    void deepNestingIsRefusedWithoutOverflow() {
        const auto nested = [](std::size_t depth) {
            std::string text("true");
            for (std::size_t k = 0; k < depth; ++k) text.push_back(')');
            return text.insert(0, depth, '(');
        };
        QVERIFY(errorOf(nested(100'000)).startsWith("column 1: the condition has"));
        QCOMPARE(errorOf(nested(30'000)),
                 QString("column 201: more than 200 parentheses inside each other."));
        QVERIFY(holdsAt(nested(200), 0, {}));
        // A long flat text is no nesting.
        std::string flat = "false";
        for (int k = 0; k < 5000; ++k) flat += " or false";
        QVERIFY(!holdsAt(flat, 0, {}));
        QVERIFY(holdsAt(flat + " or true", 0, {}));
        QVERIFY(holdsAt(std::string("true").insert(0, 60'000, '!'), 0, {}));
    }

    void anyTextIsReadOrRefusedWithAMessage() {
        const std::string pieces[] = {
            "(",         ")",           "and",  "or", "not",      " ",
            "step",      "1",           "-",    "=",  "!=",       "<",
            "human0.at", "human0.x",    ",",    "!",  "&&",       "\xFF",
            "\n",        "density_1_0", "true", ".",  "\xC3\xA4", std::string(1, '\0')};
        Rng rng(5);
        int read = 0;
        for (int round = 0; round < 20'000; ++round) {
            std::string text;
            const auto length = rng.below(12);
            for (std::uint64_t k = 0; k < length; ++k) {
                text += pieces[rng.below(std::size(pieces))];
                if (rng.below(3) != 0) text += ' ';
            }
            const QString message = errorOf(text);
            if (message == "accepted") {
                ++read;
                const bool now = holdsAt(text, 1, {0, 0, 1, 1, 0, 0});
                QCOMPARE(holdsAt("not (" + text + ")", 1, {0, 0, 1, 1, 0, 0}), !now);
                QCOMPARE(holdsAt("(" + text + ") and false", 1, {0, 0, 1, 1, 0, 0}), false);
                QCOMPARE(holdsAt("(" + text + ") or true", 1, {0, 0, 1, 1, 0, 0}), true);
            } else {
                QVERIFY2(message.startsWith("column "), qPrintable(message));
                for (const QChar c : message) QVERIFY(c.unicode() >= 32);
            }
        }
        QVERIFY2(read > 100, qPrintable(QString::number(read)));
    }

    void randomFormulasHaveTheTruthOfTheirTree() {
        Rng rng(11);
        std::vector<int> values(6);
        for (int round = 0; round < 3000; ++round) {
            for (int& value : values) value = static_cast<int>(rng.below(3));
            const int step = static_cast<int>(rng.below(3));
            const auto [text, truth] = formula(rng, step, values, 5);
            QCOMPARE(holdsAt(text, step, values), truth);
        }
    }

private:
    /// A random formula and whether it holds.
    static std::pair<std::string, bool> formula(Rng& rng, int step, const std::vector<int>& values,
                                                int depth) {
        const auto kind = depth == 0 ? 3 : rng.below(5);
        if (kind == 0) {
            const auto [text, truth] = formula(rng, step, values, depth - 1);
            return {"not (" + text + ")", !truth};
        }
        if (kind <= 2) {
            const auto [left, a] = formula(rng, step, values, depth - 1);
            const auto [right, b] = formula(rng, step, values, depth - 1);
            if (kind == 1) return {"(" + left + ") and (" + right + ")", a && b};
            return {"(" + left + ") or (" + right + ")", a || b};
        }
        const char* names[] = {"robot0.x", "robot0.y", "human0.x", "human0.y"};
        const auto which = rng.below(5);
        const int left = which == 4 ? step : values[which];
        const int right = static_cast<int>(rng.below(3));
        const std::string name = which == 4 ? "step" : names[which];
        switch (rng.below(3)) {
            case 0:
                return {name + " < " + std::to_string(right), left < right};
            case 1:
                return {std::to_string(right) + " != " + name, left != right};
            default:
                return {name + " = " + std::to_string(right), left == right};
        }
    }
};

ORRERY_TEST(PredicateTest)
#include "predicate_test.moc"
