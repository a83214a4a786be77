#include "widgets/world/world_picture.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QPainter>
#include <QPicture>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/base/error.h"
#include "core/grid/grid_world.h"
#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tokens.h"
#include "widgets/world/heat_field.h"
#include "widgets/world/scene_model.h"

using namespace orrery;

namespace {

std::shared_ptr<const World> smallWorld() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWe", "WeAy....We", "We..LaAeWe", "WeWeWeWeWe"};
    spec.maxSteps = 3;
    spec.possibleGoals = {{1, 1, 1, 1, false}, {3, 1, 3, 1, false}, {1, 1, 3, 2, true}};
    return makeWorld(spec);
}

std::shared_ptr<const Solution> solvedWorld(const std::shared_ptr<const World>& world) {
    SolveSpec spec;
    spec.threads = 1;
    return solve(explore(world, {}), spec);
}

}  // namespace

class WorldPictureTest : public QObject {
    Q_OBJECT

public:
    static void initMain() { qputenv("QT_QPA_PLATFORM", "offscreen"); }

private Q_SLOTS:
    void thePngShowsEachCellInItsColour() {
        const auto world = smallWorld();
        WorldScene scene = sceneOf(*world, world->initialConfiguration());
        scene.showGoals = false;
        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("world.png")).toStdString();
        for (const Tokens* tokens : {&darkTokens(), &lightTokens()}) {
            saveWorldPng(scene, file, *tokens, QSize(400, 300), 1);
            const QImage image(QString::fromStdString(file));
            QCOMPARE(image.size(), QSize(400, 300));
            const WorldLayout layout = layoutWorld(QRectF(0, 0, 400, 300), scene);
            const auto at = [&](int x, int y, double fx, double fy) {
                const QRectF cell = layout.cellRect(x, y);
                return image.pixelColor(QPoint(static_cast<int>(cell.left() + fx * cell.width()),
                                               static_cast<int>(cell.top() + fy * cell.height())));
            };
            QCOMPARE(at(0, 0, 0.5, 0.3), tokens->wall);
            QCOMPARE(at(2, 1, 0.5, 0.5), tokens->floor);
            QCOMPARE(at(1, 1, 0.3, 0.5), tokens->humanBody);
            QCOMPARE(at(3, 2, 0.28, 0.5), tokens->robotBody);
            QVERIFY(at(2, 2, 0.02, 0.02) != tokens->floor);  // lava
            QCOMPARE(image.pixelColor(2, 298), tokens->canvas);
        }
    }

    void theTableSaysCellByCellWhatThePictureShows() {
        const auto world = smallWorld();
        WorldScene scene = sceneOf(*world, world->initialConfiguration());
        SceneModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setScene(scene, {});
        // 14 cells of wall, one of lava, two agents; the goals cover 1,1 to 3,2 and so all others.
        QCOMPARE(model.rowCount(), 20);
        const auto at = [&](int x, int y, int column) {
            for (int row = 0; row < model.rowCount(); ++row)
                if (model.index(row, SceneModel::X).data() == QString::number(x) &&
                    model.index(row, SceneModel::Y).data() == QString::number(y))
                    return model.index(row, column).data().toString();
            return QStringLiteral("no such row");
        };
        QCOMPARE(at(0, 0, SceneModel::Things), QStringLiteral("wall"));
        QCOMPARE(at(2, 2, SceneModel::Things), QStringLiteral("lava"));
        QCOMPARE(at(1, 1, SceneModel::Agents), scene.letters[0]);
        QCOMPARE(at(3, 2, SceneModel::Agents), scene.letters[1]);
        QCOMPARE(at(3, 1, SceneModel::Goals),
                 scene.goals[0].letter + "2, " + scene.goals[0].letter + "3");
        QCOMPARE(at(2, 1, SceneModel::Value), QString());

        const auto solution = solvedWorld(world);
        scene.heat = computeHeat(*solution, {{0, 0}, 0, 0, 0, ValueKind::V_h_e});
        QVERIFY(scene.heat);
        model.setScene(scene, QStringLiteral("V"));
        QCOMPARE(model.headerData(SceneModel::Value, Qt::Horizontal).toString(),
                 QStringLiteral("V"));
        QCOMPARE(at(1, 1, SceneModel::Value), valueText(scene.heat->at(1, 1).value));
        model.setScene({}, {});
        QCOMPARE(model.rowCount(), 0);
    }

    void theSvgHoldsTheSamePictureWithRealText() {
        const auto world = smallWorld();
        const WorldScene scene = sceneOf(*world, world->initialConfiguration());
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("world.svg"));
        saveWorldSvg(scene, file.toStdString(), lightTokens(), QSize(400, 300));
        QFile in(file);
        QVERIFY(in.open(QIODevice::ReadOnly));
        const QByteArray text = in.readAll();
        QVERIFY(text.contains("<text"));
        QVERIFY(text.contains(">A<") || text.contains("A</text>"));
        QSvgRenderer renderer(text);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox(), QRect(0, 0, 400, 300));
        QImage image(400, 300, QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        const WorldLayout layout = layoutWorld(QRectF(0, 0, 400, 300), scene);
        const QRectF wall = layout.cellRect(0, 0);
        QCOMPARE(image.pixelColor(
                     (wall.topLeft() + QPointF(wall.width() / 2, wall.height() * 0.3)).toPoint()),
                 lightTokens().wall);
    }

    void aFolderThatIsNotThereIsNamed() {
        const auto world = smallWorld();
        const WorldScene scene = sceneOf(*world, world->initialConfiguration());
        try {
            saveWorldPng(scene, "/no/such/folder/world.png", darkTokens());
            QFAIL("saved a picture in a folder that is not there");
        } catch (const Error& error) {
            QVERIFY(QByteArray(error.what()).contains("/no/such/folder/world.png"));
            QCOMPARE(error.kind(), Error::Kind::Resource);
        }
    }

    void cellsAreFoundAgainUnderThePointer() {
        const auto world = smallWorld();
        const WorldScene scene = sceneOf(*world, world->initialConfiguration());
        const WorldLayout layout = layoutWorld(QRectF(0, 0, 640, 480), scene);
        for (int y = 0; y < scene.height; ++y)
            for (int x = 0; x < scene.width; ++x)
                QCOMPARE(layout.cellAt(layout.cellRect(x, y).center()), QPoint(x, y));
        QVERIFY(!layout.cellAt(layout.grid.topLeft() - QPointF(1, 1)).has_value());
        QVERIFY(!layout.cellAt(layout.grid.bottomRight() + QPointF(1, 1)).has_value());
    }

    void heatIsTheMeanOverTheStatesThatDifferInTheHumanOnly() {
        const auto world = smallWorld();
        const auto solution = solvedWorld(world);
        const StateGraph& graph = solution->graph();
        const auto& grid = dynamic_cast<const GridWorld&>(*world);
        for (const int step : {1, 2}) {
            const State state{step, graph.levelMember(step, graph.levelSize(step) / 2)};
            const auto field = computeHeat(*solution, {state, 0, 0, 1});
            const GridState shown = grid.unpack(graph.configuration(state.config));
            // By brute force: every state of the level whose rest is the same.
            std::vector<double> sum(20), count(20);
            for (std::int64_t k = 0; k < graph.levelSize(step); ++k) {
                const ConfigIndex config = graph.levelMember(step, k);
                GridState other = grid.unpack(graph.configuration(config));
                const auto cell = static_cast<std::size_t>(other.agents[0].cell);
                other.agents[0].cell = shown.agents[0].cell;
                other.agents[0].direction = shown.agents[0].direction;
                if (!(other == shown)) continue;
                sum[cell] += solution->v_h_e({step, config}, 0, 1);
                count[cell] += 1;
            }
            int known = 0;
            for (std::size_t cell = 0; cell < 20; ++cell) {
                QCOMPARE(field->cells[cell].count, static_cast<int>(count[cell]));
                if (count[cell] == 0) continue;
                ++known;
                QVERIFY(std::abs(field->cells[cell].value - sum[cell] / count[cell]) < 1e-14);
            }
            QVERIFY(known > 1);
            QCOMPARE(field->numKnown, known);
        }
    }

    void arrowsCarryTheHumansPolicy() {
        const auto world = smallWorld();
        const auto solution = solvedWorld(world);
        const StateGraph& graph = solution->graph();
        const State start{0, *graph.find(world->initialConfiguration())};
        const auto field = computeArrows(*solution, {start, 0, 1});
        const int cell = world->cellOf(world->initialConfiguration(), 0);
        const StateValues values = solution->values(start);
        // The human faces east at the start, and `forward` is action 3.
        QCOMPARE(field->cells[static_cast<std::size_t>(cell)][0], values.pi_h[0][1][3]);
        QCOMPARE(field->cells[static_cast<std::size_t>(cell)][1], -1.0);
    }

    void aHeatCellHasTheColourOfItsValue() {
        const auto world = smallWorld();
        const auto solution = solvedWorld(world);
        const StateGraph& graph = solution->graph();
        const State state{2, graph.levelMember(2, 0)};
        WorldScene scene = sceneOf(*world, graph.configuration(state.config));
        scene.heat = computeHeat(*solution, {state, 0, 0, 2});
        scene.showGoals = false;
        const QImage image = worldImage(scene, QSize(500, 300), darkTokens());
        const WorldLayout layout = layoutWorld(QRectF(0, 0, 500, 300), scene);
        int numChecked = 0;
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 5; ++x) {
                if (scene.heat->at(x, y).count == 0) continue;
                // The corner of the cell, inside its line, where no piece reaches.
                const QPointF corner = layout.cellRect(x, y).topLeft() + QPointF(4, 4);
                QCOMPARE(image.pixelColor(corner.toPoint()),
                         heatColor(*scene.heat, scene.heat->at(x, y).value));
                ++numChecked;
            }
        }
        QVERIFY(numChecked > 0);
    }

    /// Work that grows with the square of the cells takes a hundred times as long.
    void aWorldOfManyCellsIsShownAtOnce() {
        constexpr std::size_t kSide = 200;
        GridWorldSpec spec;
        spec.map.assign(kSide, std::string(2 * kSide, '.'));
        const auto put = [&](std::size_t x, std::size_t y, const char* code) {
            spec.map[y].replace(2 * x, 2, code);
        };
        for (std::size_t i = 0; i < kSide; ++i) {
            for (const std::size_t end : {std::size_t{0}, kSide - 1}) {
                put(i, end, "We");
                put(end, i, "We");
            }
            put(i, i, "We");
        }
        put(20, 5, "Ay");
        put(20, 7, "Ae");
        put(21, 5, "Un");
        spec.possibleGoals = {{30, 5, 30, 5, false}};
        spec.maxSteps = 5;
        const auto world = makeWorld(spec);
        const Configuration start = world->initialConfiguration();
        const auto outcomes =
            world->outcomes(start, 0, world->profileIndex(std::vector<int>{3, 3}));
        QVERIFY(!outcomes.empty());
        auto heat = std::make_shared<HeatField>();
        heat->width = heat->height = static_cast<int>(kSide);
        heat->cells.resize(kSide * kSide);
        const std::clock_t begin = std::clock();
        QVERIFY(!ghostsOf(*world, start, outcomes).empty());
        QVERIFY(!changedCells(*world, start, outcomes.front().successor).empty());
        WorldScene scene = sceneOf(*world, start);
        scene.heat = heat;
        QImage image(900, 900, QImage::Format_RGB32);
        for (const double zoom : {1.0, 3.0}) {
            image.fill(Qt::black);
            WorldLayout layout = layoutWorld(QRectF(image.rect()), scene, zoom);
            layout.visible = QRectF(image.rect());
            QPainter painter(&image);
            paintWorld(painter, scene, layout, darkTokens());
            painter.end();
            const QPoint wall = layout.cellRect(100, 100).center().toPoint();
            const QPoint floor = layout.cellRect(101, 100).center().toPoint();
            QVERIFY(image.pixelColor(wall) != image.pixelColor(floor));
        }
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        QVERIFY2(seconds < 1, QByteArray::number(seconds));
    }

    void cellsOfALargeWorldLeaveNoGaps_data() {
        QTest::addColumn<int>("side");
        for (const int side : {602, 615, 640, 693}) QTest::addRow("%d", side) << side;
    }
    void cellsOfALargeWorldLeaveNoGaps() {
        QFETCH(int, side);
        GridWorldSpec spec;
        std::string row;
        for (int x = 0; x < 200; ++x) row += "We";
        spec.map.assign(200, row);
        spec.map[1].replace(2, 4, "AyAe");
        const auto world = makeWorld(spec);
        const WorldScene scene = sceneOf(*world, world->initialConfiguration());
        QImage image(side, side, QImage::Format_RGB32);
        image.fill(Qt::magenta);
        WorldLayout layout = layoutWorld(QRectF(image.rect()), scene);
        layout.visible = QRectF(image.rect());
        QPainter painter(&image);
        paintWorld(painter, scene, layout, darkTokens());
        painter.end();
        const QRect inner = layout.grid.toAlignedRect().adjusted(2, 2, -2, -2);
        for (int y = inner.top(); y <= inner.bottom(); ++y)
            for (int x = inner.left(); x <= inner.right(); ++x)
                if (image.pixelColor(x, y) == QColor(Qt::magenta))
                    QFAIL(qPrintable(QStringLiteral("a gap at %1, %2").arg(x).arg(y)));
    }

    void cellsWithoutAStateAreHatchedAlikeOnAScreenAndInAFile() {
        const auto world = smallWorld();
        WorldScene scene = sceneOf(*world, world->initialConfiguration());
        auto heat = std::make_shared<HeatField>();
        heat->width = 5;
        heat->height = 4;
        heat->cells.resize(20);  // none has a value
        scene.heat = heat;
        QImage screen(700, 500, QImage::Format_RGB32), file = screen;
        const WorldLayout layout = layoutWorld(QRectF(screen.rect()), scene);
        screen.fill(Qt::black);
        file.fill(Qt::black);
        QPainter painter(&screen);
        paintWorld(painter, scene, layout, lightTokens());
        painter.end();
        QPicture lines;  // not of the raster engine: nothing is copied
        painter.begin(&lines);
        paintWorld(painter, scene, layout, lightTokens());
        painter.end();
        painter.begin(&file);
        lines.play(&painter);
        painter.end();
        int numLit = 0;
        const int edge = static_cast<int>(layout.cell / 6);  // a neighbour's piece reaches in
        const QRect cell = layout.cellRect(2, 1).toRect().adjusted(edge, edge, -edge, -edge);
        for (int y = cell.top(); y <= cell.bottom(); ++y)
            for (int x = cell.left(); x <= cell.right(); ++x) {
                QCOMPARE(screen.pixelColor(x, y), file.pixelColor(x, y));
                numLit += screen.pixelColor(x, y) == lightTokens().strongBorder ? 1 : 0;
            }
        // Each sixth of the cell has a line.
        const double share = double(numLit) / (cell.width() * cell.height());
        QVERIFY2(std::abs(share - 6 / layout.cell) < 1 / layout.cell, QByteArray::number(share));
    }

    void ghostsSumTheProbabilitiesOfTheirOutcomes() {
        const auto world = smallWorld();
        const Configuration start = world->initialConfiguration();
        const std::vector<int> forward = {3, 0};  // the human goes on, the robot stays
        const auto outcomes = world->outcomes(start, 0, world->profileIndex(forward));
        const auto ghosts = ghostsOf(*world, start, outcomes);
        QCOMPARE(ghosts.size(), std::size_t{1});
        QCOMPARE(ghosts.front().probability, 1.0);
        QCOMPARE(QPoint(ghosts.front().piece.x, ghosts.front().piece.y), QPoint(2, 1));
        QCOMPARE(changedCells(*world, start, outcomes.front().successor).size(), std::size_t{2});
    }
};

ORRERY_WINDOW_TEST(WorldPictureTest)
#include "world_picture_test.moc"
