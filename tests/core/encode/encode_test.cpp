#include <QTest>
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/bush/bush_world.h"
#include "core/dag/state_graph.h"
#include "core/encode/state_encoder.h"
#include "core/grid/grid_world.h"
#include "tests/core/dag/sample_worlds.h"
#include "tests/core/encode/small_room.h"
#include "tests/support/test_program.h"

using namespace orrery;
using orrery::test::room;
using orrery::test::sampleWorlds;

namespace {

using Planes = std::vector<float>;

bool isEncodable(const World& world) {
    return dynamic_cast<const GridWorld*>(&world) != nullptr ||
           dynamic_cast<const BushWorld*>(&world) != nullptr;
}

/// Planes from what is drawn of a state: the encoder's own way is another.
Planes planesOf(const World& world, std::span<const std::uint64_t> configuration) {
    static const std::map<PieceKind, int> kPlain{
        {PieceKind::Wall, 0},          {PieceKind::Ball, 1},
        {PieceKind::Box, 2},           {PieceKind::GoalTile, 3},
        {PieceKind::Lava, 4},          {PieceKind::Block, 5},
        {PieceKind::Rock, 6},          {PieceKind::UnsteadyGround, 7},
        {PieceKind::SwitchTile, 8},    {PieceKind::KillButton, 10},
        {PieceKind::PauseSwitch, 11},  {PieceKind::DisablingSwitch, 12},
        {PieceKind::ControlButton, 13}};
    const auto size = static_cast<std::size_t>(world.width()) * world.height();
    Planes planes(size * 40, 0.0F);
    for (const Piece& piece : world.scene(configuration)) {
        const auto cell = static_cast<std::size_t>(piece.y) * world.width() + piece.x;
        const auto set = [&](int plane, int value) {
            planes[static_cast<std::size_t>(plane) * size + cell] = static_cast<float>(value);
        };
        const int color = static_cast<int>(piece.color);
        if (const auto plain = kPlain.find(piece.kind); plain != kPlain.end())
            set(plain->second, 1);
        if (piece.kind == PieceKind::Bush && piece.active) set(14, 1);
        if (piece.kind == PieceKind::Number && piece.number > 0) set(14, piece.number);
        if (piece.kind == PieceKind::Door) set(15 + color, 1 + static_cast<int>(piece.door));
        if (piece.kind == PieceKind::Key) set(22 + color, 1);
        if (piece.kind == PieceKind::MagicWall) set(29, piece.active ? 1 + piece.magicSide : 6);
        if (piece.kind == PieceKind::Agent) {
            set(31, 1);
            set(33 + color, 1);
        }
    }
    return planes;
}

}  // namespace

class EncodeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStateOfTheSeedsSizeTakesItsBytes() {
        const EncodingShape shape{.width = 7, .height = 7, .numAgents = 4};
        QCOMPARE(shape.bytes(), std::size_t{508});
        QCOMPARE(sizeof(float) * 39 * shape.cells(), std::size_t{7644});
        QCOMPARE(shape.agentNumbers(), std::size_t{52});
        QCOMPARE(numPlanes(PlaneLayout::Seed), 39);
    }

    void cellBitsAreWhereTheSeedPutsThem() {
        // A yellow agent on nothing, a red locked door, a red key, a solid magic wall.
        QCOMPARE((CellBits{.type = 0, .agent = 4}.packed()), 4096);
        QCOMPARE((CellBits{.type = 30, .door = 3}.packed()), 7966);
        QCOMPARE((CellBits{.type = 31, .color = 0}.packed()), 7199);
        QCOMPARE((CellBits{.type = 0, .magic = 6}.packed()), 7 * 1024 + 6 * 8192);
        QCOMPARE((CellBits{.type = 0}.packed()), 7168);
        for (const std::int32_t bits : {0, 7168, -1, 0x12345678, 29 | 7168})
            QCOMPARE(CellBits::of(bits).packed(), bits);
    }

    void everyStateDecodesToWhatIsDrawn() {
        std::int64_t states = 0;
        int worlds = 0;
        for (const auto& [name, world] : sampleWorlds()) {
            if (!isEncodable(*world)) continue;
            ++worlds;
            const auto graph = explore(world, {.threads = 1});
            StateEncoder encoder(*world);
            std::vector<std::byte> bytes(encoder.shape().bytes());
            Planes decoded(encoder.shape().cells() * 40);
            for (ConfigIndex c = 0; c < graph->numConfigs(); ++c, ++states) {
                const auto configuration = graph->configuration(c);
                encoder.encode(configuration, 0, bytes);
                const auto parts = partsOf(encoder.shape(), std::span<const std::byte>(bytes));
                decompress(parts.cells, PlaneLayout::Whole, decoded);
                if (decoded != planesOf(*world, configuration))
                    QFAIL(qPrintable(
                        QString::fromStdString(name + ": " + describe(*world, configuration))));
            }
        }
        QVERIFY(worlds > 5);
        QVERIFY(states > 5000);
        qInfo("%lld states of %d worlds", static_cast<long long>(states), worlds);
    }

    void noTwoStatesLookAlike() {
        int worlds = 0;
        for (const auto& [name, world] : sampleWorlds()) {
            if (!isEncodable(*world)) continue;
            ++worlds;
            const auto graph = explore(world, {.threads = 1});
            StateEncoder encoder(*world);
            std::set<std::vector<std::byte>> seen;
            for (ConfigIndex c = 0; c < graph->numConfigs(); ++c) {
                std::vector<std::byte> bytes(encoder.shape().bytes());
                encoder.encode(graph->configuration(c), 0, bytes);
                if (!seen.insert(std::move(bytes)).second)
                    QFAIL(qPrintable(QString::fromStdString(
                        name + ": " + describe(*world, graph->configuration(c)))));
            }
        }
        QVERIFY(worlds > 3);
    }

    void whatIsNotEncodedIsTold() {
        using Lines = std::vector<std::string>;
        const auto told = [](const std::vector<std::string>& map) {
            return notEncoded(*room(map));
        };
        QCOMPARE(told({"WeWeWeWeWe", "WeAyBrBrWe", "WeAeXrKgWe", "WeWeWeWeWe"}), Lines());
        QCOMPARE(told({"WeWeWeWeWe", "WeAyBrBgWe", "WeAeXrKgWe", "WeWeWeWeWe"}),
                 Lines{"the colours of balls"});
        QCOMPARE(told({"WeWeWeWeWe", "WeAyXrXgWe", "WeAe..KgWe", "WeWeWeWeWe"}),
                 Lines{"the colours of boxes"});
        // Nobody picks anything up: colours stay where they are.
        GridWorldSpec spec;
        spec.map = {"WeWeWeWeWe", "WeAyBrBgWe", "WeAe....We", "WeWeWeWeWe"};
        spec.actionSet = ActionSet::Small;
        spec.possibleGoals = {Goal{.x1 = 1, .y1 = 1, .x2 = 1, .y2 = 1}};
        QCOMPARE(notEncoded(*makeWorld(spec)), Lines());
        // All kill buttons of a world are enabled or disabled together.
        QCOMPARE(told({"WeWeWeWeWe", "WeAyKiKiWe", "WeAeKiKiWe", "WeDkKi..We", "WeWeWeWeWe"}),
                 Lines());
        QCOMPARE(told({"WeWeWeWeWe", "WeAyPsPsWe", "WeAePsPsWe", "We..PsCBWe", "WeWeWeWeWe"}),
                 Lines{"more than four pause switches"});
        QCOMPARE(told({"WeWeWeWeWe", "WeAyCBCBWe", "WeAeCBCBWe", "We..CBPsWe", "WeWeWeWeWe"}),
                 Lines{"more than four control buttons"});
    }

    void theSeedsLayoutLeavesBushesOut() {
        const auto world = room({"WeWeWeWeWe", "WeAyBuAeWe", "WeOr..CgWe", "WeWeWeWeWe"});
        StateEncoder encoder(*world);
        std::vector<std::byte> bytes(encoder.shape().bytes());
        encoder.encode(world->initialConfiguration(), 0, bytes);
        const auto parts = partsOf(encoder.shape(), std::span<const std::byte>(bytes));
        const std::size_t cells = encoder.shape().cells();
        Planes whole(cells * 40), seed(cells * 39);
        decompress(parts.cells, PlaneLayout::Whole, whole);
        decompress(parts.cells, PlaneLayout::Seed, seed);
        QCOMPARE(whole[14 * cells + 7], 1.0F);
        whole.erase(whole.begin() + static_cast<std::ptrdiff_t>(14 * cells),
                    whole.begin() + static_cast<std::ptrdiff_t>(15 * cells));
        QVERIFY(whole == seed);
        QCOMPARE(seed[14 * cells + 11], 1.0F);  // an open red door
        QCOMPARE(seed[15 * cells + 13], 2.0F);  // a closed green one
    }

    void theNumbersOfAgentsAndButtonsAreThoseOfTheState() {
        const auto world = room({"WeWeWeWeWeWe", "WeAyKi..AeWe", "We..PadKdPWe", "WeWeWeWeWeWe"});
        StateEncoder encoder(*world);
        std::vector<std::byte> bytes(encoder.shape().bytes());
        encoder.encode(world->initialConfiguration(), 2, bytes);
        const auto parts = partsOf(encoder.shape(), std::span<const std::byte>(bytes));
        QCOMPARE(parts.globals[0], 3.0F);
        QCOMPARE(parts.globals[1], 0.5F);
        const std::vector<std::int16_t> agents(parts.agents.begin(), parts.agents.end());
        const std::vector<std::int16_t> expected{4, 1, 1, 0, 0, 0, 0, 1, -1, -1, 0, 0, -1,
                                                 1, 1, 1, 0, 0, 0, 0, 0, -1, -1, 0, 0, -1};
        QVERIFY(agents == expected);  // grey before yellow
        const auto numbers = [&](std::size_t first, std::size_t count) {
            const auto part = parts.interactive.subspan(first, count);
            return std::vector<std::int16_t>(part.begin(), part.end());
        };
        QVERIFY((numbers(0, 5) == std::vector<std::int16_t>{2, 1, 1, 4, 5}));
        QVERIFY((numbers(20, 6) == std::vector<std::int16_t>{2, 2, 1, 0, 4, 5}));
        QVERIFY(
            (numbers(44, 12) == std::vector<std::int16_t>{3, 2, 1, 0, 5, 10, 4, 2, 1, 0, 5, 11}));
        QVERIFY(std::ranges::all_of(parts.interactive.subspan(68), [](int n) { return n == 0; }));
    }

    void aSmallerWorldIsWalledIn() {
        const auto world = room({"WeWeWeWe", "WeAyAeWe", "WeWeWeWe"});
        StateEncoder encoder(*world, {.shape = {.width = 6, .height = 5, .numAgents = 3}});
        std::vector<std::byte> bytes(encoder.shape().bytes());
        encoder.encode(world->initialConfiguration(), 0, bytes);
        const auto parts = partsOf(encoder.shape(), std::span<const std::byte>(bytes));
        for (std::size_t cell = 0; cell < 30; ++cell) {
            const bool isAgent = cell == 7 || cell == 8;
            QCOMPARE(CellBits::of(parts.cells[cell]).type, isAgent ? CellBits::kEmpty : 0);
        }
        QCOMPARE(parts.agents[26], std::int16_t{-1});
        QVERIFY_THROWS_EXCEPTION(
            Error, StateEncoder(*world, {.shape = {.width = 3, .height = 5, .numAgents = 3}}));
    }

    void theOriginalHidesWhatIsUnderAnAgent() {
        const auto world = room({"WeWeWeWeWe", "WeAyUnAeWe", "WeWeWeWeWe"});
        const auto forward = world->profileIndex(std::array{3, 0});
        const Configuration moved =
            world->outcomes(world->initialConfiguration(), 0, forward)[0].successor;
        for (const bool hides : {false, true}) {
            StateEncoder encoder(*world, {.hidesWhatIsUnder = hides});
            std::vector<std::byte> bytes(encoder.shape().bytes());
            encoder.encode(moved, 1, bytes);
            const auto parts = partsOf(encoder.shape(), std::span<const std::byte>(bytes));
            const CellBits cell = CellBits::of(parts.cells[7]);
            QCOMPARE(cell.agent, static_cast<int>(Color::Yellow));
            QCOMPARE(cell.type, hides ? CellBits::kEmpty : static_cast<int>(kUnsteadyPlane));
        }
    }
};

ORRERY_TEST(EncodeTest)
#include "encode_test.moc"
