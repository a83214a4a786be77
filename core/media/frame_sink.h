#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "core/base/atomic_write.h"
#include "core/media/animation.h"

namespace orrery {

/// Takes the frames of one animation in order. Used by one thread. Members throw Error.
class FrameSink {
public:
    FrameSink() = default;
    FrameSink(const FrameSink&) = delete;
    FrameSink& operator=(const FrameSink&) = delete;
    virtual ~FrameSink() = default;

    /// @param rgba  [height * width * 4]
    virtual void add(std::span<const std::uint8_t> rgba) = 0;
    /// Writes what is still missing; nothing may follow.
    virtual void finish() = 0;
};

/// @param out  outlives the sink
std::unique_ptr<FrameSink> makeGifSink(const AnimationSpec& spec, FileWriter& out);
/// @param file  the target: its folder takes the unfinished video, and errors name it
std::unique_ptr<FrameSink> makeVideoSink(const AnimationSpec& spec,
                                         const std::filesystem::path& file, FileWriter& out);

}  // namespace orrery
