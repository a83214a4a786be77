#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "core/base/progress.h"

namespace orrery {

enum class AnimationFormat {
    Gif,   ///< at most 256 colours in each changed part of a frame; flat colours stay exact
    Mp4,   ///< H.264, or MPEG-4 part 2 where that is all there is
    WebM,  ///< VP9 or VP8
};

/// By the ending .gif, .mp4 or .webm, in any case; nothing for another one.
std::optional<AnimationFormat> animationFormatOf(const std::filesystem::path& file);

/// What an animation is made of. Every frame stays for the same time; those of a GIF in whole
/// hundredths of a second whose sum never drifts from the true time.
struct AnimationSpec {
    AnimationFormat format = AnimationFormat::Gif;
    int width = 0, height = 0;   ///< pixels, 1 to 16,384; videos are made even by repeating an edge
    std::int64_t frames = 0;     ///< at least 1
    double framesPerSecond = 4;  ///< 0.1 to 60, of a GIF to 50
    bool loops = true;           ///< a GIF starts again at its end
};

/// Draws frame `index` into `rgba` [height * width * 4], row by row, bytes red, green, blue and
/// alpha in sRGB; alpha is not looked at.
using FrameSource = std::function<void(std::int64_t index, std::span<std::uint8_t> rgba)>;

/// Writes an animation frame by frame; memory does not grow with their number. The file is replaced
/// whole or not at all, as writeOutput does.
///
/// @param source called once for each frame, in order; what it throws is passed on
/// @return false if stopped; the file is then as it was
/// @throws Error (BadInput) if the spec makes no sense, (Resource) if the file cannot be written or
///         libav lacks an encoder
/// May be called from any thread.
bool writeAnimation(const std::filesystem::path& file, const AnimationSpec& spec,
                    const FrameSource& source, const std::stop_token& stop = {},
                    const ProgressSink& progress = {});

}  // namespace orrery
