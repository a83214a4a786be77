#include <QTest>
#include <nlohmann/json.hpp>
#include <string>

#include "core/env/frame_json.h"
#include "tests/support/test_program.h"

using namespace orrery;
using Wholes = std::vector<std::int64_t>;

namespace {

/// Two types of things, features of the game, and an action of each kind.
EnvironmentSpaces spacesOfAll() {
    using enum ObservedSpace::Kind;
    return {.observations =
                {{.name = "A", .kind = Entities, .shape = {2}, .depth = 1, .features = {"x", "y"}},
                 {.name = "B", .kind = Entities, .shape = {0}, .depth = 1},
                 {.name = "__global__", .shape = {1}, .features = {"t"}}},
            .actions = {{.name = "move", .choices = {"l", "r"}, .isOfActors = true},
                        {.name = "pick", .kind = ActionSpace::Kind::Select, .isOfActors = true},
                        {.name = "say", .choices = {"no", "yes"}}}};
}

constexpr const char* kFrame = R"({
    "features": {"B": [[]], "A": [[1, 2], [3, 4.5]]},
    "ids": {"A": ["a0", ["A", 1]], "B": ["b"]},
    "global_features": [0.5],
    "visible": {"A": [true, 0]},
    "actions": {"move": {"actor_ids": ["b", ["A", 1]], "mask": [[true, false], [1, 1]]},
                "pick": {"actor_types": ["A"], "actee_types": ["B", "A"]},
                "say": {"mask": [true, false]}}})";

std::string problemOf(const nlohmann::json& frame) {
    Observation out;
    const std::vector<std::string> problems = readFrame(spacesOfAll(), frame, out);
    return problems.empty() ? std::string() : problems.front();
}

}  // namespace

class FrameJsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesBecomeIndices() {
        Observation out;
        QVERIFY(readFrame(spacesOfAll(), nlohmann::json::parse(kFrame), out).empty());
        QCOMPARE(out.parts[0].values, (std::vector<float>{1, 2, 3, 4.5F}));
        QCOMPARE(out.parts[0].begins[0], (Wholes{0, 2}));
        QCOMPARE(out.parts[0].visible, (std::vector<std::uint8_t>{1, 0}));
        QCOMPARE(out.parts[1].begins[0], (Wholes{0, 1}));
        QCOMPARE(out.parts[2].values, std::vector<float>{0.5F});
        // B comes after both As, though the file has it first.
        QCOMPARE(out.offers[0].actors, (Wholes{2, 1}));
        QCOMPARE(out.offers[0].allowed, (std::vector<std::uint8_t>{1, 0, 1, 1}));
        QCOMPARE(out.offers[1].actors, (Wholes{0, 1}));
        QCOMPARE(out.offers[1].candidates, (Wholes{2, 0, 1}));
        QCOMPARE(out.offers[2].allowed, (std::vector<std::uint8_t>{1, 0}));
        QVERIFY(problemsOf(spacesOfAll(), out).empty());
    }

    void whoIsNotNamedActsIfAtAll() {
        nlohmann::json frame = nlohmann::json::parse(kFrame);
        frame["actions"] = {{"move", nlohmann::json::object()}, {"say", nlohmann::json::object()}};
        Observation out;
        QVERIFY(readFrame(spacesOfAll(), frame, out).empty());
        QCOMPARE(out.offers[0].actors, (Wholes{0, 1, 2}));  // all things
        QVERIFY(out.offers[1].actors.empty() && out.offers[1].candidates.empty());
        frame["actions"]["pick"] = {{"actor_ids", nlohmann::json::array()}, {"actee_types", {"A"}}};
        QVERIFY(readFrame(spacesOfAll(), frame, out).empty());
        QVERIFY(out.offers[1].candidates.empty());  // where nobody acts nothing is selected
    }

    void eachMistakeIsNamedWithItsField_data() {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* pointer, const char* value,
                            const char* field, const char* says) {
            QTest::newRow(name) << QByteArray(pointer) << QByteArray(value) << QByteArray(field)
                                << QByteArray(says);
        };
        row("type", "/features/Ab", "[[1, 2]]", "features", "there is no type");
        row("width", "/features/A/1", "[1]", "features.A[1]", "1 features");
        row("number", "/features/A/0/0", "\"1\"", "features.A[0]", "a number");
        row("infinity", "/features/A/0/0", "1e300", "features.A[0]", "finite");
        row("list", "/features/A", "{}", "features.A", "a list");
        row("ids", "/ids/A", "[\"a\"]", "ids.A", "1 things; there are 2");
        row("twice", "/ids/A", "[\"b\", \"b\"]", "ids.A", "twice");
        row("global", "/global_features", "[1, 2]", "global_features", "2 numbers, not 1");
        row("no global", "/global_features", "null", "global_features", "missing");
        row("visible", "/visible/A", "[true]", "visible.A", "1 things; there are 2");
        row("flag", "/visible/A", "[true, 2]", "visible.A", "true or false");
        row("action", "/actions/mvoe", "{}", "actions", "did you mean \"move\"");
        row("actor", "/actions/move/actor_ids", "[\"z\"]", "actions.move.actor_ids", "\"z\"");
        row("actor type", "/actions/pick/actor_types", "[\"C\"]", "actions.pick.actor_types",
            "there is no type");
        row("both", "/actions/move/actor_types", "[\"A\"]", "actions.move", "one of them");
        row("rows", "/actions/move/mask", "[[true, true]]", "actions.move.mask",
            "1 rows; 2 decide");
        row("choices", "/actions/move/mask/1", "[true]", "actions.move.mask", "2 choices");
        row("game", "/actions/say", "null", "actions.say", "missing");
    }
    void eachMistakeIsNamedWithItsField() {
        QFETCH(QByteArray, pointer);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, says);
        nlohmann::json frame = nlohmann::json::parse(kFrame);
        frame[nlohmann::json::json_pointer(pointer.toStdString())] =
            nlohmann::json::parse(value.toStdString());
        const QByteArray problem = QByteArray::fromStdString(problemOf(frame));
        QVERIFY2(problem.startsWith(field + ": ") && problem.contains(says), problem);
    }

    void whatIsNoObjectIsRefused() {
        for (const char* text : {"[]", "1", "null", "\"a\""})
            QVERIFY(!problemOf(nlohmann::json::parse(text)).empty());
    }
};

ORRERY_TEST(FrameJsonTest)
#include "frame_json_test.moc"
