#include <gif_lib.h>

#include <array>
#include <cmath>
#include <exception>
#include <vector>

#include "core/base/error.h"
#include "core/media/frame_sink.h"
#include "core/media/gif_palette.h"

namespace orrery {

namespace {

constexpr std::size_t kMostColors = 256;
constexpr double kDelaysPerSecond = 100;

/// The part of a frame that differs from the one before.
struct ChangedPart {
    int left = 0, top = 0, right = 0, bottom = 0;  // right and bottom excluded

    int width() const { return right - left; }
    int height() const { return bottom - top; }
};

std::uint32_t pixelAt(std::span<const std::uint8_t> rgba, std::size_t index) {
    const auto bytes = rgba.subspan(4 * index, 3);
    return static_cast<std::uint32_t>(bytes[0]) << 16U |
           static_cast<std::uint32_t>(bytes[1]) << 8U | bytes[2];
}

/// Each frame holds the changed part only, with its own colours; pixels in it that stay are
/// transparent.
class GifSink final : public FrameSink {
public:
    GifSink(const AnimationSpec& spec, FileWriter& out)
        : m_spec(spec), m_out(out), m_pixels(static_cast<std::size_t>(spec.width) * spec.height) {
        int error = 0;
        m_gif = EGifOpen(this, &GifSink::take, &error);
        if (m_gif == nullptr) throw Error("A GIF could not be begun: giflib is out of memory.");
        EGifSetGifVersion(m_gif, true);
        const int bits = 8;  // of a colour channel
        check(EGifPutScreenDesc(m_gif, spec.width, spec.height, bits, 0, nullptr));
        if (spec.loops) putLoop();
    }

    ~GifSink() override {
        m_isSilent = true;  // closing writes an end
        close();
    }

    void add(std::span<const std::uint8_t> rgba) override {
        m_now.resize(m_pixels);
        for (std::size_t i = 0; i < m_pixels; ++i) m_now[i] = pixelAt(rgba, i);
        putDelay();
        putPart(changedPart());
        m_before.swap(m_now);
        ++m_frame;
    }

    void finish() override { check(close()); }

private:
    /// Where giflib puts its bytes. An exception must not pass through it.
    static int take(GifFileType* gif, const GifByteType* bytes, int count) {
        auto* self = static_cast<GifSink*>(gif->UserData);
        if (self->m_isSilent) return count;
        try {
            self->m_out.write(std::as_bytes(std::span(bytes, static_cast<std::size_t>(count))));
        } catch (const Error&) {
            self->m_error = std::current_exception();
            return 0;
        }
        return count;
    }

    void check(int status) {
        if (m_error) std::rethrow_exception(m_error);
        if (status != GIF_OK) throw Error("A frame of the GIF could not be written by giflib.");
    }

    int close() {
        if (m_gif == nullptr) return GIF_OK;
        int error = 0;
        GifFileType* gif = m_gif;
        m_gif = nullptr;
        return EGifCloseFile(gif, &error);
    }

    void putLoop() {
        const std::array<GifByteType, 3> forever{1, 0, 0};
        check(EGifPutExtensionLeader(m_gif, APPLICATION_EXT_FUNC_CODE));
        check(EGifPutExtensionBlock(m_gif, 11, "NETSCAPE2.0"));
        check(EGifPutExtensionBlock(m_gif, static_cast<int>(forever.size()), forever.data()));
        check(EGifPutExtensionTrailer(m_gif));
    }

    /// The time of this frame in hundredths of a second, by the true times of its ends.
    int delay() const {
        const auto at = [this](std::int64_t frame) {
            return std::llround(static_cast<double>(frame) * kDelaysPerSecond /
                                m_spec.framesPerSecond);
        };
        return static_cast<int>(at(m_frame + 1) - at(m_frame));
    }

    bool isFirst() const { return m_frame == 0; }

    void putDelay() {
        GraphicsControlBlock block{};
        block.DisposalMode = DISPOSE_DO_NOT;
        block.DelayTime = delay();
        block.TransparentColor = isFirst() ? NO_TRANSPARENT_COLOR : 0;
        std::array<GifByteType, 4> bytes{};
        EGifGCBToExtension(&block, bytes.data());
        check(EGifPutExtension(m_gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(bytes.size()),
                               bytes.data()));
    }

    /// The whole frame for the first one; one pixel if nothing changed.
    ChangedPart changedPart() const {
        if (isFirst()) return {0, 0, m_spec.width, m_spec.height};
        ChangedPart part{m_spec.width, m_spec.height, 0, 0};
        for (int y = 0; y < m_spec.height; ++y)
            for (int x = 0; x < m_spec.width; ++x) {
                if (!differs(x, y)) continue;
                part.left = std::min(part.left, x);
                part.right = std::max(part.right, x + 1);
                part.top = std::min(part.top, y);
                part.bottom = y + 1;
            }
        return part.right == 0 ? ChangedPart{0, 0, 1, 1} : part;
    }

    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_spec.width) +
               static_cast<std::size_t>(x);
    }
    bool differs(int x, int y) const { return m_now[at(x, y)] != m_before[at(x, y)]; }

    void putPart(const ChangedPart& part) {
        std::vector<std::uint32_t> changed;
        for (int y = part.top; y < part.bottom; ++y)
            for (int x = part.left; x < part.right; ++x)
                if (isFirst() || differs(x, y)) changed.push_back(m_now[at(x, y)]);
        const std::size_t first = isFirst() ? 0 : 1;  // index 0 is then the transparent one
        const GifPalette palette(changed, kMostColors - first);
        putPalette(part, palette.colors(), first);
        std::vector<GifPixelType> line(static_cast<std::size_t>(part.width()));
        for (int y = part.top; y < part.bottom; ++y) {
            for (int x = part.left; x < part.right; ++x)
                line[static_cast<std::size_t>(x - part.left)] =
                    isFirst() || differs(x, y)
                        ? static_cast<GifPixelType>(palette.indexOf(m_now[at(x, y)]) + first)
                        : GifPixelType{0};
            check(EGifPutLine(m_gif, line.data(), part.width()));
        }
    }

    void putPalette(const ChangedPart& part, const std::vector<std::uint32_t>& colors,
                    std::size_t first) {
        int size = 2;
        while (static_cast<std::size_t>(size) < colors.size() + first) size *= 2;
        std::vector<GifColorType> entries(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i < colors.size(); ++i)
            entries[i + first] = {static_cast<GifByteType>(colors[i] >> 16U),
                                  static_cast<GifByteType>(colors[i] >> 8U),
                                  static_cast<GifByteType>(colors[i])};
        ColorMapObject* map = GifMakeMapObject(size, entries.data());
        if (map == nullptr) throw Error("A frame of the GIF found no memory for its colours.");
        const int status =
            EGifPutImageDesc(m_gif, part.left, part.top, part.width(), part.height(), false, map);
        GifFreeMapObject(map);  // giflib took a copy
        check(status);
    }

    const AnimationSpec m_spec;
    FileWriter& m_out;
    const std::size_t m_pixels;
    GifFileType* m_gif = nullptr;
    std::exception_ptr m_error;  ///< what the writer threw
    bool m_isSilent = false;
    std::int64_t m_frame = 0;
    std::vector<std::uint32_t> m_before, m_now;  ///< [height * width] 0xRRGGBB
};

}  // namespace

std::unique_ptr<FrameSink> makeGifSink(const AnimationSpec& spec, FileWriter& out) {
    return std::make_unique<GifSink>(spec, out);
}

}  // namespace orrery
