#include "core/media/animation.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/media/frame_sink.h"

namespace orrery {

namespace {

constexpr int kMostPixels = 16384;  // a side; both codecs can do it
constexpr double kLeastRate = 0.1;
constexpr double kMostRate = 60;
constexpr double kMostGifRate = 50;  // viewers slow down delays below 2/100 s
constexpr double kBytesPerPixel = 4;
constexpr std::chrono::milliseconds kReportEvery{34};

void check(const AnimationSpec& spec) {
    const auto isSide = [](int pixels) { return pixels >= 1 && pixels <= kMostPixels; };
    if (!isSide(spec.width) || !isSide(spec.height))
        throw Error("An animation of " + std::to_string(spec.width) + " x " +
                        std::to_string(spec.height) + " pixels cannot be written: use 1 to " +
                        std::to_string(kMostPixels) +
                        " pixels a side, for example by smaller cells.",
                    Error::Kind::BadInput);
    const double most = spec.format == AnimationFormat::Gif ? kMostGifRate : kMostRate;
    if (!(spec.framesPerSecond >= kLeastRate && spec.framesPerSecond <= most))
        throw Error("The frame rate must be from 0.1 to " + std::to_string(static_cast<int>(most)) +
                        " frames a second, got " + std::to_string(spec.framesPerSecond) + ".",
                    Error::Kind::BadInput);
    if (spec.frames < 1)
        throw Error("There is nothing to animate: the episode has no states.",
                    Error::Kind::BadInput);
}

/// Tells how far the frames are, at most 30 times a second.
class Reporter {
public:
    Reporter(const ProgressSink& sink, std::int64_t total) : m_sink(sink) {
        m_progress.phase = "draw";
        m_progress.unit = "frames";
        m_progress.total = total;
    }

    void report(std::int64_t done) {
        const auto now = Clock::now();
        if (!m_sink || (done < m_progress.total && now - m_last < kReportEvery)) return;
        m_last = now;
        m_progress.done = done;
        m_progress.seconds = std::chrono::duration<double>(now - m_start).count();
        if (m_progress.seconds > 0 && done > 0) {
            m_progress.ratePerSecond = static_cast<double>(done) / m_progress.seconds;
            m_progress.secondsLeft =
                static_cast<double>(m_progress.total - done) / m_progress.ratePerSecond;
        }
        m_sink(m_progress);
    }

private:
    using Clock = std::chrono::steady_clock;
    const ProgressSink& m_sink;
    Progress m_progress;
    const Clock::time_point m_start = Clock::now();
    Clock::time_point m_last;
};

}  // namespace

std::optional<AnimationFormat> animationFormatOf(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (ending == ".gif") return AnimationFormat::Gif;
    if (ending == ".mp4") return AnimationFormat::Mp4;
    if (ending == ".webm") return AnimationFormat::WebM;
    return std::nullopt;
}

bool writeAnimation(const std::filesystem::path& file, const AnimationSpec& spec,
                    const FrameSource& source, const std::stop_token& stop,
                    const ProgressSink& progress) {
    check(spec);
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(
        static_cast<double>(spec.width) * static_cast<double>(spec.height) * kBytesPerPixel));
    return writeOutput(
        file,
        [&](FileWriter& out) {
            const auto sink = spec.format == AnimationFormat::Gif ? makeGifSink(spec, out)
                                                                  : makeVideoSink(spec, file, out);
            Reporter reporter(progress, spec.frames);
            for (std::int64_t index = 0; index < spec.frames; ++index) {
                if (stop.stop_requested()) return false;
                source(index, rgba);
                sink->add(rgba);
                reporter.report(index + 1);
            }
            if (stop.stop_requested()) return false;
            sink->finish();
            return true;
        },
        stop);
}

}  // namespace orrery
