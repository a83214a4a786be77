#include <gif_lib.h>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/base/error.h"
#include "core/grid/grid_world.h"
#include "core/solve/solution.h"
#include "tests/support/test_program.h"
#include "widgets/common/tokens.h"
#include "widgets/export/episode_film.h"
#include "widgets/world/world_picture.h"

using namespace orrery;

namespace {

std::shared_ptr<const World> smallWorld() {
    GridWorldSpec spec;
    spec.map = {"WeWeWeWeWe", "WeAy....We", "We..LaAeWe", "WeWeWeWeWe"};
    spec.maxSteps = 3;
    spec.possibleGoals = {{1, 1, 1, 1, false}, {3, 1, 3, 1, false}, {1, 1, 3, 2, true}};
    return makeWorld(spec);
}

}  // namespace

/// Episodes as animations and as pictures.
class FilmTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::shared_ptr<const World> m_world = smallWorld();
    std::shared_ptr<const Solution> m_solution;
    std::vector<std::vector<std::uint64_t>> m_configurations;
    FilmEpisode m_episode;

    std::filesystem::path path(const char* name) {
        return m_folder.filePath(QLatin1String(name)).toStdString();
    }
    QByteArray problemOf(const FilmSpec& spec) {
        try {
            writeFilm(m_episode, spec);
            return "accepted";
        } catch (const Error& error) {
            return error.what();
        }
    }
    QStringList entries() {
        return QDir(m_folder.path())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

public:
    static void initMain() { qputenv("QT_QPA_PLATFORM", "offscreen"); }

private Q_SLOTS:
    void initTestCase() {
        SolveSpec spec;
        spec.threads = 1;
        m_solution = solve(explore(m_world, {}), spec);
        Rng rng(1, 0);
        const std::vector<int> anyGoals(m_world->goals().size(), -1);
        const State root{.step = 0, .config = m_solution->graph().levelMember(0, 0)};
        std::vector<std::optional<State>> states;
        for (const RolloutStep& step : m_solution->rollout(root, anyGoals, rng)) {
            const auto words = m_solution->graph().configuration(step.state.config);
            m_configurations.emplace_back(words.begin(), words.end());
            states.emplace_back(step.state);
        }
        m_episode = filmOf(m_world, m_configurations);
        m_episode.states = std::move(states);
        QCOMPARE(m_episode.numFrames, std::size_t{4});
    }

    void aGifHasOneFrameAStateAndOneMoreThanSteps() {
        const FilmSpec spec{.target = path("a.gif"), .framesPerSecond = 8, .cellSize = 24};
        QVERIFY(writeFilm(m_episode, spec));
        int error = 0;
        GifFileType* gif = DGifOpenFileName(spec.target.c_str(), &error);
        QVERIFY(gif && DGifSlurp(gif) == GIF_OK);
        QCOMPARE(gif->ImageCount, 4);
        QCOMPARE(QSize(gif->SWidth, gif->SHeight), filmSize(m_episode, 24));
        int sum = 0;
        for (int i = 0; i < gif->ImageCount; ++i) {
            GraphicsControlBlock block{};
            QVERIFY(DGifSavedExtensionToGCB(gif, i, &block) == GIF_OK);
            sum += block.DelayTime;
        }
        QCOMPARE(sum, 50);  // four eighths of a second
        DGifCloseFile(gif, &error);
    }

    void aSequenceHoldsThePicturesOfTheStates() {
        const FilmSpec spec{.kind = FilmKind::PngSequence,
                            .target = path("frames"),
                            .cellSize = 32,
                            .isDark = true};
        QVERIFY(writeFilm(m_episode, spec));
        QCOMPARE(QDir(QString::fromStdString(spec.target)).entryList(QDir::Files),
                 (QStringList{QStringLiteral("00000.png"), QStringLiteral("00001.png"),
                              QStringLiteral("00002.png"), QStringLiteral("00003.png")}));
        const QImage first(QString::fromStdString((spec.target / "00000.png").string()));
        const WorldScene scene = sceneOf(*m_world, m_configurations.front());
        QCOMPARE(first.size(), pictureSize(scene, 32));
        const WorldLayout layout = layoutWorld(QRectF(first.rect()), scene);
        const QPoint wall = layout.cellRect(0, 0).center().toPoint() - QPoint(0, 6);
        QCOMPARE(first.pixelColor(wall), darkTokens().wall);
        const QImage same =
            worldImage(scene, first.size(), darkTokens()).convertToFormat(first.format());
        QVERIFY(first == same);
    }

    /// One range of colours for all frames, although each state has its own values.
    void valuesLieOverTheCells() {
        FilmEpisode film = m_episode;
        film.overlay.solution = m_solution;
        HeatRequest value;
        value.agent = 1;
        value.quantity = ValueKind::V_r;
        film.overlay.heat = value;
        const FilmSpec spec{.kind = FilmKind::PngSequence, .target = path("heat"), .cellSize = 32};
        QVERIFY(writeFilm(film, spec));
        double low = 0, high = -1e9;
        std::vector<std::shared_ptr<const HeatField>> fields;
        for (const auto& state : film.states) {
            HeatRequest request = *film.overlay.heat;
            request.state = *state;
            fields.push_back(computeHeat(*m_solution, request));
            low = std::min(low, fields.back()->low);
            high = std::max(high, fields.back()->high);
        }
        QVERIFY(low < high);
        int compared = 0;
        for (std::size_t f = 0; f < fields.size(); ++f) {
            WorldScene scene = sceneOf(*m_world, m_configurations[f]);
            scene.heat = HeatRange{HeatRangeKind::Fixed, low, high}.applied(fields[f]);
            if (f > 0)
                scene.changed =
                    changedCells(*m_world, m_configurations[f - 1], m_configurations[f]);
            const QString name = QStringLiteral("0000%1.png").arg(f);
            const QImage image(QString::fromStdString((spec.target / name.toStdString()).string()));
            QCOMPARE(image.size(), pictureSize(scene, 32));
            const WorldLayout layout = layoutWorld(QRectF(image.rect()), scene);
            const QImage wanted = worldImage(scene, image.size(), lightTokens());
            for (int y = 0; y < scene.height; ++y)
                for (int x = 0; x < scene.width; ++x) {
                    if (scene.heat->at(x, y).count == 0) continue;
                    const QPoint at = layout.cellRect(x, y).topLeft().toPoint() + QPoint(3, 3);
                    QCOMPARE(image.pixelColor(at), wanted.pixelColor(at));
                    ++compared;
                }
        }
        QVERIFY2(compared >= 4, qPrintable(QString::number(compared)));
    }

    /// What is no world is filmed by its pictures.
    void picturesOfAnythingMakeAFilm() {
        FilmEpisode film;
        film.numFrames = 3;
        film.scene = [](std::size_t frame) {
            Picture picture{.width = 4, .height = 1};
            picture.layers.resize(1);
            picture.layers[0].tiles.push_back(
                {.corner = {static_cast<float>(frame), 0},
                 .fill = {.tone = Tone::Fixed, .red = 200, .green = 20, .blue = 30}});
            return sceneOf(std::make_shared<const Picture>(std::move(picture)));
        };
        const FilmSpec spec{
            .kind = FilmKind::PngSequence, .target = path("pictures"), .cellSize = 32};
        QVERIFY(writeFilm(film, spec));
        for (int frame = 0; frame < 3; ++frame) {
            const QString name = QStringLiteral("0000%1.png").arg(frame);
            const QImage image(QString::fromStdString((spec.target / name.toStdString()).string()));
            QCOMPARE(image.size(), filmSize(film, 32));
            const WorldLayout layout = layoutWorld(QRectF(image.rect()), film.scene(0));
            for (int x = 0; x < 4; ++x)
                QCOMPARE(image.pixelColor(layout.cellRect(x, 0).center().toPoint()) ==
                             QColor(200, 20, 30),
                         x == frame);
        }
    }

    void aFolderThatHoldsSomethingIsLeftAlone() {
        QDir(m_folder.path()).mkdir(QStringLiteral("full"));
        QFile mine(m_folder.filePath(QStringLiteral("full/mine.txt")));
        QVERIFY(mine.open(QIODevice::WriteOnly));
        const QByteArray problem =
            problemOf({.kind = FilmKind::PngSequence, .target = path("full")});
        QVERIFY2(problem.contains("holds something already"), problem.constData());
        QVERIFY(mine.exists());
        QDir(m_folder.path()).mkdir(QStringLiteral("empty"));
        QVERIFY(writeFilm(m_episode, {.kind = FilmKind::PngSequence, .target = path("empty")}));
    }

    void aStoppedSequenceLeavesNothing() {
        const QStringList before = entries();
        std::stop_source stop;
        QVERIFY(!writeFilm(m_episode, {.kind = FilmKind::PngSequence, .target = path("stopped")},
                           stop.get_token(), [&](const Progress& progress) {
                               if (progress.done == 2) stop.request_stop();
                           }));
        QCOMPARE(entries(), before);
    }

    void specsThatMakeNoSenseAreRefused() {
        QVERIFY(problemOf({.target = path("b.gif"), .cellSize = 2}).contains("8 to 256"));
        QVERIFY(problemOf({.target = path("b.gif"), .framesPerSecond = 70}).contains("0.1 to 50"));
        FilmEpisode none = filmOf(m_world, {});
        std::swap(none, m_episode);
        QVERIFY(problemOf({.target = path("b.gif")}).contains("no states"));
        std::swap(none, m_episode);
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("b.gif"))));
    }
};

ORRERY_WINDOW_TEST(FilmTest)
#include "film_test.moc"
