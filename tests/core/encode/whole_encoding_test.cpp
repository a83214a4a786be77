#include <QTest>
#include <filesystem>
#include <set>
#include <vector>

#include "core/dag/state_graph.h"
#include "core/encode/state_encoder.h"
#include "core/files/world_file.h"
#include "core/grid/grid_world.h"
#include "tests/core/encode/small_room.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;
using orrery::test::room;

namespace {

/// Of all configurations that can be reached.
std::size_t numEncodings(const StateGraph& graph, EncodingRules rules) {
    StateEncoder encoder(graph.world(), {.shape = shapeOf(graph.world(), rules)});
    std::set<std::vector<std::byte>> seen;
    for (ConfigIndex c = 0; c < graph.numConfigs(); ++c) {
        std::vector<std::byte> bytes(encoder.shape().bytes());
        encoder.encode(graph.configuration(c), 0, bytes);
        seen.insert(std::move(bytes));
    }
    return seen.size();
}

}  // namespace

/// As many encodings as configurations, in every world.
class WholeEncodingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void worldsOfFilesAreEncodedWhole_data() {
        QTest::addColumn<QString>("file");
        for (const char* folder : {"resources/worlds", "tests/data/worlds/oracle"})
            for (const auto& entry : std::filesystem::directory_iterator(sourcePath(folder)))
                if (entry.path().extension() == ".yaml")
                    QTest::newRow(entry.path().stem().c_str())
                        << QString::fromStdString(entry.path().string());
    }
    void worldsOfFilesAreEncodedWhole() {
        QFETCH(QString, file);
        const auto world = makeWorld(requireSpec(readWorldFile(file.toStdString())));
        const auto graph = explore(world, {.threads = 2});
        QCOMPARE(numEncodings(*graph, EncodingRules::Whole),
                 static_cast<std::size_t>(graph->numConfigs()));
        // What needs no more keeps the bytes that it had.
        QCOMPARE(shapeOf(*world, EncodingRules::Whole) == shapeOf(*world, EncodingRules::Former),
                 notEncoded(*world).empty());
    }

    void worldsThatNeedMoreGetIt_data() {
        QTest::addColumn<std::vector<std::string>>("map");
        QTest::addColumn<int>("more");      // numbers
        QTest::addColumn<int>("maxSteps");  // enough for two states that looked alike
        using Map = std::vector<std::string>;
        QTest::newRow("balls of two colours")
            << Map{"WeWeWeWeWe", "WeAyBrBgWe", "We......We", "WeWeWeWeWe"} << 8 << 20;
        QTest::newRow("boxes of two colours beside a ball")
            << Map{"WeWeWeWeWe", "WeAyXrXgWe", "WeBr....We", "WeWeWeWeWe"} << 12 << 20;
        QTest::newRow("five pause switches")
            << Map{"WeWeWeWeWeWe", "WeAyPsPsPsWe", "We......AeWe", "WePsPsWeWeWe", "WeWeWeWeWeWe"}
            << 6 << 8;
        QTest::newRow("five control buttons")
            << Map{"WeWeWeWeWeWe", "WeAyCBCBCBWe", "We......AeWe", "WeCBCBWeWeWe", "WeWeWeWeWeWe"}
            << 7 << 8;
    }
    void worldsThatNeedMoreGetIt() {
        QFETCH(std::vector<std::string>, map);
        QFETCH(int, more);
        QFETCH(int, maxSteps);
        const auto world = room(map, maxSteps);
        QCOMPARE(notEncoded(*world).size(), std::size_t{1});
        const EncodingShape whole = shapeOf(*world);
        QCOMPARE(static_cast<int>(whole.interactiveNumbers()), 96 + more);
        const auto graph = explore(world, {.threads = 2});
        const auto configurations = static_cast<std::size_t>(graph->numConfigs());
        QVERIFY(configurations > 20);
        QCOMPARE(numEncodings(*graph, EncodingRules::Whole), configurations);
        QVERIFY(numEncodings(*graph, EncodingRules::Former) < configurations);
    }

    void aShapeOfSeveralWorldsHasRoomForEach() {
        const std::vector<std::shared_ptr<const World>> worlds{
            room({"WeWeWeWeWe", "WeAyBrBgWe", "We......We", "WeWeWeWeWe"}),
            room({"WeWeWeWeWe", "WeAyPsPsWe", "We....PsWe", "WeAePsPsWe", "WeWeWeWeWe"})};
        const EncodingShape shape = shapeCovering(worlds);
        QCOMPARE(shape.coloredThings, 2);
        QCOMPARE(shape.morePauseSwitches, 1);
        QCOMPARE(shape.bytes() % 4, std::size_t{0});
        for (const auto& world : worlds) {
            const auto graph = explore(world, {.threads = 2});
            StateEncoder encoder(*world, {.shape = shape});
            std::set<std::vector<std::byte>> seen;
            for (ConfigIndex c = 0; c < graph->numConfigs(); ++c) {
                std::vector<std::byte> bytes(shape.bytes());
                encoder.encode(graph->configuration(c), 0, bytes);
                seen.insert(std::move(bytes));
            }
            QCOMPARE(seen.size(), static_cast<std::size_t>(graph->numConfigs()));
        }
        QCOMPARE(shapeCovering(worlds, EncodingRules::Former).interactiveNumbers(),
                 std::size_t{96});
    }
};

ORRERY_TEST(WholeEncodingTest)
#include "whole_encoding_test.moc"
