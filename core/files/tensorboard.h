#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/atomic_write.h"
#include "core/base/progress.h"

namespace orrery {

/// Writes a TensorBoard event file: records of length, masked CRC-32C, a protobuf message Event and
/// its masked CRC-32C, all little-endian. The first record names the version "brain.Event:2". Used
/// by one thread.
class TensorBoardWriter {
public:
    /// @param out       where the bytes go
    /// @param wallTime  of the first record, seconds since 1970 (UTC)
    TensorBoardWriter(FileWriter& out, double wallTime);

    /// One point of a curve. TensorBoard's scalars have single precision: `value` is rounded to it;
    /// NaN and infinities stay.
    void scalar(std::string_view tag, std::int64_t step, double wallTime, double value);
    /// Text for the tab "Text"; Markdown is shown as such.
    void text(std::string_view tag, std::int64_t step, double wallTime, std::string_view text);
    /// The curves go on from `step`: of what stands before, in this file or in earlier ones of its
    /// folder, readers leave out the points of this step and later ones.
    void restart(std::int64_t step, double wallTime);

private:
    void record(std::string_view event);

    FileWriter& m_out;
};

/// One value of an event file.
struct TensorBoardValue {
    std::string tag;
    std::int64_t step = 0;
    double wallTime = 0;  ///< seconds since 1970 (UTC)
    bool isText = false;
    float value = 0;   ///< of a scalar
    std::string text;  ///< of a text
};

/// A place from which the curves of a file go on, see TensorBoardWriter::restart.
struct TensorBoardRestart {
    std::size_t before = 0;  ///< values of the file that stand before it
    std::int64_t step = 0;
};

/// What an event file holds: every scalar and every text, in the order of the file.
struct TensorBoardFile {
    std::string version;  ///< "brain.Event:2"
    std::vector<TensorBoardValue> values;
    std::vector<TensorBoardRestart> restarts;  ///< in the order of the file; nothing is left out
    std::int64_t otherValues = 0;              ///< histograms, images and the like, left out
    /// Where the sound records end if the rest is cut off or damaged, as after a crash of the
    /// program that wrote it; else the file's size.
    std::uint64_t soundBytes = 0;
    bool isWhole = true;
};

/// Reads an event file of any program. A damaged end is left out and told; nothing after the first
/// damaged record is believed. If stopped, returns what was read until then.
/// @param progress  bytes, after a record and at the end
/// @throws Error (Resource) if it cannot be read, (Damaged) if it is no event file from its first
///         record on, or if a record with a right checksum is no Event
TensorBoardFile readTensorBoardFile(const std::filesystem::path& file,
                                    const std::stop_token& stop = {},
                                    const ProgressSink& progress = {});

/// The name of an event file as TensorBoard looks for it: "events.out.tfevents.SECONDS.WRITER".
std::string tensorBoardFileName(double wallTime, std::string_view writer);

}  // namespace orrery
