#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/media/frame_sink.h"
#include "core/media/libav.h"

namespace orrery {

namespace {

constexpr int kIoBytes = 1 << 16;
constexpr std::size_t kCopyBytes = 1 << 20;

/// The bytes of an unfinished video, which a container writes out of order: a file without a name,
/// so that nothing stays behind whatever happens.
class Spool {
public:
    explicit Spool(const std::filesystem::path& target) : m_target(target) {
        std::error_code unknown;
        const bool isPlain = !std::filesystem::exists(target, unknown) ||
                             std::filesystem::is_regular_file(target, unknown);
        const std::filesystem::path folder =
            isPlain ? target.parent_path() : std::filesystem::temp_directory_path();
        std::string name = (folder / ".orrery-video-XXXXXX").string();
        m_file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
        if (!m_file) throwWriteError("write", target, errno);
        ::unlink(name.c_str());
    }

    /// As the container's callbacks want it: negative errno values.
    int write(std::span<const std::byte> bytes) {
        const int error = writeAll(m_file.get(), bytes);
        if (error == 0) return static_cast<int>(bytes.size());
        m_error = error;
        return AVERROR(error);
    }
    std::int64_t seek(std::int64_t offset, int whence) {
        if ((whence & AVSEEK_SIZE) != 0) {
            struct stat status {};
            return ::fstat(m_file.get(), &status) == 0 ? status.st_size : AVERROR(errno);
        }
        const off_t at = ::lseek(m_file.get(), offset, whence & ~AVSEEK_FORCE);
        return at < 0 ? AVERROR(errno) : at;
    }

    /// Throws what went wrong in a callback, if anything did.
    void check() const {
        if (m_error != 0) throwWriteError("write", m_target, m_error);
    }

    void copyTo(FileWriter& out) {
        if (::lseek(m_file.get(), 0, SEEK_SET) < 0) throwWriteError("write", m_target, errno);
        std::vector<std::byte> bytes(kCopyBytes);
        while (true) {
            const ssize_t count = readUpTo(m_file.get(), bytes);
            if (count < 0) throwWriteError("write", m_target, errno);
            if (count == 0) return;
            out.write(std::span(bytes).first(static_cast<std::size_t>(count)));
        }
    }

private:
    const std::filesystem::path m_target;
    FileDescriptor m_file;
    int m_error = 0;
};

/// One way to encode: what Debian's libavcodec may or may not have.
struct Encoder {
    const char* name;
    std::vector<std::pair<const char*, const char*>> options;
    std::int64_t bitRate = 0;
    int quantizer = 0;  ///< a fixed one; 0: by the options
};

std::vector<Encoder> encodersOf(AnimationFormat format) {
    if (format == AnimationFormat::Mp4)
        return {{"libx264", {{"preset", "veryfast"}, {"crf", "16"}}},
                {"libopenh264", {}, 6'000'000},
                {"mpeg4", {}, 0, 2}};
    return {
        {"libvpx-vp9", {{"crf", "18"}, {"deadline", "good"}, {"cpu-used", "5"}, {"row-mt", "1"}}},
        {"libvpx", {{"crf", "6"}, {"deadline", "good"}, {"cpu-used", "5"}}, 8'000'000}};
}

int roundedUpToEven(int pixels) {
    return pixels + pixels % 2;
}

class VideoSink final : public FrameSink {
public:
    VideoSink(const AnimationSpec& spec, const std::filesystem::path& file, FileWriter& out)
        : m_av(libav()),
          m_spec(spec),
          m_file(file),
          m_out(out),
          m_spool(file),
          m_width(roundedUpToEven(spec.width)),
          m_height(roundedUpToEven(spec.height)),
          m_rgba(static_cast<std::size_t>(4) * m_width * m_height) {
        try {
            openContainer();
            openEncoder();
            openStream();
            openScaler();
        } catch (const Error&) {
            release();
            throw;
        }
    }

    ~VideoSink() override { release(); }

