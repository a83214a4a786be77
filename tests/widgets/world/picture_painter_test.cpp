#include "widgets/world/picture_painter.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include "core/world/world_picture.h"
#include "tests/support/test_program.h"
#include "widgets/bridge/world_loader.h"
#include "widgets/common/tokens.h"
#include "widgets/world/world_painter.h"

using namespace orrery;

namespace {

using Shape = PictureSprite::Shape;

QImage drawn(const Picture& picture, const Tokens& tokens, QSize size) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(tokens.canvas);
    QPainter painter(&image);
    paintPicture(painter, picture, layoutPicture(QRectF(QPointF(), size), picture), tokens);
    return image;
}

/// How many pixels are not the canvas.
int numPainted(const QImage& image, const Tokens& tokens) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y) != tokens.canvas) ++count;
    return count;
}

Picture spriteAlone(Shape shape, const PictureColor& fill) {
    return {.layers = {{.sprites = {{.shape = shape, .center = {0.5F, 0.5F}, .fill = fill}}}}};
}

}  // namespace

class PicturePainterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWorldIsDrawnAsTheWorldItself() {
        for (const LoadedWorld& example : loadExamples({})) {
            const World& world = *example.world;
            const Configuration configuration = world.initialConfiguration();
            const Picture picture = pictureOf(world, configuration, {});
            for (const Tokens* tokens : {&lightTokens(), &darkTokens()}) {
                const QSize size(700, 500);
                const PictureLayout layout = layoutPicture(QRectF(QPointF(), size), picture);
                QImage expected(size, QImage::Format_RGB32);
                expected.fill(tokens->canvas);
                QPainter painter(&expected);
                WorldScene scene = sceneOf(world, configuration);
                scene.showCoordinates = false;
                paintWorld(
                    painter, scene,
                    {.grid = layout.area, .cell = layout.cell, .colorBar = {}, .visible = {}},
                    *tokens);
                painter.end();
                QVERIFY2(drawn(picture, *tokens, size) == expected, world.name().c_str());
            }
        }
    }

    void everyShapeIsSeenInLightAndDark_data() {
        QTest::addColumn<Shape>("shape");
        for (int shape = 0; shape <= static_cast<int>(Shape::Flag); ++shape)
            QTest::addRow("%d", shape) << static_cast<Shape>(shape);
    }
    void everyShapeIsSeenInLightAndDark() {
        QFETCH(Shape, shape);
        for (const Tokens* tokens : {&lightTokens(), &darkTokens()})
            for (const Tone tone : {Tone::Ink, Tone::Good, Tone::Bad, Tone::Warning, Tone::Accent,
                                    Tone::Data, Tone::Thing}) {
                const Picture picture = spriteAlone(shape, {.tone = tone, .index = 1});
                const int painted = numPainted(drawn(picture, *tokens, {80, 80}), *tokens);
                QVERIFY2(painted > 250 && painted < 64 * 64, QByteArray::number(painted));
                QVERIFY(contrast(tokens->canvas, tokens->data[1]) >= 3);
            }
    }

    void allKindsOfThingsAreDrawn() {
        PictureLayer layer{
            .tiles = {{.fill = {.tone = Tone::Solid}}},
            .frames = {{.corner = {1, 0}, .color = {.tone = Tone::Data}, .label = "A"}},
            .lines = {{.points = {{2.1F, 0.5F}, {2.9F, 0.5F}}, .isArrow = true}},
            .sprites = {{.name = "mine", .center = {3.5F, 0.5F}, .label = "m"}},
            .labels = {{.text = "12", .center = {4.5F, 0.5F}}}};
        const Picture picture{.width = 5, .height = 1, .layers = {std::move(layer)}};
        const QSize size(416, 96);
        const PictureLayout layout = layoutPicture(QRectF(QPointF(), size), picture);
        QCOMPARE(layout.cell, 80.0);
        const QImage image = drawn(picture, lightTokens(), size);
        for (int x = 0; x < 5; ++x) {
            const QRect cell = layout.rect({static_cast<float>(x), 0}, 1, 1).toAlignedRect();
            QVERIFY2(numPainted(image.copy(cell), lightTokens()) > 50, QByteArray::number(x));
        }
        const std::vector<NamedSpot> spots = spotsOf(picture, layout);
        QCOMPARE(spots.size(), std::size_t{1});
        QCOMPARE(spots[0].name, QString("mine m"));
        QVERIFY(layout.rect({3, 0}, 1, 1).toAlignedRect().contains(spots[0].rect));
    }

    void anEmptyPictureAndNoRoomDrawNothing() {
        QCOMPARE(numPainted(drawn({}, darkTokens(), {50, 50}), darkTokens()), 0);
        QCOMPARE(
            numPainted(drawn(spriteAlone(Shape::Disc, {}), darkTokens(), {10, 10}), darkTokens()),
            0);
    }
};

ORRERY_WINDOW_TEST(PicturePainterTest)
#include "picture_painter_test.moc"
