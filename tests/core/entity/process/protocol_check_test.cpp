#include <QTest>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/entity/process/protocol_check.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// Answers with all that there is.
const char* const kAnswers =
    R"({"protocol":1,"kind":"entities","obs_space":{"global_features":["t"],"entities":[{"name":"A","features":["x","y"]},{"name":"B","features":[]}]},"action_space":[{"name":"move","type":"Categorical","index_to_label":["l","r"]},{"name":"pick","type":"SelectEntity"},{"name":"say","type":"GlobalCategorical","index_to_label":["no","yes"]}],"metrics":["m"],"save":true,"more":0}
{"observations":[{"features":{"A":[[1,2],[3,4.5]],"B":[[]]},"ids":{"A":["a",["A",1]],"B":[7]},"global_features":[0.5],"visible":{"A":[true,false]},"actions":{"move":{"actor_ids":[7,["A",1]],"mask":[[true,false],[1,1]]},"pick":{"actor_types":["A"],"actee_types":["B","A"]},"say":{"mask":[true,false]}}}]}
{"observations":[{"features":{},"global_features":[-1e3],"actions":{"say":{}},"reward":-0.25,"metrics":{"m":2},"done":false},{"features":{"A":[[0,0]]},"global_features":[1],"reward":1,"done":true,"truncated":true}]}
{"states":[{"any":["thing"]}]}
{"error":"I give up","env":1}
)";

ProtocolProblem problemAfter(const std::string& what, const std::string& with) {
    std::string text = kAnswers;
    const std::size_t at = text.find(what);
    if (at == std::string::npos) return {.line = -1, .text = "no such text"};
    text.replace(at, what.size(), with);
    return checkProtocol(text);
}

/// One random damage.
void damage(std::string& text, Rng& rng) {
    static const std::vector<std::string> kPieces{"[",       "{",
                                                  "]",       "}",
                                                  ",",       ":",
                                                  "\"",      "\\",
                                                  "NaN",     "-Infinity",
                                                  "null",    "1e999",
                                                  "-0",      "\n",
                                                  "true",    "99999999999999999999",
                                                  "\"A\"",   "\"actor_ids\":[]",
                                                  "[[[[",    "\xff",
                                                  "\\ud800", std::string(1, '\0')};
    const std::size_t at = rng.below(text.size() + 1);
    switch (rng.below(6)) {
        case 0:
            text.resize(at);
            break;
        case 1:
            if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
            break;
        case 2:
            text.insert(at, kPieces[rng.below(kPieces.size())]);
            break;
        case 3:
            text.erase(at, rng.below(40));
            break;
        case 4:
            text.insert(at, text.substr(rng.below(text.size() + 1), rng.below(200)));
            break;
        default:
            text.insert(at, rng.below(30) == 0 ? std::string(100'000, rng.below(2) == 0 ? '[' : '{')
                                               : std::string(1 + rng.below(80), '['));
    }
}

}  // namespace

class ProtocolCheckTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goodAnswersAreGood() {
        const ProtocolProblem problem = checkProtocol(kAnswers);
        QVERIFY2(problem.line == 0, problem.text.c_str());
    }

    void eachMistakeIsNamedWithItsLine_data() {
        QTest::addColumn<QByteArray>("what");
        QTest::addColumn<QByteArray>("with");
        QTest::addColumn<int>("line");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* what, const char* with, int line,
                            const char* says) {
            QTest::newRow(name) << QByteArray(what) << QByteArray(with) << line << QByteArray(says);
        };
        row("protocol", "\"protocol\":1", "\"protocol\":2", 1, "protocol: must be 1, got 2");
        row("kind", "\"entities\",\"obs", "\"arrays\",\"obs", 1, "kind: must be \"entities\"");
        row("type", "\"SelectEntity\"", "\"Select\"", 1, "action_space[1].type");
        row("no choices", "[\"l\",\"r\"]", "[]", 1, "at least one choice");
        row("a name twice", "\"name\":\"B\"", "\"name\":\"A\"", 1, "\"A\" stands twice");
        row("not a list", "[{\"name\":\"A\"", "{\"name\":\"A\"", 1, "no JSON object");
        row("width", "[3,4.5]", "[3]", 2, "observations[0]: features.A[1]: has 1 features");
        row("id", "\"actor_ids\":[7,", "\"actor_ids\":[8,", 2, "nothing is named 8");
        row("ids", "\"B\":[7]", "\"B\":[7,8]", 2, "ids.B: names 2 things");
        row("mask", "[[true,false],[1,1]]", "[[true,false]]", 2, "actions.move.mask: has 1 rows");
        row("nothing", "[1,1]", "[0,0]", 2, "allows decider 1 nothing");
        row("NaN", "[0.5]", "[NaN]", 2, "global_features: must be a number, got \"NaN\"");
        row("infinity", "[-1e3]", "[1e39]", 3, "observations[0]: global_features: must be finite");
        row("reward", "-0.25", "\"x\"", 3, "observations[0]: reward: must be a finite number");
        row("metric", "{\"m\":2}", "{\"m\":[]}", 3, "metrics.m");
        row("done", "\"done\":true", "\"done\":1", 3, "observations[1]: done");
        row("answer", "{\"states\":", "{\"stats\":", 4, "observations: must be a list");
        row("deep",
            "{\"any\":", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 4,
            "nested more than 64 deep");
    }
    void eachMistakeIsNamedWithItsLine() {
        QFETCH(const QByteArray, what);
        QFETCH(const QByteArray, with);
        QFETCH(const int, line);
        QFETCH(const QByteArray, says);
        const ProtocolProblem problem = problemAfter(what.toStdString(), with.toStdString());
        QVERIFY2(problem.text.find(says.constData()) != std::string::npos, problem.text.c_str());
        QCOMPARE(problem.line, std::int64_t{line});
    }

    void nothingAtAllIsNoAnswer() { QCOMPARE(checkProtocol("").line, std::int64_t{1}); }

    /// 20,000 with ORRERY_MUTANTS=20000.
    void damagedAnswersAreRefusedInOneLine() {
        const int mutants = qEnvironmentVariableIntValue("ORRERY_MUTANTS");
        Rng rng(20);
        int refused = 0;
        for (int i = 0; i < std::max(1000, mutants); ++i) {
            std::string text = kAnswers;
            for (std::uint64_t k = rng.below(3) + 1; k > 0; --k) damage(text, rng);
            const ProtocolProblem problem = checkProtocol(text);
            QVERIFY(problem.line == 0 || !problem.text.empty());
            QVERIFY2(problem.text.size() < 1000 && problem.text.find('\n') == std::string::npos,
                     problem.text.c_str());
            if (problem.line != 0) ++refused;
        }
        QVERIFY(refused > 500);
    }
};

ORRERY_TEST(ProtocolCheckTest)
#include "protocol_check_test.moc"