    void add(std::span<const std::uint8_t> rgba) override {
        copyEven(rgba);
        check(m_av.avFrameMakeWritable(m_frame), "prepare a frame");
        const std::uint8_t* from[] = {m_rgba.data()};
        const int stride[] = {4 * m_width};
        m_av.swsScale(m_scaler, from, stride, 0, m_height, m_frame->data, m_frame->linesize);
        m_frame->pts = m_next++;
        check(m_av.avcodecSendFrame(m_encoder, m_frame), "encode a frame");
        takePackets();
    }

    void finish() override {
        check(m_av.avcodecSendFrame(m_encoder, nullptr), "end the encoding");
        takePackets();
        check(m_av.avWriteTrailer(m_container), "end the file");
        m_spool.check();
        m_spool.copyTo(m_out);
    }

private:
    static int takeBytes(void* spool, std::uint8_t* bytes, int count) {
        return static_cast<Spool*>(spool)->write(
            std::as_bytes(std::span(bytes, static_cast<std::size_t>(count))));
    }
    static std::int64_t seekBytes(void* spool, std::int64_t offset, int whence) {
        return static_cast<Spool*>(spool)->seek(offset, whence);
    }

    void check(int status, const char* what) const {
        m_spool.check();
        if (status < 0)
            throw Error("The video " + m_file.string() + " could not be written: libav could not " +
                            what + ". Write a GIF or a PNG sequence instead.",
                        Error::Kind::Resource);
    }

    void openContainer() {
        const char* name = m_spec.format == AnimationFormat::Mp4 ? "mp4" : "webm";
        check(m_av.avformatAllocOutputContext2(&m_container, nullptr, name, nullptr),
              "begin the file");
        auto* buffer = static_cast<std::uint8_t*>(m_av.avMalloc(kIoBytes));
        m_io = m_av.avioAllocContext(buffer, kIoBytes, 1, &m_spool, nullptr, &VideoSink::takeBytes,
                                     &VideoSink::seekBytes);
        check(buffer != nullptr && m_io != nullptr ? 0 : -1, "begin the file");
        m_container->pb = m_io;
        m_packet = m_av.avPacketAlloc();
        m_frame = m_av.avFrameAlloc();
        check(m_packet != nullptr && m_frame != nullptr ? 0 : -1, "begin the file");
    }

    /// The first encoder that is there and can be opened.
    void openEncoder() {
        std::string names;
        for (const Encoder& encoder : encodersOf(m_spec.format)) {
            names += (names.empty() ? "" : ", ") + std::string(encoder.name);
            if (tryEncoder(encoder)) return;
        }
        throw Error("No encoder for this kind of video is installed (looked for " + names +
                        "). Install Debian's libavcodec with it, or write a GIF or a PNG sequence.",
                    Error::Kind::Resource);
    }

    bool tryEncoder(const Encoder& encoder) {
        const AVCodec* codec = m_av.avcodecFindEncoderByName(encoder.name);
        if (codec == nullptr) return false;
        m_encoder = m_av.avcodecAllocContext3(codec);
        if (m_encoder == nullptr) return false;
        m_encoder->width = m_width;
        m_encoder->height = m_height;
        m_encoder->pix_fmt = AV_PIX_FMT_YUV420P;
        m_encoder->time_base = frameTime();
        m_encoder->framerate = {frameTime().den, frameTime().num};
        m_encoder->gop_size = std::max(1, static_cast<int>(4 * m_spec.framesPerSecond));
        m_encoder->bit_rate = encoder.bitRate;
        // The frames are sRGB, stored as BT.709 in the limited range.
        m_encoder->color_range = AVCOL_RANGE_MPEG;
        m_encoder->colorspace = AVCOL_SPC_BT709;
        m_encoder->color_primaries = AVCOL_PRI_BT709;
        m_encoder->color_trc = AVCOL_TRC_IEC61966_2_1;
        if (encoder.quantizer > 0) {
            m_encoder->flags |= AV_CODEC_FLAG_QSCALE;
            m_encoder->global_quality = FF_QP2LAMBDA * encoder.quantizer;
        }
        if ((m_container->oformat->flags & AVFMT_GLOBALHEADER) != 0)
            m_encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        for (const auto& [key, value] : encoder.options)
            m_av.avOptSet(m_encoder->priv_data, key, value, 0);
        if (m_av.avcodecOpen2(m_encoder, codec, nullptr) >= 0) return true;
        m_av.avcodecFreeContext(&m_encoder);
        return false;
    }

