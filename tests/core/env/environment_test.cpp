#include <QTest>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/env/catalogue.h"
#include "core/env/environment.h"
#include "tests/support/corridor/corridor_environment.h"
#include "tests/support/test_program.h"

using namespace orrery;
using test::CorridorEnvironment;

namespace {

/// A sentence of words, a place, and mines that are shot at by cannons.
EnvironmentSpaces manySpaces() {
    using enum ObservedSpace::Kind;
    return {
        .observations =
            {{.name = "sentences", .kind = Sequence, .depth = 2, .categories = 100},
             {.name = "place", .shape = {2}, .low = 0, .high = 8},
             {.name = "Mine", .kind = Entities, .shape = {2}, .depth = 1, .features = {"x", "y"}}},
        .actions = {{.name = "aim", .kind = ActionSpace::Kind::Select, .isOfActors = true},
                    {.name = "steer", .kind = ActionSpace::Kind::Numbers, .size = 2},
                    {.name = "gear", .choices = {"slow", "fast"}}}};
}

/// Two sentences of one and two words, and three mines; the first aims at the others.
Observation manyThings() {
    return {.parts = {{.values = {5, 7, 99}, .begins = {{0, 2}, {0, 1, 3}}},
                      {.values = {1, 8}, .begins = {}},
                      {.values = {0, 0, 1, 1, 2, 2}, .begins = {{0, 3}}}},
            .offers = {{.actors = {0}, .candidates = {1, 2}, .allowed = {0, 1}}, {}, {}}};
}

std::vector<ActionTaken> manyActions() {
    return {{.indices = {1}, .numbers = {}},
            {.indices = {}, .numbers = {0.5F, -1}},
            {.indices = {0}, .numbers = {}}};
}

std::vector<ActionTaken> move(int direction) {
    return {{.indices = {direction}, .numbers = {}}};
}

bool says(const std::vector<std::string>& problems, const char* part) {
    for (const std::string& problem : problems)
        if (problem.find(part) != std::string::npos) return true;
    return false;
}

}  // namespace

class EnvironmentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void spacesOfEveryKindAreSound() {
        QVERIFY(problemsOf(manySpaces()).empty());
        QCOMPARE(kindOf(manySpaces()), "entities");
        QVERIFY(problemsOf(manySpaces(), manyThings()).empty());
        QCOMPARE(problemOf(manySpaces(), manyThings(), manyActions()), std::string());
    }

    void whatIsWrongWithSpacesIsSaid() {
        EnvironmentSpaces spaces = manySpaces();
        spaces.observations[1].name = "Mine";
        spaces.observations[0].depth = 17;
        spaces.observations[2].features = {"x"};
        spaces.actions[2].choices = {};
        spaces.rewards.clear();
        const std::vector<std::string> problems = problemsOf(spaces);
        QVERIFY(says(problems, "an observation \"Mine\" stands twice"));
        QVERIFY(says(problems, "[1, 16]"));
        QVERIFY(says(problems, "number of its features"));
        QVERIFY(says(problems, "at least one choice"));
        QVERIFY(says(problems, "at least one reward"));
    }

    void whatIsWrongWithAnObservationIsSaid_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QByteArray>("text");
        int what = 0;
        for (const char* text :
             {"not 2", "rows that do not follow", "4 are due", "not finite", "9, out of [0, 8]",
              "7.5, which is no category", "actor that is not observed", "1 of 2 choices",
              "allows decider 0 nothing", "but names actors", "1 actions"})
            QTest::newRow(text) << what++ << QByteArray(text);
    }
    void whatIsWrongWithAnObservationIsSaid() {
        QFETCH(int, what);
        QFETCH(QByteArray, text);
        Observation observed = manyThings();
        std::vector<ObservedPart>& parts = observed.parts;
        if (what == 0) parts[0].begins.pop_back();
        if (what == 1) parts[0].begins[1] = {0, 2, 1};
        if (what == 2) parts[2].begins = {{0, 2}};
        if (what == 3) parts[2].values[3] = std::numeric_limits<float>::quiet_NaN();
        if (what == 4) parts[1].values[1] = 9;
        if (what == 5) parts[0].values[1] = 7.5F;
        if (what == 6) observed.offers[0].actors = {3};
        if (what == 7) observed.offers[0].allowed = {1};
        if (what == 8) observed.offers[0].allowed = {0, 0};
        if (what == 9) observed.offers[2].actors = {0};
        if (what == 10) observed.offers.resize(1);
        const std::vector<std::string> problems = problemsOf(manySpaces(), observed);
        QVERIFY2(says(problems, text), problems.empty() ? "nothing" : problems[0].c_str());
    }

    void whatWasNotOfferedIsRefused() {
        const EnvironmentSpaces spaces = manySpaces();
        std::vector<ActionTaken> taken = manyActions();
        taken[0].indices = {0};
        QCOMPARE(problemOf(spaces, manyThings(), taken),
                 std::string("action \"aim\" does not offer choice 0"));
        taken = manyActions();
        taken[1].numbers = {0, 1.5F};
        QCOMPARE(problemOf(spaces, manyThings(), taken),
                 std::string("action \"steer\" takes no 1.5"));
        taken = manyActions();
        taken[2].indices = {};
        QCOMPARE(problemOf(spaces, manyThings(), taken),
                 std::string("action \"gear\" is decided 1 times, not 0"));
        taken.pop_back();
        QCOMPARE(problemOf(spaces, manyThings(), taken), std::string("3 actions are due, not 2"));
    }

    void anEpisodeIsAFunctionOfItsSeedAndItsActions() {
        CorridorEnvironment corridor({.length = 4, .starts = {1, 0}, .timeOut = 5});
        Observation now;
        StepResult result;
        corridor.reset(2, now);
        QVERIFY(problemsOf(corridor.spaces(), now).empty());
        QCOMPARE(now.parts[0].values, std::vector<float>{1});
        corridor.step(move(1), result, now);
        QCOMPARE(result.rewards, std::vector<double>{0});
        QVERIFY(result.end == EpisodeEnd::None);
        corridor.step(move(1), result, now);
        QCOMPARE(result.rewards, std::vector<double>{1});
        QVERIFY(result.end == EpisodeEnd::Success);
        corridor.reset(3, now);
        QCOMPARE(now.parts[0].values, std::vector<float>{0});
        for (int i = 0; i < 5; ++i) corridor.step(move(0), result, now);
        QVERIFY(result.end == EpisodeEnd::TimeOut);
        QVERIFY_EXCEPTION_THROWN(corridor.step(move(2), result, now), Error);
    }

    void aStateGoesOnWhereItWasTaken() {
        CorridorEnvironment first({.length = 6}), second({.length = 6});
        Observation now, then;
        StepResult result;
        first.reset(0, now);
        first.step(move(1), result, now);
        second.setState(first.state(), then);
        QCOMPARE(second.state(), first.state());
        QVERIFY(then == now);
        for (const char* bad : {"", "[]", "{}", R"({"cell":6,"steps":1})", R"({"cell":-1})"})
            QVERIFY_EXCEPTION_THROWN(second.setState(bad, then), Error);
        QCOMPARE(second.state(), first.state());
        double left = 0;
        second.facts({&left, 1});
        QCOMPARE(left, 4.0);
    }

    void aPictureCostsWhatIsSeen() {
        CorridorEnvironment corridor({.length = 1000});
        Observation now;
        corridor.reset(0, now);
        QCOMPARE(corridor.picture({}).layers[0].tiles.size(), std::size_t{2000});
        const PictureWish wish{.corner = {10, 0}, .width = 5, .height = 1};
        QCOMPARE(corridor.picture(wish).layers[0].tiles.size(), std::size_t{10});
    }

    void aCatalogueIsAList() {
        const std::vector<EnvironmentEntry> list{test::corridorEntry()};
        QVERIFY(findEnvironment(list, "corridor") == list.data());
        QVERIFY(findEnvironment(list, "Corridor") == nullptr);
        const auto made = environmentNamed(list, "corridor").make(R"({"length":3})");
        QCOMPARE(made->spaces().observations[0].categories, std::int64_t{3});
        try {
            environmentNamed(list, "corider");
            QFAIL("there is no such environment");
        } catch (const Error& error) {
            QVERIFY(std::string(error.what()).find("Did you mean \"corridor\"?") !=
                    std::string::npos);
        }
        QVERIFY_EXCEPTION_THROWN(list[0].make(R"({"width":3})"), Error);
    }
};

ORRERY_TEST(EnvironmentTest)
#include "environment_test.moc"
