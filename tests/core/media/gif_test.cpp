#include <gif_lib.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/media/animation.h"
#include "core/media/gif_palette.h"
#include "tests/core/media/sample_frames.h"
#include "tests/support/test_program.h"

using namespace orrery;

namespace {

/// A GIF as a viewer would show it.
struct Shown {
    int width = 0, height = 0;
    bool loops = false;
    std::vector<int> delays;                         // hundredths of a second
    std::vector<std::vector<std::uint32_t>> frames;  // [height * width] 0xRRGGBB
};

Shown read(const QString& file) {
    Shown shown;
    int error = 0;
    GifFileType* gif = DGifOpenFileName(file.toUtf8().constData(), &error);
    if (!gif || DGifSlurp(gif) != GIF_OK) qFatal("no GIF");
    shown.width = gif->SWidth;
    shown.height = gif->SHeight;
    std::vector<std::uint32_t> canvas(static_cast<std::size_t>(gif->SWidth) * gif->SHeight);
    for (int i = 0; i < gif->ImageCount; ++i) {
        const SavedImage& image = gif->SavedImages[i];
        for (int e = 0; e < image.ExtensionBlockCount; ++e)
            shown.loops |= image.ExtensionBlocks[e].Function == APPLICATION_EXT_FUNC_CODE;
        GraphicsControlBlock block{};
        if (DGifSavedExtensionToGCB(gif, i, &block) != GIF_OK) qFatal("no delay");
        shown.delays.push_back(block.DelayTime);
        const GifImageDesc& part = image.ImageDesc;
        for (int y = 0; y < part.Height; ++y)
            for (int x = 0; x < part.Width; ++x) {
                const int index = image.RasterBits[y * part.Width + x];
                if (index == block.TransparentColor) continue;
                const GifColorType& color = part.ColorMap->Colors[index];
                canvas[static_cast<std::size_t>(part.Top + y) * gif->SWidth + part.Left + x] =
                    static_cast<std::uint32_t>(color.Red << 16 | color.Green << 8 | color.Blue);
            }
        shown.frames.push_back(canvas);
    }
    DGifCloseFile(gif, &error);
    return shown;
}

std::uint32_t colorAt(std::span<const std::uint8_t> rgba, std::size_t index) {
    return static_cast<std::uint32_t>(rgba[4 * index] << 16 | rgba[4 * index + 1] << 8 |
                                      rgba[4 * index + 2]);
}

}  // namespace

class GifTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString file(const char* name) { return m_folder.filePath(QLatin1String(name)); }

