#include <QTest>
#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/rng.h"
#include "core/encode/state_encoder.h"
#include "tests/support/test_program.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/replay/encoded_scene.h"

using namespace orrery;

namespace {

/// What one sees of a piece, in an order of its own: buttons keep the look of the first state.
using Seen = std::tuple<int, int, int, int, int, int, int, bool, int>;

std::vector<Seen> seen(const std::vector<Piece>& pieces) {
    std::vector<Seen> all;
    for (const Piece& p : pieces) {
        const bool isButton = p.kind == PieceKind::KillButton || p.kind == PieceKind::PauseSwitch ||
                              p.kind == PieceKind::DisablingSwitch ||
                              p.kind == PieceKind::ControlButton;
        const bool isAgent = p.kind == PieceKind::Agent;
        const bool isColored = p.kind == PieceKind::Key || p.kind == PieceKind::Door || isAgent;
        if (isButton || p.kind == PieceKind::Number || p.kind == PieceKind::Bush) continue;
        all.emplace_back(static_cast<int>(p.kind), p.x, p.y,
                         isColored ? static_cast<int>(p.color) : -1,
                         p.kind == PieceKind::Door ? static_cast<int>(p.door) : -1,
                         isAgent ? p.direction : -1, isAgent ? p.agent : -1,
                         isAgent && p.terminated, isAgent ? static_cast<int>(p.carried) : -1);
    }
    std::ranges::sort(all);
    return all;
}

}  // namespace

/// Encoded states as pictures: the same as the world itself draws.
class EncodedSceneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEncodedStateLooksLikeTheState() {
        int numStates = 0, numMoved = 0;
        for (const LoadedWorld& example : loadExamples({})) {
            const World& world = *example.world;
            const std::vector<std::shared_ptr<const World>> worlds{example.world};
            const EncodingShape shape = shapeCovering(worlds);
            StateEncoder encoder(world, {.shape = shape});
            std::vector<std::int32_t> encoded(shape.bytes() / sizeof(std::int32_t));
            const auto bytes = std::as_writable_bytes(std::span(encoded));
            Configuration configuration = world.initialConfiguration();
            Rng rng(7);
            for (int step = 0; step < std::min(12, world.maxSteps()); ++step) {
                encoder.encode(configuration, step, bytes);
                const WorldScene scene = sceneOfEncoded(world, shape, bytes, {});
                QVERIFY2(seen(scene.pieces) == seen(world.scene(configuration)),
                         qPrintable(QStringLiteral("%1 at step %2")
                                        .arg(QString::fromStdString(example.name))
                                        .arg(step)));
                ++numStates;
                ActionProfileIndex profile = 0, radix = 1;
                for (const AgentInfo& agent : world.agents()) {
                    const auto count = static_cast<ActionProfileIndex>(agent.actions.size());
                    profile += radix * static_cast<ActionProfileIndex>(
                                           std::min<double>(count - 1.0, rng.uniform() * count));
                    radix *= count;
                }
                const Configuration next =
                    world.outcomes(configuration, step, profile).front().successor;
                if (next != configuration) ++numMoved;
                configuration = next;
            }
        }
        QVERIFY2(numStates > 100 && numMoved > 50,
                 qPrintable(QStringLiteral("%1 states, %2 moves").arg(numStates).arg(numMoved)));
    }

    void goalsThatArePursuedAreMarked() {
        const LoadedWorld example = loadWorld(firstExample());
        const World& world = *example.world;
        const std::vector<std::shared_ptr<const World>> worlds{example.world};
        const std::vector<std::uint8_t> goals(world.goals().size(), 1);
        const WorldScene scene = sceneOfEncoded(world, shapeCovering(worlds), {}, goals);
        QVERIFY(!scene.goals.empty());
        for (const GoalMark& mark : scene.goals) QCOMPARE(mark.isCurrent, mark.goal == 1);
    }

    void bytesOfAnotherShapeShowTheFirstState() {
        const LoadedWorld example = loadWorld(firstExample());
        const World& world = *example.world;
        const std::vector<std::shared_ptr<const World>> worlds{example.world};
        const std::vector<std::byte> few(12);
        const WorldScene scene = sceneOfEncoded(world, shapeCovering(worlds), few, {});
        QVERIFY(seen(scene.pieces) == seen(world.scene(world.initialConfiguration())));
    }
};

ORRERY_WINDOW_TEST(EncodedSceneTest)
#include "encoded_scene_test.moc"
