#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/media/animation.h"
#include "tests/core/media/sample_frames.h"
#include "tests/support/test_program.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

using namespace orrery;

namespace {

struct Played {
    int width = 0, height = 0;
    double seconds = 0;
    std::vector<double> times;                      // of each frame, seconds
    std::vector<std::vector<std::uint8_t>> frames;  // RGB, [height * width * 3]
    AVColorSpace colorSpace = AVCOL_SPC_UNSPECIFIED;
};

/// Demuxes and decodes a file with libav.
Played play(const QString& file) {
    Played played;
    AVFormatContext* container = nullptr;
    if (avformat_open_input(&container, file.toUtf8().constData(), nullptr, nullptr) < 0 ||
        avformat_find_stream_info(container, nullptr) < 0 || container->nb_streams != 1)
        qFatal("no video");
    const AVStream* stream = container->streams[0];
    const AVCodec* codec = avcodec_find_decoder(stream->codecpar->codec_id);
    AVCodecContext* decoder = avcodec_alloc_context3(codec);
    if (avcodec_parameters_to_context(decoder, stream->codecpar) < 0 ||
        avcodec_open2(decoder, codec, nullptr) < 0)
        qFatal("no decoder");
    played.width = decoder->width;
    played.height = decoder->height;
    played.seconds = static_cast<double>(container->duration) / AV_TIME_BASE;
    SwsContext* scaler =
        sws_getContext(decoder->width, decoder->height, AV_PIX_FMT_YUV420P, decoder->width,
                       decoder->height, AV_PIX_FMT_RGB24, SWS_BICUBIC, nullptr, nullptr, nullptr);
    const int* coefficients = sws_getCoefficients(SWS_CS_ITU709);
    sws_setColorspaceDetails(scaler, coefficients, 0, coefficients, 1, 0, 1 << 16, 1 << 16);
    AVPacket* packet = av_packet_alloc();
    AVFrame* frame = av_frame_alloc();
    const auto take = [&] {
        while (avcodec_receive_frame(decoder, frame) >= 0) {
            auto& rgb = played.frames.emplace_back(static_cast<std::size_t>(3) * decoder->width *
                                                   decoder->height);
            std::uint8_t* to[] = {rgb.data()};
            const int stride[] = {3 * decoder->width};
            sws_scale(scaler, frame->data, frame->linesize, 0, decoder->height, to, stride);
            played.times.push_back(static_cast<double>(frame->pts) * av_q2d(stream->time_base));
            played.colorSpace = frame->colorspace;
        }
    };
    while (av_read_frame(container, packet) >= 0) {
        avcodec_send_packet(decoder, packet);
        av_packet_unref(packet);
        take();
    }
    avcodec_send_packet(decoder, nullptr);
    take();
    av_frame_free(&frame);
    av_packet_free(&packet);
    sws_freeContext(scaler);
    avcodec_free_context(&decoder);
    avformat_close_input(&container);
    return played;
}

}  // namespace

class VideoTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString file(const char* name) { return m_folder.filePath(QLatin1String(name)); }

private Q_SLOTS:
    void framesComeBack_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        QTest::newRow("mp4") << file("square.mp4") << static_cast<int>(AnimationFormat::Mp4);
        QTest::newRow("webm") << file("square.webm") << static_cast<int>(AnimationFormat::WebM);
    }
    void framesComeBack() {
        QFETCH(QString, name);
        QFETCH(int, format);
        const AnimationSpec spec{.format = static_cast<AnimationFormat>(format),
                                 .width = 95,  // odd: made even
                                 .height = 63,
                                 .frames = 9,
                                 .framesPerSecond = 4};
        QVERIFY(writeAnimation(name.toStdString(), spec,
                               [&](std::int64_t index, std::span<std::uint8_t> rgba) {
                                   drawSquare(index, spec.width, spec.height, rgba);
                               }));
        const Played played = play(name);
        QCOMPARE(played.width, 96);
        QCOMPARE(played.height, 64);
        QCOMPARE(played.frames.size(), std::size_t{9});
        QVERIFY(std::abs(played.seconds - 9 / 4.0) < 0.02);
        QCOMPARE(static_cast<int>(played.colorSpace), static_cast<int>(AVCOL_SPC_BT709));
        for (std::size_t f = 0; f < played.frames.size(); ++f) {
            QVERIFY(std::abs(played.times[f] - static_cast<double>(f) / 4) < 0.002);
            const auto pixel = [&](std::size_t x, std::size_t y, std::size_t channel) {
                return static_cast<int>(played.frames[f][3 * (y * 96 + x) + channel]);
            };
            const std::size_t middle = f * kSquareSide + kSquareSide / 2;
            for (std::size_t c = 0; c < 3; ++c) {
                // What lossy coding at high quality leaves of a flat colour.
                QVERIFY(std::abs(pixel(middle, kSquareSide / 2, c) - kSquare[c]) <= 20);
                QVERIFY(std::abs(pixel(middle, 40, c) - kGround[c]) <= 6);
            }
        }
    }

    void aStoppedVideoLeavesNothing_data() { framesComeBack_data(); }
    void aStoppedVideoLeavesNothing() {
        QFETCH(QString, name);
        QFETCH(int, format);
        name += QStringLiteral(".stopped");
        const AnimationSpec spec{.format = static_cast<AnimationFormat>(format),
                                 .width = 64,
                                 .height = 64,
                                 .frames = 1000};
        std::stop_source stop;
        QVERIFY(!writeAnimation(
            name.toStdString(), spec,
            [&](std::int64_t index, std::span<std::uint8_t> rgba) {
                drawSquare(index, 64, 64, rgba);
                if (index == 5) stop.request_stop();
            },
            stop.get_token()));
        QVERIFY(!QFile::exists(name));
        for (const QString& entry :
             QDir(m_folder.path()).entryList(QDir::Hidden | QDir::Files | QDir::System))
            QVERIFY2(!entry.startsWith(u'.'), qPrintable(entry));
    }

    void aFolderThatIsNotThereIsNamed() {
        const AnimationSpec spec{
            .format = AnimationFormat::Mp4, .width = 16, .height = 16, .frames = 2};
        try {
            writeAnimation(file("nowhere/a.mp4").toStdString(), spec,
                           [](std::int64_t index, std::span<std::uint8_t> rgba) {
                               drawSquare(index, 16, 16, rgba);
                           });
            QFAIL("written");
        } catch (const Error& error) {
            QVERIFY2(QByteArray(error.what()).contains("nowhere/a.mp4"), error.what());
        }
    }
};

ORRERY_TEST(VideoTest)
#include "video_test.moc"
