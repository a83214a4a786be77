#include "widgets/world/spec_edit.h"

#include <QTest>

#include "core/bush/bush_spec.h"
#include "core/dag/state_graph.h"
#include "core/grid/grid_spec.h"
#include "tests/support/test_program.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/world/draft_check.h"
#include "widgets/world/new_world_dialog.h"
#include "widgets/world/spec_shape.h"

using namespace orrery;

namespace {

/// Two humans (0, 2) and a robot (1), each facing another way; human 2 has goals of its own.
GridWorldSpec threeAgents() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWeWe", "WeAy..Ae..We", "We..Ay....We", "WeWeWeWeWeWe"};
    spec.maxSteps = 3;
    spec.orientations = {0, 1, 2};
    spec.canEnterMagicWalls = {false, true};
    spec.possibleGoals = {{4, 1, 4, 1, false}, {4, 2, 4, 2, false}};
    spec.ownGoals = {{2, {{1, 2, 1, 2, false}}, {1.0}}};
    return spec;
}

const GridWorldSpec& grid(const WorldSpec& spec) {
    return *spec.as<GridWorldSpec>();
}

}  // namespace

class SpecEditTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAgentBeforeOthersShiftsWhatBelongsToThem() {
        WorldSpec spec = threeAgents();
        setCells(spec, {{2, 1}}, "Ay");  // a new human between agents 0 and 1
        QCOMPARE(agentAt(spec, {2, 1}), 1);
        QCOMPARE(grid(spec).orientations, (std::vector{0, 0, 1, 2}));
        QCOMPARE(grid(spec).canEnterMagicWalls, (std::vector{false, false, true}));
        QCOMPARE(grid(spec).ownGoals.size(), std::size_t{1});
        QCOMPARE(grid(spec).ownGoals[0].agent, 3);
        QVERIFY(validate(spec).empty() || validate(spec)[0].isWarning);
    }

    void insertedLinesMoveWhatStandsBehindThem_data() {
        QTest::addColumn<int>("side");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QPoint>("way");  // of everything
        QTest::newRow("left") << static_cast<int>(MapSide::Left) << QSize(7, 4) << QPoint(1, 0);
        QTest::newRow("right") << static_cast<int>(MapSide::Right) << QSize(7, 4) << QPoint(0, 0);
        QTest::newRow("top") << static_cast<int>(MapSide::Top) << QSize(6, 5) << QPoint(0, 1);
        QTest::newRow("bottom") << static_cast<int>(MapSide::Bottom) << QSize(6, 5) << QPoint(0, 0);
    }
    void insertedLinesMoveWhatStandsBehindThem() {
        QFETCH(int, side);
        QFETCH(QSize, size);
        QFETCH(QPoint, way);
        const WorldSpec before = threeAgents();
        WorldSpec spec = before;
        QVERIFY(insertLines(spec, insertedAt(spec, static_cast<MapSide>(side))));
        QCOMPARE(sizeOf(spec), size);
        QVERIFY(validate(spec).empty() || validate(spec)[0].isWarning);  // walled all round
        const auto old = agentsOf(before), now = agentsOf(spec);
        QCOMPARE(now.size(), old.size());
        for (std::size_t i = 0; i < old.size(); ++i) {
            QCOMPARE(now[i].cell, old[i].cell + way);
            QCOMPARE(now[i].direction, old[i].direction);
        }
        const Goal& shared = grid(spec).possibleGoals[0];
        QCOMPARE(QPoint(shared.x1, shared.y1), QPoint(4, 1) + way);
        const Goal& own = grid(spec).ownGoals.at(0).goals[0];
        QCOMPARE(QPoint(own.x1, own.y1), QPoint(1, 2) + way);
        // The same line is taken out again, and nothing is lost.
        const auto removed = removedAt(spec, static_cast<MapSide>(side));
        QVERIFY(lossOf(spec, *removed).isNothing());
        QVERIFY(removeLines(spec, *removed));
        QCOMPARE(worldText(spec), worldText(before));
    }

    void aLineThroughAnAreaMakesItLargerOrSmaller() {
        WorldSpec spec = threeAgents();
        spec->possibleGoals = {{2, 1, 4, 2, true}};
        QVERIFY(insertLines(spec, {MapLines::Columns, 3, 2}));
        QCOMPARE(grid(spec).possibleGoals[0], (Goal{2, 1, 6, 2, true}));
        QVERIFY(removeLines(spec, {MapLines::Columns, 2, 2}));
        QCOMPARE(grid(spec).possibleGoals[0], (Goal{2, 1, 4, 2, true}));
        QVERIFY(removeLines(spec, {MapLines::Columns, 4, 1}));
        QCOMPARE(grid(spec).possibleGoals[0], (Goal{2, 1, 3, 2, true}));
    }

    void whatARemovalLosesIsListedAgentsFirst() {
        WorldSpec spec = threeAgents();
        spec->goalWeights = {1, 3};
        setCells(spec, {{1, 2}}, "Kr");
        setCells(spec, {{4, 2}}, "We");
        const MapSpan row{MapLines::Rows, 2, 1};
        const MapLoss loss = lossOf(spec, row);
        QCOMPARE(loss.things.size(), std::size_t{2});
        QCOMPARE(loss.things[0].agent, 2);
        QCOMPARE(loss.things[1].code, std::string("Kr"));
        QCOMPARE(loss.goals, (std::vector<Goal>{{4, 2, 4, 2, false}, {1, 2, 1, 2, false}}));
        QCOMPARE(loss.numWalls, 1);
        QVERIFY(removeLines(spec, row));
        QCOMPARE(agentsOf(spec).size(), std::size_t{2});
        QCOMPARE(grid(spec).possibleGoals.size(), std::size_t{1});
        QCOMPARE(grid(spec).goalWeights, std::vector{4.0});  // their sum stays
        QVERIFY(grid(spec).ownGoals.empty());
        const std::string smallest = worldText(spec);
        QVERIFY(!removedAt(spec, MapSide::Top));
        QVERIFY(!removeLines(spec, {MapLines::Rows, 1, 1}));
        QCOMPARE(worldText(spec), smallest);
    }

    void symmetricPaintingIsTheSameSeenInAMirror() {
        WorldSpec spec = threeAgents();
        paintCells(spec, {{1, 2}}, "Me", {.leftRight = true, .upDown = false});
        QCOMPARE(codeAt(spec, {1, 2}), std::string("Me"));
        QCOMPARE(codeAt(spec, {4, 2}), std::string("Mw"));
        QCOMPARE(codeAt(spec, {1, 1}), std::string("Ay"));
        paintCells(spec, {{2, 2}}, "Ae", {.leftRight = true, .upDown = true});
        for (const QPoint& cell : {QPoint(2, 2), QPoint(3, 2), QPoint(2, 1), QPoint(3, 1)})
            QCOMPARE(codeAt(spec, cell), std::string("Ae"));
        QCOMPARE(agentsOf(spec)[static_cast<std::size_t>(agentAt(spec, {2, 2}))].direction, 0);
        QCOMPARE(agentsOf(spec)[static_cast<std::size_t>(agentAt(spec, {3, 2}))].direction, 2);
        // Mirrored twice, a map is the same: painting is symmetric for every cell and code.
        for (const char* code : {"We", "Mn", "Ms", "La", ".."}) {
            WorldSpec one = threeAgents(), other = threeAgents();
            paintCells(one, {{1, 1}, {2, 1}}, code, {.leftRight = true, .upDown = true});
            const std::string image = code == std::string("Mn")   ? "Ms"
                                      : code == std::string("Ms") ? "Mn"
                                                                  : code;
            paintCells(other, {{4, 2}, {3, 2}}, image, {.leftRight = true, .upDown = true});
            QCOMPARE(worldText(one), worldText(other));
        }
    }

    void aPatchCarriesItsAgentsAndItsTextIsReadBack() {
        WorldSpec spec = threeAgents();
        const MapPatch patch = patchOf(spec, QRect(2, 1, 2, 2));
        QCOMPARE(patch.text(), QStringLiteral(".. Ae\nAy ..\n"));
        const auto read = patchFromText(spec, patch.text());
        QVERIFY(read && read->codes == patch.codes && read->size == patch.size);
        for (const char* text : {"", "We We\nWe", "Hello", "1 2", "Zz"})
            QVERIFY2(!patchFromText(spec, QString::fromLatin1(text)), text);
        const QRect put = putPatch(spec, patch, {4, 1});
        QCOMPARE(put, QRect(4, 1, 2, 2));
        QCOMPARE(codeAt(spec, {5, 1}), std::string("Ae"));
        const int copy = agentAt(spec, {4, 2});
        QCOMPARE(agentsOf(spec)[static_cast<std::size_t>(copy)].direction, 2);
        QCOMPARE(grid(spec).ownGoals.size(), std::size_t{2});  // the copy has them too
        QCOMPARE(putPatch(spec, patch, {5, 3}), QRect(5, 3, 1, 1));
    }

    void aRemovedAgentTakesItsOwnAlong() {
        WorldSpec spec = threeAgents();
        setCells(spec, {{2, 2}}, emptyCode(spec));
        QCOMPARE(agentsOf(spec).size(), std::size_t{2});
        QCOMPARE(grid(spec).orientations, (std::vector{0, 1}));
        QVERIFY(grid(spec).ownGoals.empty());
    }

    void aMovedAgentKeepsItsOwn() {
        WorldSpec spec = threeAgents();
        moveThing(spec, {2, 2}, {2, 1});  // human 2 becomes agent 1, the robot agent 2
        QCOMPARE(codeAt(spec, {2, 2}), std::string(".."));
        QCOMPARE(grid(spec).orientations, (std::vector{0, 2, 1}));
        QCOMPARE(grid(spec).ownGoals[0].agent, 1);
        QCOMPARE(grid(spec).canEnterMagicWalls, (std::vector{false, false, true}));
    }

    void listedRolesFollowTheirAgents() {
        GridWorldSpec listed = threeAgents();
        listed.humanAgents = std::vector{0, 2};
        listed.robotAgents = std::vector{1};
        WorldSpec spec = listed;
        setCells(spec, {{2, 1}}, "Ae");
        QCOMPARE(*grid(spec).humanAgents, (std::vector{0, 3}));
        QCOMPARE(*grid(spec).robotAgents, (std::vector{1, 2}));
    }

    void turningGoesRoundClockwise() {
        WorldSpec spec = threeAgents();
        QVERIFY(turnThing(spec, {1, 1}));
        QCOMPARE(grid(spec).orientations, (std::vector{1, 1, 2}));
        for (int i = 0; i < 3; ++i) turnThing(spec, {1, 1});
        QCOMPARE(grid(spec).orientations, (std::vector{0, 1, 2}));
        QVERIFY(!turnThing(spec, {2, 1}));
        setCells(spec, {{2, 1}}, "Ma");
        QVERIFY(turnThing(spec, {2, 1}));
        QCOMPARE(codeAt(spec, {2, 1}), std::string("Me"));
    }

    void aFillStopsAtOtherCodes() {
        const WorldSpec spec = threeAgents();
        // The floor right of the robot and the row below it hang together.
        QCOMPARE(filledFrom(spec, {4, 1}).size(), std::size_t{3});
        QCOMPARE(filledFrom(spec, {0, 0}).size(), std::size_t{16});
        QVERIFY(filledFrom(spec, {9, 9}).empty());
    }

    void weightsKeepTheirSumAndProportions() {
        WorldSpec spec = threeAgents();
        setGoalWeight(spec, -1, 0, 0.8);
        setGoalWeight(spec, -1, 1, 0.2);
        addGoal(spec, -1, {1, 1, 2, 2, true});
        const std::vector<double> weights = goalListsOf(spec)[0].weights;
        QCOMPARE(weights.size(), std::size_t{3});
        QCOMPARE(weights[0] + weights[1] + weights[2], 1.0);
        QCOMPARE(weights[0] / weights[1], 4.0);
        removeGoal(spec, -1, 2);
        QCOMPARE(goalListsOf(spec)[0].weights, (std::vector{0.8, 0.2}));
        addGoal(spec, 0, {3, 2, 3, 2, false});  // human 0 gets a list of its own
        QCOMPARE(goalListsOf(spec)[0].goals.size(), std::size_t{2});
        QCOMPARE(goalListsOf(spec)[1].agent, 0);
        QCOMPARE(goalListsOf(spec)[1].goals.size(), std::size_t{3});
    }

    void aBushWorldKeepsItsCells() {
        BushWorldSpec bush;
        bush.map = {{"Hu", "1"}, {"Ro", "2"}};
        bush.ownGoals = {{1, {{0, 0, 0, 0, false}}, {1.0}}};
        WorldSpec spec = bush;
        QCOMPARE(agentAt(spec, {0, 1}), 0);  // robots come first
        setCells(spec, {{1, 0}}, "Ro");
        QCOMPARE(agentAt(spec, {0, 0}), 2);
        QCOMPARE(spec->ownGoals[0].agent, 2);
    }

    void wallsRoundAGoalAreFound() {
        WorldSpec spec = threeAgents();
        const auto isEnclosed = [&] {
            for (const WorldFinding& finding : findProblems(spec))
                if (finding.text.contains(QStringLiteral("enclosed"))) return true;
            return false;
        };
        QVERIFY(!isEnclosed());
        setCells(spec, {{3, 2}}, "We");
        setCells(spec, {{4, 1}}, "We");
        QVERIFY(isEnclosed());  // goal 4,2 has walls on all sides
    }

    void theEstimateIsThePlannersCount() {
        const WorldSpec spec = threeAgents();
        const auto world = makeWorld(spec);
        const auto estimate = estimateStates(world, {});
        QVERIFY(estimate->isExact);
        QCOMPARE(estimate->states, explore(world, {})->counts().states);
        QVERIFY(estimateText(*estimate, 3).contains(QStringLiteral("states")));
    }

    void newWorldsAreValid() {
        for (const auto walls : {NewWorld::Walls::Border, NewWorld::Walls::TwoRooms,
                                 NewWorld::Walls::FourRooms, NewWorld::Walls::Pillars})
            for (const int side : {5, 8, 13}) {
                NewWorld wishes;
                wishes.width = side;
                wishes.height = side;
                wishes.walls = walls;
                const WorldSpec spec = specOfNewWorld(wishes);
                for (const WorldFinding& finding : findProblems(spec))
                    QVERIFY2(finding.kind != WorldFinding::Kind::Error, qPrintable(finding.text));
                QCOMPARE(agentsOf(spec).size(), std::size_t{2});
            }
    }

    void aPastedMapMayHaveBlanksOrNot() {
        const WorldSpec spaced = specOfPastedText("We We We We\nWe Ay Ae We\nWe We We We\n");
        const WorldSpec tight = specOfPastedText("WeWeWeWe\nWeAyAeWe\nWeWeWeWe");
        QCOMPARE(worldText(spaced), worldText(tight));
        QVERIFY_THROWS_EXCEPTION(std::exception, specOfPastedText("We We\nWe ??"));
        const WorldSpec whole = specOfPastedText(worldText(threeAgents()));
        QCOMPARE(worldText(whole), worldText(threeAgents()));
    }
};

ORRERY_TEST(SpecEditTest)
#include "spec_edit_test.moc"