    void openStream() {
        m_stream = m_av.avformatNewStream(m_container, nullptr);
        check(m_stream != nullptr ? 0 : -1, "begin the file");
        m_stream->time_base = m_encoder->time_base;
        m_stream->avg_frame_rate = m_encoder->framerate;
        check(m_av.avcodecParametersFromContext(m_stream->codecpar, m_encoder), "begin the file");
        check(m_av.avformatWriteHeader(m_container, nullptr), "begin the file");
        m_frame->format = m_encoder->pix_fmt;
        m_frame->width = m_width;
        m_frame->height = m_height;
        check(m_av.avFrameGetBuffer(m_frame, 0), "prepare a frame");
    }

    void openScaler() {
        m_scaler = m_av.swsGetContext(
            m_width, m_height, AV_PIX_FMT_RGBA, m_width, m_height, AV_PIX_FMT_YUV420P,
            SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, nullptr, nullptr, nullptr);
        check(m_scaler != nullptr ? 0 : -1, "convert colours");
        const int* coefficients = m_av.swsGetCoefficients(SWS_CS_ITU709);
        const int unchanged = 1 << 16;  // contrast and saturation
        m_av.swsSetColorspaceDetails(m_scaler, coefficients, 1, coefficients, 0, 0, unchanged,
                                     unchanged);
    }

    AVRational frameTime() const {
        const int thousandths = static_cast<int>(std::lround(m_spec.framesPerSecond * 1000));
        const int common = std::gcd(1000, thousandths);
        return {1000 / common, thousandths / common};
    }

    /// Repeats the last column and row where the width or the height is odd.
    void copyEven(std::span<const std::uint8_t> rgba) {
        const std::size_t from = static_cast<std::size_t>(4) * m_spec.width;
        const std::size_t to = static_cast<std::size_t>(4) * m_width;
        for (int y = 0; y < m_height; ++y) {
            const std::uint8_t* row = rgba.data() + from * std::min(y, m_spec.height - 1);
            std::uint8_t* target = m_rgba.data() + to * y;
            std::memcpy(target, row, from);
            if (to > from) std::memcpy(target + from, row + from - 4, 4);
        }
    }

    void takePackets() {
        while (true) {
            const int status = m_av.avcodecReceivePacket(m_encoder, m_packet);
            if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return;
            check(status, "encode a frame");
            if (m_packet->duration == 0) m_packet->duration = 1;
            m_av.avPacketRescaleTs(m_packet, m_encoder->time_base, m_stream->time_base);
            m_packet->stream_index = m_stream->index;
            check(m_av.avInterleavedWriteFrame(m_container, m_packet), "write a frame");
        }
    }

    void release() {
        m_av.swsFreeContext(m_scaler);
        m_scaler = nullptr;
        m_av.avFrameFree(&m_frame);
        m_av.avPacketFree(&m_packet);
        m_av.avcodecFreeContext(&m_encoder);
        m_av.avformatFreeContext(m_container);
        m_container = nullptr;
        if (m_io != nullptr) m_av.avFreep(&m_io->buffer);
        m_av.avioContextFree(&m_io);
    }

    const Libav& m_av;
    const AnimationSpec m_spec;
    const std::filesystem::path m_file;
    FileWriter& m_out;
    Spool m_spool;
    const int m_width, m_height;  ///< even
    std::vector<std::uint8_t> m_rgba;
    AVFormatContext* m_container = nullptr;
    AVIOContext* m_io = nullptr;
    AVCodecContext* m_encoder = nullptr;
    AVStream* m_stream = nullptr;  ///< the container's
    AVFrame* m_frame = nullptr;
    AVPacket* m_packet = nullptr;
    SwsContext* m_scaler = nullptr;
    std::int64_t m_next = 0;  ///< frames sent
};

}  // namespace

std::unique_ptr<FrameSink> makeVideoSink(const AnimationSpec& spec,
                                         const std::filesystem::path& file, FileWriter& out) {
    return std::make_unique<VideoSink>(spec, file, out);
}

}  // namespace orrery
