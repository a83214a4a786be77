#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "core/dag/state_graph.h"
#include "core/files/world_file.h"
#include "core/solve/solution.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// What a fixed world must always give, solved with the default SolveSpec.
struct Signature {
    const char* world;         ///< file name in resources/worlds without ".yaml"
    int steps;                 ///< replaces the file's max_steps; 0: as in the file
    std::int64_t states;       ///< (step, configuration) pairs
    std::int64_t transitions;  ///< outcomes over all states and action profiles
    int levels;
    double v_r;  ///< of the first state
};

/// tests/support/make_signatures.cpp made these values with the plain reference. A change of one is
/// a change of meaning: the commit says why, with the old and the new value.
constexpr Signature kSignatures[] = {
    {"block_yard", 0, 12563, 169750, 15, -23.239705566739104},
    {"building_site", 5, 313779, 4672704, 6, -22.406275722211667},
    {"bush_meadow", 0, 49138, 4283158, 9, -17.87994684992519},
    {"coffee_break", 0, 6359, 242016, 13, -18.695155669007722},
    {"different_tastes", 0, 71959, 3280189, 9, -25.994181714850093},
    {"first_steps", 0, 3040, 41062, 11, -16.728002590922241},
    {"hedge_maze", 0, 19348, 247222, 13, -20.776823285477874},
    {"locked_pantry", 0, 8815, 314673, 15, -50.709079822363073},
    {"lost_property", 0, 30723, 790904, 10, -12.874746250180996},
    {"magic_garden", 0, 31310, 378317, 13, -15.444511432255002},
    {"mixed_crew", 0, 54903, 6631637, 7, -12.147238294792274},
    {"off_switch", 0, 2818, 118663, 13, -30.988876847125464},
    {"remote_control", 0, 4865, 172529, 9, -8.2538596747333557},
    {"roundabout", 0, 52567, 341700, 13, -26.43321363812041},
    {"slippery_bridge", 0, 13432, 216400, 13, -31.386033617205456},
    {"slow_moves", 0, 8872, 127764, 15, -21.021124394154544},
    {"two_in_niches", 0, 16034, 807004, 15, -42.76303890490513},
};

const std::filesystem::path kWorlds = sourcePath("resources/worlds");

}  // namespace

class SignaturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWorldHasItsSignature_data() {
        QTest::addColumn<int>("row");
        for (int row = 0; row < static_cast<int>(std::size(kSignatures)); ++row)
            QTest::newRow(kSignatures[row].world) << row;
    }
    void theWorldHasItsSignature() {
        QFETCH(int, row);
        const Signature& expected = kSignatures[row];
        const auto file = readWorldFile(kWorlds / (std::string(expected.world) + ".yaml"));
        WorldSpec spec = requireSpec(file);
        if (expected.steps > 0) spec->maxSteps = expected.steps;
        const auto graph = explore(makeWorld(spec), {.threads = 2});
        const GraphCounts counts = graph->counts();
        QCOMPARE(counts.states, expected.states);
        QCOMPARE(counts.transitionEntries, expected.transitions);
        QCOMPARE(graph->numLevels(), expected.levels);

        const double v_r = solve(graph, SolveSpec{})->v_r({0, 0});
        const QByteArray both =
            QByteArray::number(v_r, 'g', 17) + " != " + QByteArray::number(expected.v_r, 'g', 17);
        QVERIFY2(std::abs(v_r - expected.v_r) <= 1e-10 * std::abs(expected.v_r), both);
    }

    void everyExampleWorldHasARow() {
        std::set<std::string> inTable, inFolder;
        for (const Signature& signature : kSignatures) inTable.insert(signature.world);
        for (const auto& entry : std::filesystem::directory_iterator(kWorlds))
            if (entry.path().extension() == ".yaml") inFolder.insert(entry.path().stem().string());
        std::vector<std::string> inOneOnly;
        std::ranges::set_symmetric_difference(inTable, inFolder, std::back_inserter(inOneOnly));
        for (const std::string& world : inOneOnly)
            qWarning("%s: make its row with tests/support/make_signatures.cpp", world.c_str());
        QVERIFY(inOneOnly.empty());
    }
};

ORRERY_TEST(SignaturesTest)
#include "signatures_test.moc"