private Q_SLOTS:
    void everyFrameIsShownWithItsColours() {
        const AnimationSpec spec{.width = 48, .height = 21, .frames = 6, .framesPerSecond = 4};
        const QString name = file("square.gif");
        QVERIFY(writeAnimation(name.toStdString(), spec,
                               [&](std::int64_t index, std::span<std::uint8_t> rgba) {
                                   drawSquare(index, spec.width, spec.height, rgba);
                               }));
        const Shown shown = read(name);
        QCOMPARE(shown.width, 48);
        QCOMPARE(shown.height, 21);
        QVERIFY(shown.loops);
        QCOMPARE(shown.frames.size(), std::size_t{6});
        std::vector<std::uint8_t> rgba(std::size_t{4} * 48 * 21);
        for (std::size_t f = 0; f < shown.frames.size(); ++f) {
            QCOMPARE(shown.delays[f], 25);
            drawSquare(static_cast<std::int64_t>(f), 48, 21, rgba);
            for (std::size_t i = 0; i < shown.frames[f].size(); ++i)
                QCOMPARE(shown.frames[f][i], colorAt(rgba, i));
        }
    }

    void aFrameThatChangesNothingIsAFrame() {
        const AnimationSpec spec{
            .width = 10, .height = 4, .frames = 5, .framesPerSecond = 10, .loops = false};
        const QString name = file("still.gif");
        QVERIFY(writeAnimation(name.toStdString(), spec,
                               [&](std::int64_t, std::span<std::uint8_t> rgba) {
                                   drawSquare(0, spec.width, spec.height, rgba);
                               }));
        const Shown shown = read(name);
        QCOMPARE(shown.frames.size(), std::size_t{5});
        QVERIFY(!shown.loops);
        QVERIFY(shown.frames.front() == shown.frames.back());
    }

    /// 24 frames a second is no whole number of hundredths: 4 or 5 each, 100 together.
    void delaysAddUpToTheTrueTime() {
        const AnimationSpec spec{.width = 4, .height = 4, .frames = 24, .framesPerSecond = 24};
        const QString name = file("rate.gif");
        QVERIFY(writeAnimation(name.toStdString(), spec,
                               [](std::int64_t index, std::span<std::uint8_t> rgba) {
                                   drawSquare(index % 2, 4, 4, rgba);
                               }));
        const Shown shown = read(name);
        int sum = 0;
        for (const int delay : shown.delays) {
            QVERIFY(delay == 4 || delay == 5);
            sum += delay;
        }
        QCOMPARE(sum, 100);
    }

    void flatColoursStayExactAmongManyOthers() {
        // 40 x 50 different colours over an even ground that fills half the picture.
        const AnimationSpec spec{.width = 80, .height = 50, .frames = 1};
        const auto draw = [](std::int64_t, std::span<std::uint8_t> rgba) {
            for (std::size_t i = 0; i < std::size_t{80} * 50; ++i) {
                const std::size_t x = i % 80, y = i / 80;
                const bool isFlat = x < 40;
                rgba[4 * i] = isFlat ? 12 : static_cast<std::uint8_t>(x * 3);
                rgba[4 * i + 1] = isFlat ? 34 : static_cast<std::uint8_t>(y * 5);
                rgba[4 * i + 2] = isFlat ? 56 : static_cast<std::uint8_t>(x + y);
                rgba[4 * i + 3] = 255;
            }
        };
        const QString name = file("many.gif");
        QVERIFY(writeAnimation(name.toStdString(), spec, draw));
        const Shown shown = read(name);
        std::vector<std::uint8_t> rgba(std::size_t{4} * 80 * 50);
        draw(0, rgba);
        double worst = 0;
        std::set<std::uint32_t> colors;
        for (std::size_t i = 0; i < shown.frames[0].size(); ++i) {
            const std::uint32_t is = shown.frames[0][i], was = colorAt(rgba, i);
            colors.insert(is);
            if (i % 80 < 40) QCOMPARE(is, 0x0c2238U);
            for (const int shift : {16, 8, 0})
                worst = std::max(worst, std::abs(static_cast<double>(is >> shift & 0xff) -
                                                 static_cast<double>(was >> shift & 0xff)));
        }
        QVERIFY(colors.size() <= 256 && colors.size() > 200);
        // 2,000 colours on a surface of 120 x 250 share 255 boxes: some 11 a side, at worst
        // cut unevenly.
        QVERIFY2(worst <= 24, qPrintable(QString::number(worst)));
    }

    void paletteDoesNotDependOnTheOrderOfPixels() {
        std::vector<std::uint32_t> pixels(3000);
        for (std::uint32_t i = 0; i < pixels.size(); ++i) pixels[i] = i * 5557 % 0x1000000;
        const GifPalette one(pixels, 200);
        std::ranges::reverse(pixels);
        const GifPalette other(pixels, 200);
        QVERIFY(one.colors() == other.colors());
        QCOMPARE(one.colors().size(), std::size_t{200});
    }

    void aStoppedAnimationLeavesTheFileAsItWas() {
        const QString name = file("kept.gif");
        QFile former(name);
        QVERIFY(former.open(QIODevice::WriteOnly));
        former.write("as it was");
        former.close();
        const AnimationSpec spec{.width = 32, .height = 32, .frames = 1000};
        std::stop_source stop;
        std::int64_t drawn = 0;
        QVERIFY(!writeAnimation(
            name.toStdString(), spec,
            [&](std::int64_t index, std::span<std::uint8_t> rgba) {
                drawSquare(index, 32, 32, rgba);
                if (++drawn == 3) stop.request_stop();
            },
            stop.get_token()));
        QCOMPARE(drawn, 3);
        QVERIFY(former.open(QIODevice::ReadOnly));
        QCOMPARE(former.readAll(), QByteArray("as it was"));
        QVERIFY(QDir(m_folder.path()).entryList({".*tmp"}, QDir::Hidden | QDir::Files).isEmpty());
    }

    void progressCountsFrames() {
        const AnimationSpec spec{.width = 8, .height = 8, .frames = 7};
        Progress last;
        QVERIFY(writeAnimation(
            file("told.gif").toStdString(), spec,
            [](std::int64_t index, std::span<std::uint8_t> rgba) { drawSquare(index, 8, 8, rgba); },
            {}, [&](const Progress& progress) { last = progress; }));
        QCOMPARE(last.done, 7);
        QCOMPARE(last.total, 7);
        QCOMPARE(last.unit, std::string("frames"));
    }

    void specsThatMakeNoSenseAreRefused_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("frames");
        QTest::addColumn<double>("rate");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no width") << 0 << 3 << 4.0 << QByteArray("smaller cells");
        QTest::newRow("wide") << 20000 << 3 << 4.0 << QByteArray("20000 x 8");
        QTest::newRow("no frames") << 8 << 0 << 4.0 << QByteArray("no states");
        QTest::newRow("fast") << 8 << 3 << 51.0 << QByteArray("from 0.1 to 50");
        QTest::newRow("no rate") << 8 << 3 << std::nan("") << QByteArray("from 0.1 to 50");
    }
    void specsThatMakeNoSenseAreRefused() {
        QFETCH(int, width);
        QFETCH(int, frames);
        QFETCH(double, rate);
        QFETCH(QByteArray, says);
        const AnimationSpec spec{
            .width = width, .height = 8, .frames = frames, .framesPerSecond = rate};
        try {
            writeAnimation(file("never.gif").toStdString(), spec,
                           [](std::int64_t, std::span<std::uint8_t>) { qFatal("drawn"); });
            QFAIL("accepted");
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).contains(says), error.what());
        }
        QVERIFY(!QFile::exists(file("never.gif")));
    }

    void formatsAreKnownByTheirEndings() {
        QVERIFY(animationFormatOf("a.gif") == AnimationFormat::Gif);
        QVERIFY(animationFormatOf("a.b.MP4") == AnimationFormat::Mp4);
        QVERIFY(animationFormatOf("x/a.webm") == AnimationFormat::WebM);
        QVERIFY(!animationFormatOf("gif"));
        QVERIFY(!animationFormatOf("a.png"));
    }
};

ORRERY_TEST(GifTest)
#include "gif_test.moc"
