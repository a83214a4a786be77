#include <QTest>
#include <set>

#include "core/grid/grid_world.h"
#include "core/world/goal.h"
#include "core/world/piece.h"
#include "tests/support/test_program.h"

using namespace orrery;

/// The words in which worlds are shown to people.
class WorldTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPieceAndColourHasANameOfItsOwn() {
        std::set<std::string> pieces;
        for (int kind = 0; kind <= static_cast<int>(PieceKind::Number); ++kind)
            pieces.insert(pieceName(static_cast<PieceKind>(kind)));
        QCOMPARE(pieces.size(), std::size_t{20});
        QVERIFY(!pieces.contains("?"));
        QCOMPARE(pieceName(PieceKind::DisablingSwitch), "disabling switch");
        std::set<std::string> colours;
        for (int color = 0; color <= static_cast<int>(Color::Brown); ++color)
            colours.insert(colorName(static_cast<Color>(color)));
        QCOMPARE(colours, (std::set<std::string>{"red", "green", "blue", "purple", "yellow", "grey",
                                                 "brown"}));
        QCOMPARE(colorName(Color::Grey), "grey");
    }

    void aGoalIsACellOrARectangle() {
        QCOMPARE(goalText({3, 1, 3, 1, false}), std::string("3,1"));
        QCOMPARE(goalText({3, 1, 3, 1, true}), std::string("3,1 to 3,1"));
        QCOMPARE(goalText({1, 1, 4, 2, true}), std::string("1,1 to 4,2"));
    }

    void aStateOfAGridWorldIsDescribed() {
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWeWe", "WeAyKrLrAeWe", "We..CgBl..We", "WeWeWeWeWeWe"};
        spec.orientations = {0, 2};
        spec.possibleGoals = {{1, 1, 4, 2, true}};
        const GridWorld world(spec);
        const Configuration start = world.initialConfiguration();
        QCOMPARE(QString::fromStdString(describe(world, start)),
                 QString("human0 1,1 E; robot0 4,1 W; block0 3,2; red_key0 2,1; door0 locked; "
                         "door1 closed"));
        // human0 picks the key up; the robot turns left, to the south.
        const auto outcomes = world.outcomes(start, 0, world.profileIndex(std::vector<int>{4, 1}));
        QCOMPARE(outcomes.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(describe(world, outcomes[0].successor)),
                 QString("human0 1,1 E carries red key; robot0 4,1 S; block0 3,2; door0 locked; "
                         "door1 closed"));
    }
};

ORRERY_TEST(WorldTextTest)
#include "world_text_test.moc"
