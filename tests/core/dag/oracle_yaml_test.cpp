#include <QTest>
#include <string>
#include <vector>

#include "core/dag/state_graph.h"
#include "core/files/world_file.h"
#include "core/grid/grid_world.h"
#include "tests/core/world/grid_bridge.h"
#include "tests/support/empo_oracle.h"
#include "tests/support/places.h"
#include "tests/support/reference_world.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// tests/data/worlds/oracle/p01.yaml for "p01_rock".
std::string yamlPathOf(const std::string& oracle) {
    return sourcePath("tests/data/worlds/oracle/") + oracle.substr(0, oracle.find('_')) + ".yaml";
}

/// The texts of all states. The map alone tells where the fixtures are, and in which order.
std::vector<std::string> canonicalTexts(const StateGraph& graph, const GridWorld& world) {
    reference::RefParameters anyActions;
    anyActions.actions = {reference::actionSetNamed("SmallActions")};
    const reference::RefWorld ref = reference::parseWorld(world.spec().map, anyActions);
    std::vector<std::string> texts;
    for (int step = 0; step < graph.numLevels(); ++step)
        for (ConfigIndex c = graph.levelBegin(step); c < graph.levelEnd(step); ++c)
            if (graph.inLevel(step, c))
                texts.push_back(reference::canonicalText(
                    test::refStateOf(ref, world.unpack(graph.configuration(c)), step)));
    return texts;
}

}  // namespace

class OracleYamlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFileGivesTheOraclesStates_data() {
        QTest::addColumn<std::string>("oracle");
        for (const std::string& name : reference::empoOracleNames())
            QTest::newRow(name.c_str()) << name;
    }
    void theFileGivesTheOraclesStates() {
        QFETCH(std::string, oracle);
        const auto expected =
            reference::readEmpoOracle(sourcePath("tests/data/empo"), oracle).json.at("dag");
        const auto file = readWorldFile(yamlPathOf(oracle));
        const auto world = std::make_shared<GridWorld>(*requireSpec(file).as<GridWorldSpec>());
        const auto graph = explore(world, {.threads = 2});

        std::vector<std::int64_t> perLevel;
        perLevel.reserve(graph->numLevels());
        for (int step = 0; step < graph->numLevels(); ++step)
            perLevel.push_back(graph->levelSize(step));
        QCOMPARE(perLevel, expected.at("states_per_level").get<std::vector<std::int64_t>>());
        const GraphCounts counts = graph->counts();
        QCOMPARE(counts.states, expected.at("num_states").get<std::int64_t>());
        QCOMPARE(counts.actionRows, expected.at("num_action_rows").get<std::int64_t>());
        QCOMPARE(counts.transitionEntries,
                 expected.at("num_transition_entries").get<std::int64_t>());
        QCOMPARE(reference::stateSetHash(canonicalTexts(*graph, *world)),
                 expected.at("state_set_sha256").get<std::string>());
    }

    void thereAreTwelveOracles() { QCOMPARE(reference::empoOracleNames().size(), std::size_t{12}); }
};

ORRERY_TEST(OracleYamlTest)
#include "oracle_yaml_test.moc"
