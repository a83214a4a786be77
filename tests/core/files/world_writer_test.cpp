#include "core/files/world_writer.h"
#include "core/bush/bush_spec.h"

#include <QTest>
#include <algorithm>
#include <string>

#include "test_files.h"

#include "core/grid/grid_spec.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using orrery::ActionSet;
using orrery::GridWorldSpec;
using orrery::WorldFile;
using orrery::WorldSpec;

namespace {

/// What is wrong after writing and reading a spec in both formats; "" if nothing.
std::string lostOnTheWay(const WorldSpec& spec) {
    for (const std::string& text : {writeWorldYaml(spec), writeWorldJson(spec)}) {
        const WorldFile again = orrery::parseWorld(text, "again");
        if (again.hasErrors) return linesOf(again) + text;
        const std::string lost = differences(spec, again.spec);
        if (!lost.empty()) return std::string(lost).append(" of\n").append(text);
    }
    return "";
}

/// A spec without a default in any member.
GridWorldSpec unusualSpec() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWe", "WeAy..ArWe", "WeMaBuAeWe", "WeWeWeWeWe"};
    spec.maxSteps = 0;
    spec.actionSet = ActionSet::Object;
    spec.agentActionSets = {std::nullopt, ActionSet::Minimal};
    spec.orientations = {3, 2, 1};
    spec.canPushRocks = "";
    spec.canEnterMagicWalls = {false, true};
    spec.humanAgents = std::vector<int>{0, 1};
    spec.robotAgents = std::vector<int>{};
    spec.stumbleProbability = 0.1 + 0.2;
    spec.magicEntryProbability = 1e-7;
    spec.solidifyProbability = 5e-324;
    spec.enterBushSuccessProbability = 1.0 / 3;
    spec.durationPerNonzeroAction = 123456.789;
    spec.possibleGoals = {{1, 1, 1, 1, false}, {1, 1, 1, 1, true}, {1, 1, 3, 2, true}};
    spec.goalWeights = {0.1, 1e-300, 7};
    spec.ownGoals = {{1, {{3, 1, 3, 1, false}}, {}}, {0, {{1, 1, 3, 2, true}}, {2.5}}};
    spec.fixMagicAll = true;
    spec.metadata = {"n: #|",
                     "two\nlines \x7F \xC2\x85 \"'\\ 漢😀",
                     " a ",
                     "1.0",
                     "null",
                     "[x]",
                     {"", "a, b", "\x01"}};
    spec.seed = 0;
    spec.partialObs = true;
    spec.agentViewSize = 3;
    spec.seeThroughWalls = false;
    return spec;
}

}  // namespace

class WorldWriterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFileSurvivesWritingAndReading_data() {
        QTest::addColumn<std::string>("path");
        for (const std::string& folder :
             {dataPath("keys"), dataPath("oracle"), orrery::sourcePath("resources/worlds")})
            for (const std::string& path : worldsIn(folder))
                QTest::newRow(path.substr(path.rfind('/') + 1).c_str()) << path;
    }
    void everyFileSurvivesWritingAndReading() {
        QFETCH(std::string, path);
        QCOMPARE(lostOnTheWay(requireSpec(orrery::readWorldFile(path))), std::string());
    }

    void everyMemberIsWritten() {
        const GridWorldSpec unusual = unusualSpec();
        QCOMPARE(differences(unusual, GridWorldSpec{}),
                 std::string("map maxSteps possibleGoals goalWeights ownGoals name description "
                             "author version created category tags actionSet agentActionSets "
                             "orientations canPushRocks canEnterMagicWalls humanAgents robotAgents "
                             "stumbleProbability magicEntryProbability solidifyProbability "
                             "enterBushSuccessProbability durationPerNonzeroAction fixMagicAll "
                             "seed partialObs agentViewSize seeThroughWalls"));
        QCOMPARE(lostOnTheWay(unusual), std::string());
    }

    void bushWorldsAreWritten() {
        orrery::BushWorldSpec spec;
        spec.map = {{"Hu", "3", "Ro"}, {"0", "12", "Hu"}};
        spec.capacity = 12;
        spec.maxSteps = 4;
        spec.fillDensity = 2;
        spec.goalWeights = {1, 2, 3, 4, 5, 6};
        spec.ownGoals = {{1, {{0, 0, 2, 1, true}}, {0.5}}};
        spec.metadata.name = "meadow";
        QCOMPARE(lostOnTheWay(spec), std::string());
    }

    void theTextIsForPeople() {
        GridWorldSpec spec;
        spec.metadata.name = "Small";
        spec.map = {"WeWeWe", "WeAyWe", "WeWeWe"};
        spec.possibleGoals = {{1, 1, 1, 1, false}};
        QCOMPARE(writeWorldYaml(spec),
                 std::string("metadata:\n  name: \"Small\"\nmap: |\n  We We We\n  We Ay We\n"
                             "  We We We\nmax_steps: 100\npossible_goals:\n  - [1, 1]\n"));
        QCOMPARE(
            writeWorldJson(spec),
            std::string("{\n  \"metadata\": {\n    \"name\": \"Small\"\n  },\n  \"map\": [\n"
                        "    \"We We We\",\n    \"We Ay We\",\n    \"We We We\"\n  ],\n"
                        "  \"max_steps\": 100,\n  \"possible_goals\": [\n    [1, 1]\n  ]\n}\n"));
    }

    /// The editor asks validate() what may be saved; what it lets pass must open again.
    void whatIsValidIsReadAgain() {
        const auto agrees = [](const GridWorldSpec& spec) {
            const auto isError = [](const orrery::SpecProblem& p) { return !p.isWarning; };
            const bool isValid = std::ranges::none_of(validate(spec), isError);
            return isValid != orrery::parseWorld(writeWorldYaml(spec), "saved").hasErrors;
        };
        GridWorldSpec plain;
        plain.map = {"WeWeWeWeWe", "WeAy..AeWe", "WeWeWeWeWe"};
        plain.possibleGoals = {{1, 1, 1, 1, false}, {2, 1, 2, 1, false}};
        for (const double value : {-1.0, 0.0, 0.5, 1.0, 1.5, 1e6, 1e6 + 1, 1e20}) {
            GridWorldSpec spec = plain;
            spec.durationPerNonzeroAction = value;
            QVERIFY2(agrees(spec), qPrintable(QString::number(value)));
            for (double GridWorldSpec::*member :
                 {&GridWorldSpec::stumbleProbability, &GridWorldSpec::magicEntryProbability,
                  &GridWorldSpec::solidifyProbability,
                  &GridWorldSpec::enterBushSuccessProbability}) {
                spec = plain;
                spec.*member = value;
                QVERIFY2(agrees(spec), qPrintable(QString::number(value)));
            }
        }
        for (const int steps : {-1, 0, 1'000'000, 1'000'001, 2'000'000'000}) {
            GridWorldSpec spec = plain;
            spec.maxSteps = steps;
            QVERIFY2(agrees(spec), qPrintable(QString::number(steps)));
        }
        for (const double weight : {-1.0, 0.0, 1e-310, 1e-300, 0.5, 1e300, 1e301}) {
            GridWorldSpec spec = plain;
            spec.goalWeights = {weight, 0.5};
            QVERIFY2(agrees(spec), qPrintable(QString::number(weight)));
        }
    }
};

ORRERY_TEST(WorldWriterTest)
#include "world_writer_test.moc"
