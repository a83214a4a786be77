#pragma once

#include <QPainter>
#include <functional>
#include <memory>
#include <vector>

class QPaintDevice;

namespace orrery {

/// What a painter was told, to be told to another one: a picture apart from what drew it. Recorded
/// in the GUI thread; once recorded any thread may replay it.
class PaintRecord {
public:
    PaintRecord() = default;

    /// Paints the same on another device. The painter's own state is as before afterwards.
    void replay(QPainter& painter) const;

private:
    friend class RecordingDevice;
    friend class RecordingEngine;
    using Call = std::function<void(QPainter&)>;
    std::vector<Call> m_calls;
};

/// The paper of a record: paint on it as on any device.
/// @param size  in its pixels
std::unique_ptr<QPaintDevice> recordingDevice(PaintRecord* record, const QSize& size);

}  // namespace orrery
