#include <QTest>
#include <memory>
#include <vector>

#include "core/base/rng.h"
#include "core/dag/state_graph.h"
#include "core/world/scene_change.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

bool areSame(const std::vector<Piece>& a, const std::vector<Piece>& b) {
    return std::ranges::equal(a, b, isSame);
}

}  // namespace

/// What is drawn of worlds of every family.
class SceneTest : public QObject {
    Q_OBJECT

    struct Sample {
        std::shared_ptr<const StateGraph> graph;
        std::vector<std::pair<Configuration, Configuration>> pairs;
    };
    /// States of a world with a successor, and with any other.
    static Sample sampleOf(const World& world, const std::shared_ptr<const World>& shared) {
        Sample sample{.graph = explore(shared, {.threads = 1}), .pairs = {}};
        Rng rng(7);
        const auto any = [&] {
            const auto key = sample.graph->configuration(static_cast<ConfigIndex>(
                rng.below(static_cast<std::uint64_t>(sample.graph->numConfigs()))));
            return Configuration(key.begin(), key.end());
        };
        for (int i = 0; i < 30; ++i) {
            const Configuration from = any();
            sample.pairs.emplace_back(from, any());
            const auto profile = static_cast<ActionProfileIndex>(rng.below(world.numProfiles()));
            for (const Outcome& outcome : world.outcomes(from, 0, profile))
                sample.pairs.emplace_back(from, outcome.successor);
        }
        return sample;
    }

private Q_SLOTS:
    void aChangeIsTheDifferenceOfTheWholeScenes_data() { listWorlds(); }
    void aChangeIsTheDifferenceOfTheWholeScenes() {
        QFETCH(std::shared_ptr<const World>, world);
        if (world->maxSteps() == 0) return;
        std::size_t pieces = 0;
        for (const auto& [before, after] : sampleOf(*world, world).pairs) {
            const SceneChange whole = changeBetween(world->scene(before), world->scene(after));
            const SceneChange change = world->change(before, after);
            QVERIFY(areSame(change.gone, whole.gone));
            QVERIFY(areSame(change.added, whole.added));
            pieces += change.added.size();
        }
        qInfo("%zu pieces", pieces);
    }

    void whatIsSeenIsThatPartOfTheWhole_data() { listWorlds(); }
    void whatIsSeenIsThatPartOfTheWhole() {
        QFETCH(std::shared_ptr<const World>, world);
        const Configuration start = world->initialConfiguration();
        for (const CellArea& area :
             {CellArea{1, 0, 2, 2}, CellArea{-3, -1, 4, 3}, CellArea{0, 1, 1, 1000},
              CellArea{2, 2, 0, 1}, CellArea{500, 0, 3, 3}}) {
            std::vector<Piece> expected;
            for (const Piece& piece : world->scene(start))
                if (area.contains(piece.x, piece.y)) expected.push_back(piece);
            QVERIFY(areSame(world->sceneIn(start, area), expected));
        }
    }

private:
    static void listWorlds() {
        QTest::addColumn<std::shared_ptr<const World>>("world");
        for (const test::NamedWorld& named : test::sampleWorlds())
            QTest::newRow(named.name.c_str()) << named.world;
    }
};

ORRERY_TEST(SceneTest)
#include "scene_test.moc"
